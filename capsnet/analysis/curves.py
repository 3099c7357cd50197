"""What routing does from iteration to iteration, in numbers to draw as curves.

Arrays of one image, as `CapsNet.trace` returns them without the batch axis; torch tensors are taken
as well. Indices as in the paper: i a primary capsule, j a digit capsule, t an iteration.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.floating]


@dataclass(frozen=True)
class VerdictChange:
    """Another digit capsule became the longest.

    Attributes:
        iteration: The first iteration in which it is, counted from 1 (so 2 at least).
        before: The digit that was the longest.
        after: The digit that is.
    """

    iteration: int
    before: int
    after: int


def logit_change(logits: ArrayLike) -> Floats:
    """Return how far the logits moved: the mean over i and j of |b_ij(t) - b_ij(t - 1)|.

    Since b_ij(t) = b_ij(t - 1) + û_j|i · v_j(t - 1) (Procedure 1, line 7), this is the mean size of
    the agreements of the iteration before. It does not settle at 0: logits grow for as long as one
    routes, the faster the longer the poses are.

    Args:
        logits: b, [T, I, J].

    Returns:
        [T]; 0 in the first iteration, which nothing comes before.
    """
    b = np.asarray(logits)
    return _from_the_second(np.abs(np.diff(b, axis=0)).mean(axis=(1, 2)), b.dtype)


def coupling_change(couplings: ArrayLike) -> Floats:
    """Return which share of a primary capsule changed digits: the mean over i of Σ_j |Δc_ij| / 2.

    What routing really moved: each capsule shares out 1, so 0 is nothing and 1 everything.

    Args:
        couplings: c, [T, I, J], in 0…1.

    Returns:
        [T], in 0…1; 0 in the first iteration.
    """
    c = np.asarray(couplings)
    moved = np.abs(np.diff(c, axis=0)).sum(axis=2) / 2  # [T - 1, I]
    return _from_the_second(moved.mean(axis=1), c.dtype)


def agreement(couplings: ArrayLike, agreements: ArrayLike) -> Floats:
    """Return how far the votes for each digit agree with it: Σ_i c_ij û_j|i · v_j / Σ_i c_ij.

    A mean of dot products, in units of the votes' length times the pose's, so it grows with both;
    `projection.concentration` takes the lengths out.

    Args:
        couplings: c, [T, I, J], in 0…1.
        agreements: û · v, [T, I, J].

    Returns:
        [T, J], never below 0: v_j points where the sum of c_ij û_j|i does.
    """
    c, a = np.asarray(couplings), np.asarray(agreements)
    total = c.sum(axis=1)
    mean = np.einsum("tij,tij->tj", c, a) / np.where(total > 0, total, 1)
    return np.maximum(mean, 0)  # rounding leaves a pose of nearly zero slightly below


def verdict_changes(lengths: ArrayLike) -> list[VerdictChange]:
    """Return where the longest digit capsule changes, in the order of the iterations.

    Args:
        lengths: ‖v_j‖, [T, J]; of equal lengths the first counts as the longest.
    """
    longest = np.asarray(lengths).argmax(axis=1)
    return [
        VerdictChange(int(t) + 2, int(longest[t]), int(longest[t + 1]))
        for t in np.flatnonzero(np.diff(longest))
    ]


def _from_the_second(changes: Floats, dtype: np.dtype) -> Floats:
    """Changes [T - 1], with 0 before them: [T]."""
    return np.concatenate([[0], changes]).astype(dtype)
