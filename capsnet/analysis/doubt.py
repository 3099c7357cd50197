"""When to doubt a verdict: the longest digit capsule is short, or two are nearly as long.

A reading is sure where its longest length is at least `length` and exceeds the second by at least
`margin`. Both are chosen from data: digits on one side, drawings that are none on the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]

GRID = np.round(np.arange(0, 1, 0.01), 2)
"""The thresholds that are tried, for the length and for the margin."""

DOUBTED = 0.03
"""Largest share of the digits read rightly that may be doubted."""


@dataclass(frozen=True)
class Doubt:
    """Thresholds on the lengths of the digit capsules, 0…1.

    Attributes:
        length: The longest must be at least this long …
        margin: … and longer than the second by at least this.
    """

    length: float
    margin: float

    def sure(self, lengths: Floats) -> NDArray[np.bool_]:
        """Say of lengths [N, 10] which readings are sure: [N]."""
        longest, margin = longest_and_margin(lengths)
        return (longest >= self.length) & (margin >= self.margin)


def longest_and_margin(lengths: Floats) -> tuple[Floats, Floats]:
    """Return of lengths [N, 10] the longest and what it has over the second: [N] each."""
    ranked = np.sort(lengths, axis=1)
    return ranked[:, -1], ranked[:, -1] - ranked[:, -2]


def choose_doubt(digits: Sequence[Floats], others: Floats, doubted: float = DOUBTED) -> Doubt:
    """Choose the thresholds that leave the fewest non-digits sure.

    Args:
        digits: Lengths [N, 10] of digits that are read rightly, one array a set; each set counts.
        others: Lengths [M, 10] of drawings that are no digits.
        doubted: Of no set may a larger share of the digits be doubted, 0…1.

    Returns:
        The thresholds, on a grid of 0.01; of several that do equally well the lowest.
    """
    kept = np.min([_share_sure(lengths) for lengths in digits], axis=0)
    deceived = np.where(kept >= 1 - doubted, _share_sure(others), np.inf)
    row, column = np.unravel_index(deceived.argmin(), deceived.shape)
    return Doubt(float(GRID[row]), float(GRID[column]))


def _share_sure(lengths: Floats) -> Floats:
    """Share of the readings that are sure, for every length and margin of the grid: [100, 100]."""
    longest, margin = longest_and_margin(lengths)
    long_enough = longest[:, None] >= GRID
    apart = margin[:, None] >= GRID
    return long_enough.T.astype(np.float64) @ apart / len(lengths)


def rates(
    doubt: Doubt, lengths: Floats, labels: NDArray[np.integer] | None = None
) -> dict[str, float]:
    """Return the share of readings that are sure, and with labels [N] those sure and wrong."""
    sure = doubt.sure(lengths)
    shares = {"count": len(lengths), "sure": float(sure.mean())}
    if labels is not None:
        shares["sure_and_wrong"] = float((sure & (lengths.argmax(axis=1) != labels)).mean())
    return shares
