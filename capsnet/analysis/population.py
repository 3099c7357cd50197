"""Where the poses of real digits lie, so that a pose can be called usual or off.

For each class, over the images of a test set that are of it **and are read as it**: that is what
its capsule says where it stands for a digit. The pose of a misread image is the short one of a
capsule that lost; the few of them (0.4 % of MNIST's test set) would make the outermost percentiles
and the smallest principal axes, which are what a warning hangs on.

Indices as in the paper: j is a digit capsule, d one of the D dimensions of its pose; N images.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.floating]
    Counts = NDArray[np.integer]

LEVELS = np.concatenate([[0, 0.1, 0.5, 1], np.arange(2.5, 98, 2.5), [99, 99.5, 99.9, 100]])
"""The percentiles that are kept, [Q = 47]: every 2.5, and finer at both ends."""

TAIL = 0.5
"""A dimension is off where it lies among this many percent of the digits at either end."""

FAR = 99.0
"""A pose is off where it lies farther out than this many percent of the digits."""

_FLAT = 1e-3  # a principal axis counts as at least this part of the widest one


@dataclass(frozen=True)
class PosePopulation:
    """The poses of J classes of digits. A class without a digit has 0 in `count` and NaN elsewhere.

    Attributes:
        count: Images of class j that are read as j: those that everything below is of, [J].
        misread: Images of class j that are read as something else, [J].
        quantiles: v_jd at the percentiles LEVELS, linear between the images, [J, D, Q].
        mean: Mean of v_jd, [J, D].
        deviation: Standard deviation of v_jd (divided by `count`), [J, D].
        length_quantiles: ‖v_j‖ at the percentiles LEVELS, [J, Q].
        length_mean: Mean of ‖v_j‖, [J].
        length_deviation: Standard deviation of ‖v_j‖, [J].
        axes: Principal axes of v_j about its mean, unit vectors, the widest first, [J, axis, D].
            Of each the component largest in size is positive.
        spreads: Standard deviation along each axis, [J, axis].
        score_quantiles: `scores` of the digits at the percentiles LEVELS, [J, axis, Q].
        distance_quantiles: `distance` of the digits at the percentiles LEVELS, [J, Q].
    """

    count: Counts
    misread: Counts
    quantiles: Floats
    mean: Floats
    deviation: Floats
    length_quantiles: Floats
    length_mean: Floats
    length_deviation: Floats
    axes: Floats
    spreads: Floats
    score_quantiles: Floats
    distance_quantiles: Floats

    @property
    def explained(self) -> Floats:
        """Each principal axis's share of the variance, [J, axis]; a row adds up to 1, or is NaN."""
        variance = np.square(self.spreads.astype(np.float64))
        total = variance.sum(axis=1, keepdims=True)
        return np.divide(variance, total, out=np.full_like(variance, np.nan), where=total > 0)

    def scores(self, digit: int, pose: ArrayLike) -> Floats:
        """Return where poses [..., D] lie on the principal axes, in standard deviations, [..., D].

        An axis narrower than a thousandth of the widest counts as that wide.
        """
        away = np.asarray(pose, dtype=np.float64) - self.mean[digit]
        return away @ self.axes[digit].T.astype(np.float64) / _widths(self.spreads[digit])

    def pose_at(self, digit: int, scores: ArrayLike) -> Floats:
        """Return the poses [..., D] with these `scores` [..., D]."""
        along = np.asarray(scores, dtype=np.float64) * _widths(self.spreads[digit])
        return self.mean[digit] + along @ self.axes[digit]

    def distance(self, digit: int, pose: ArrayLike) -> Floats:
        """Return Mahalanobis' distance of poses [..., D] from the population's mean, [...].

        The length of the `scores`: about √D for a usual digit, whichever way it differs.
        """
        return np.linalg.norm(self.scores(digit, pose), axis=-1)


@dataclass(frozen=True)
class Standing:
    """Where one pose stands among the digits of its class.

    Attributes:
        percentiles: Percent of the digits with less in this dimension, [D], 0…100; NaN for a class
            without digits.
        off: Whether the dimension is among the outermost TAIL percent at either end, [D].
        length_percentile: Percent of the digits with a shorter pose.
        distance: `PosePopulation.distance`.
        distance_percentile: Percent of the digits that lie nearer to the mean.
        far: Whether the pose lies farther out than FAR percent of the digits. It can with no
            dimension off: each is usual, but not together.
    """

    percentiles: Floats
    off: NDArray[np.bool_]
    length_percentile: float
    distance: float
    distance_percentile: float
    far: bool


def pose_population(poses: ArrayLike, labels: ArrayLike) -> PosePopulation:
    """Describe the poses of every class.

    Args:
        poses: v, [N, J, D]; an image is read as the longest.
        labels: Classes of the images, whole numbers [N], 0…J - 1.

    Raises:
        ValueError: The shapes do not fit together, or a label names no capsule.
    """
    v, label = np.asarray(poses, dtype=np.float64), np.asarray(labels)
    if v.ndim != 3 or label.shape != v.shape[:1]:
        raise ValueError(f"poses {list(v.shape)} and labels {list(label.shape)} do not fit")
    if len(label) and not 0 <= label.min() <= label.max() < v.shape[1]:
        raise ValueError(f"labels must lie in 0…{v.shape[1] - 1}")
    read = np.linalg.norm(v, axis=-1).argmax(axis=1) if len(v) else label
    parts = [_class(v[(label == j) & (read == j), j]) for j in range(v.shape[1])]
    found = {name: np.stack([part[name] for part in parts]) for name in parts[0]}
    misread = np.bincount(label[read != label], minlength=v.shape[1])
    return PosePopulation(misread=misread, **found)


def standing(population: PosePopulation, digit: int, pose: ArrayLike) -> Standing:
    """Return where one pose [D] of a digit capsule stands among the digits of its class."""
    v = np.asarray(pose, dtype=np.float64)
    percentiles = np.array(
        [percentile(row, x) for row, x in zip(population.quantiles[digit], v, strict=True)]
    )
    distance = float(population.distance(digit, v))
    nearer = float(percentile(population.distance_quantiles[digit], distance))
    shorter = float(percentile(population.length_quantiles[digit], np.linalg.norm(v)))
    off = (percentiles < TAIL) | (percentiles > 100 - TAIL)
    return Standing(percentiles, off, shorter, distance, nearer, nearer > FAR)


def percentile(quantiles: ArrayLike, values: ArrayLike) -> Floats:
    """Return how many percent of a population lie below values [...], linear between LEVELS.

    Args:
        quantiles: Of one quantity, [Q], at the percentiles LEVELS. NaN gives NaN.
        values: Any shape; below the least it is 0, above the largest 100. A value that many share
            stands in their middle.
    """
    known, x = np.asarray(quantiles), np.asarray(values)
    if np.isnan(known).any():
        return np.full(x.shape, np.nan)
    above = np.interp(-x, -known[::-1], 100 - LEVELS[::-1])
    return (np.interp(x, known, LEVELS) + 100 - above) / 2


def shares(quantiles: ArrayLike, edges: ArrayLike) -> Floats:
    """Return which share of a population lies in each bin, for a picture of its density.

    Args:
        quantiles: Of one quantity, [Q], at the percentiles LEVELS.
        edges: Of the bins, rising, [B + 1].

    Returns:
        [B], 0…1; less than 1 together where the bins do not reach over all of it.
    """
    return np.diff(percentile(quantiles, edges)) / 100


def _class(v: Floats) -> dict[str, Floats | int]:
    """What `PosePopulation` says of one class with poses [n, D]."""
    if not len(v):
        like = _class(np.zeros((1, v.shape[1])))
        return {name: np.full(np.shape(value), np.nan) for name, value in like.items()} | {
            "count": 0
        }
    length = np.linalg.norm(v, axis=1)
    away = v - v.mean(axis=0)
    variance, columns = np.linalg.eigh(away.T @ away / len(v))
    axes = columns.T[::-1]
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, None], axis=1)
    axes = axes * np.where(largest < 0, -1, 1)
    spreads = np.sqrt(np.maximum(variance[::-1], 0))
    scores = away @ axes.T / _widths(spreads)
    return {
        "count": len(v),
        "quantiles": np.percentile(v, LEVELS, axis=0).T,
        "mean": v.mean(axis=0),
        "deviation": v.std(axis=0),
        "length_quantiles": np.percentile(length, LEVELS),
        "length_mean": length.mean(),
        "length_deviation": length.std(),
        "axes": axes,
        "spreads": spreads,
        "score_quantiles": np.percentile(scores, LEVELS, axis=0).T,
        "distance_quantiles": np.percentile(np.linalg.norm(scores, axis=1), LEVELS),
    }


def _widths(spreads: Floats) -> Floats:
    """What one standard deviation along each axis counts as, [D]; never 0."""
    widest = spreads.max(initial=0)
    return np.maximum(spreads, _FLAT * widest) if widest != 0 else np.ones_like(spreads)
