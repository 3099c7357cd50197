"""What a dimension of a pose does to the picture, measured over many digits.

The sweep is that of the paper's section 5.1 and figure 4: one dimension moved from −0.25 to 0.25 in
steps of 0.05, the others held, and decoded. What is measured in each picture stands in
`capsnet.analysis.strokes`.

The paper finds that "one dimension (out of 16) of the capsule almost always represents the width",
that some dimensions "represent combinations of global variations" and others vary "a localized part
of the digit". Nothing in the loss asks for one property per dimension: Locatello et al. (arXiv
1811.12359) prove that without such a bias no training can promise it, and Tawalbeh and Oramas
(arXiv 2305.05349) find capsule networks, on MNIST too, not as disentangled as is commonly stated.
So a dimension gets a name here only where `single_effect` finds one; most changes are mixed.

±0.25 is far: one standard deviation of a dimension over the test digits is about 0.06. What comes
at the ends of a sweep, a stroke that fades or a 2 that turns into an 8, no real digit shows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from capsnet.analysis.strokes import PROPERTIES, Property, measure

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.floating]
    Counts = NDArray[np.integer]

    Decode = Callable[[Floats, int], ArrayLike]
    """Poses [B, D] of one digit capsule, and which -> pictures [B, H, W], values in 0…1."""

STEPS = np.arange(-5, 6) * 0.05
"""What is added to a dimension, [T = 11]."""

PER = 0.1
"""Slopes are told per this much of a dimension."""

STRONG = 1.0
"""An effect has a name from this strength on: the sweep changes a usual difference's worth."""

SAME = 0.9
"""And if at least this share of the digits change the same way."""

AHEAD = 1.5
"""And if it is this many times as strong as any other that is not of its kin."""

EXPLAINED = 0.095
"""And if a pixel changes by no more than this, as a root mean square, for each usual difference.

Usual is a third of it (thickness) to half (slant, width). Above lies what none of the properties
measures: a 5 whose upper stroke grows while its lines turn a little thinner, or a 3 that turns
about its middle, so that its ink sinks by a pixel.
"""

_AT_LEAST = 6  # pictures with ink, of T, for a slope


@dataclass(frozen=True)
class Effects:
    """What moving along each of K directions does, over M digits of each of J classes.

    A slope is the least-squares line through one digit's T measurements, per PER; the digits with
    ink in fewer than 6 of the T pictures have none and are left out. P properties, as PROPERTIES.

    Attributes:
        count: Digits of each class, M, [J].
        slope: Mean slope over the digits, in each property's unit, [J, K, P].
        spread: Standard deviation of the slope over the digits, [J, K, P].
        same: Share of the digits whose slope has the sign of the mean, [J, K, P]. No change at all
            (a count that stays) is of neither sign.
        change: Mean square by which a pixel changes, over the digits, the pixels and the T - 1
            steps away from 0, [J, K].
        empty: Pictures of the sweep without ink, of M · T, [J, K].
    """

    count: Counts
    slope: Floats
    spread: Floats
    same: Floats
    change: Floats
    empty: Counts

    @property
    def strength(self) -> Floats:
        """How far the whole sweep moves each property, in its `scale`, signed, [J, K, P]."""
        scales = np.array([one.scale for one in PROPERTIES])
        return self.slope * ((STEPS[-1] - STEPS[0]) / PER) / scales

    def by_change(self, digit: int) -> Counts:
        """Return the directions of a digit, those that change the picture most first, [K]."""
        return np.argsort(-self.change[digit], kind="stable")


@dataclass(frozen=True)
class SingleEffect:
    """The one property that a direction changes.

    Attributes:
        property: Which.
        slope: By how much per PER, in its unit, mean over the digits.
        spread: Standard deviation of the slope over the digits.
        same: Share of the digits that change the same way, 0…1.
    """

    property: Property
    slope: float
    spread: float
    same: float

    def words(self, per: str = f"{PER}") -> str:
        """Return the effect as text: `thicker, 0.8 px per 0.1`.

        Args:
            per: What one step along the direction is called.
        """
        one = self.property
        size = f"{abs(self.slope):.2g}" + ("" if one.unit == "°" else " ") + one.unit
        return f"{one.more if self.slope > 0 else one.less}, {size.strip()} per {per}"


def single_effect(effects: Effects, digit: int, direction: int) -> SingleEffect | None:
    """Return what a direction does if it is one thing, else None: "no single property".

    The strongest effect counts if the whole sweep changes the property by at least STRONG of its
    scale, in the same direction for a share SAME of the digits, and if it is AHEAD times as strong
    as the strongest on any other property. Kin do not compete, for one cannot change without the
    other: a thicker stroke is more ink, a loop that closes is one hole more and an end less.
    Ink has no name of its own: it says nothing about shape. And what is seen must be the effect:
    a pixel may change by no more than EXPLAINED for each of the usual differences.
    """
    strength = np.abs(np.nan_to_num(effects.strength[digit, direction]))
    strongest = max(
        (k for k, one in enumerate(PROPERTIES) if one.name != "ink"), key=lambda k: strength[k]
    )
    one = PROPERTIES[strongest]
    others = [
        strength[k]
        for k, other in enumerate(PROPERTIES)
        if k != strongest and other.name not in (*one.kin, "ink")
    ]
    same = float(effects.same[digit, direction, strongest])
    if strength[strongest] < max(STRONG, AHEAD * max(others)) or not same >= SAME:
        return None
    if np.sqrt(effects.change[digit, direction]) > EXPLAINED * strength[strongest]:
        return None
    slope, spread = (a[digit, direction, strongest] for a in (effects.slope, effects.spread))
    return SingleEffect(one, float(slope), float(spread), same)


def measure_effects(
    decode: Decode, poses: Sequence[ArrayLike], directions: ArrayLike | None = None
) -> Effects:
    """Sweep every direction of every digit capsule.

    Args:
        decode: The decoder.
        poses: For each class, poses of its capsule, [M, D]; M may differ, and be 0.
        directions: Vectors to move along, [J, K, D], the steps being multiples of them; by default
            the dimensions themselves.

    Raises:
        ValueError: There are no classes.
    """
    if not len(poses):
        raise ValueError("there is no capsule to move")
    parts = []
    for digit, given in enumerate(poses):
        v = np.asarray(given, dtype=np.float64)
        along = np.eye(v.shape[1]) if directions is None else np.asarray(directions)[digit]
        parts.append(_class(decode, v, digit, along))
    return Effects(**{name: np.stack([part[name] for part in parts]) for name in parts[0]})


def _class(decode: Decode, v: Floats, digit: int, directions: Floats) -> dict[str, Floats | int]:
    """What `Effects` says of one class with poses [M, D]."""
    count, kinds = len(v), len(PROPERTIES)
    if not count:
        unknown = np.full((len(directions), kinds), np.nan)
        return {
            "count": 0,
            **dict.fromkeys(("slope", "spread", "same"), unknown),
            "change": unknown[:, 0],
            "empty": np.zeros(len(directions), dtype=int),
        }
    unmoved = np.asarray(decode(v, digit))
    here = measure(unmoved)  # [M, P]
    rows = [_direction(decode, v, digit, direction, unmoved, here) for direction in directions]
    return {"count": count} | {name: np.stack([row[name] for row in rows]) for name in rows[0]}


def _direction(
    decode: Decode, v: Floats, digit: int, direction: Floats, unmoved: Floats, here: Floats
) -> dict[str, Floats]:
    """What moving poses [M, D] along one direction does."""
    away = STEPS[STEPS != 0]
    images = np.stack([np.asarray(decode(v + step * direction, digit)) for step in away])
    found = measure(images.reshape(-1, *images.shape[2:])).reshape(len(away), *here.shape)
    measured = np.insert(found, np.searchsorted(away, 0), here, axis=0)  # [T, M, P]
    change = np.square(images - unmoved).mean(dtype=np.float64)
    slopes = _slopes(measured) * PER  # [M, P]
    mean = _over_digits(np.nanmean, slopes)
    known = np.isfinite(slopes).sum(axis=0)
    alike = (np.sign(slopes) == np.sign(mean)) & (slopes != 0)
    return {
        "slope": mean,
        "spread": _over_digits(np.nanstd, slopes),
        "same": np.divide(
            alike.sum(axis=0), known, out=np.full(len(mean), np.nan), where=known > 0
        ),
        "change": change,
        "empty": np.isnan(measured[..., 0]).sum(),
    }


def _slopes(measured: Floats) -> Floats:
    """Least-squares slopes [M, P] of measurements [T, M, P] over STEPS, NaN left out."""
    known = np.isfinite(measured)
    count = known.sum(axis=0)
    steps = np.where(known, STEPS[:, None, None], 0)
    values = np.where(known, measured, 0)
    enough = count >= _AT_LEAST
    n = np.where(enough, count, 1)
    across = steps - known * (steps.sum(axis=0) / n)
    spread = np.square(across).sum(axis=0)
    slope = (across * values).sum(axis=0) / np.where(enough, spread, 1)
    return np.where(enough, slope, np.nan)


def _over_digits(function: Callable[..., Floats], values: Floats) -> Floats:
    """nanmean or nanstd over the digits of values [M, P]; NaN, without a warning, for none."""
    known = np.isfinite(values).any(axis=0)
    found = np.full(values.shape[1], np.nan)
    found[known] = function(values[:, known], axis=0)
    return found
