"""Ways from one pose to another, and poses close by. Poses are vectors [D]; steps come first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from capsnet.analysis.population import PosePopulation

    Floats = NDArray[np.floating]

_OPPOSITE = 1e-6  # 1 + cosine below which no arc is shorter than another


def straight(start: ArrayLike, end: ArrayLike, shares: ArrayLike) -> Floats:
    """Return the poses [S, D] on the straight line at shares [S] of the way, 0…1.

    Half-way the pose is shorter than at both ends where these point different ways: the network
    would say of it that the digit is less present.
    """
    a, b = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    return a + np.asarray(shares, dtype=np.float64)[:, None] * (b - a)


def turning(start: ArrayLike, end: ArrayLike, shares: ArrayLike) -> Floats:
    """Return the poses [S, D] on the way that turns evenly, the length going evenly with it.

    Two poses of one length keep it all the way. The direction takes the shorter arc between the
    two (spherical linear interpolation). Where there is none, because a pose is 0 or the two point
    opposite ways, the way is straight.
    """
    a, b = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    t = np.asarray(shares, dtype=np.float64)[:, None]
    long_a, long_b = np.linalg.norm(a), np.linalg.norm(b)
    if long_a == 0 or long_b == 0:
        return straight(a, b, t[:, 0])
    cosine = float(np.clip(a @ b / (long_a * long_b), -1, 1))
    if 1 + cosine < _OPPOSITE:
        return straight(a, b, t[:, 0])
    angle = np.arccos(cosine)
    # sinc(x / π) = sin(x) / x: the same form holds where the angle is 0
    ways = [s * np.sinc(s * angle / np.pi) / np.sinc(angle / np.pi) for s in (1 - t, t)]
    direction = ways[0] * a / long_a + ways[1] * b / long_b
    return ((1 - t) * long_a + t * long_b) * direction


def nearby(
    population: PosePopulation,
    digit: int,
    pose: ArrayLike,
    random: np.random.Generator,
    reach: float = 0.5,
) -> Floats:
    """Return a random pose [D] near another that differs from it as real digits differ.

    It keeps √(1 - reach²) of the pose's way from the population's mean and adds chance along the
    principal axes, reach times their spread: from usual poses come usual ones, however often.

    Args:
        population: Of the class's poses.
        digit: The class.
        pose: From where, [D].
        random: The source of chance.
        reach: How far, 0…1; 0 is the pose itself, 1 forgets it.

    Raises:
        ValueError: `reach` is outside 0…1, or the class has no digits.
    """
    if not 0 <= reach <= 1:
        raise ValueError(f"reach must lie in 0…1, got {reach}")
    if not population.count[digit]:
        raise ValueError(f"the population has no digits of class {digit}")
    scores = population.scores(digit, pose)
    chance = random.standard_normal(scores.shape)
    return population.pose_at(digit, np.sqrt(1 - reach**2) * scores + reach * chance)
