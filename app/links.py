"""Strokes in a link: whole-numbered points, delta-encoded, deflated, URL-safe base64."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

GRID = 1023  # strokes are drawn on a square of 0…1023 in both directions
MAX_LINK = 4000  # characters a link may spend on the strokes
MAX_POINTS = 20_000  # more than a drawing of many minutes; a link that unpacks to more is refused

Point = Sequence[float]
Stroke = Sequence[Point]


class LinkError(ValueError):
    """A link that holds no drawing; the message is for the visitor."""


def encode(strokes: Sequence[Stroke]) -> str:
    """Strokes as link text of at most MAX_LINK characters, simplified where they must be."""
    return shorten(strokes)[0]


def shorten(strokes: Sequence[Stroke]) -> tuple[str, float]:
    """Strokes as link text of at most MAX_LINK characters, of the points that matter most.

    Returns:
        The text, and how far what it draws strays from the strokes, in units of the pad: 0 where
        every point is kept, more than GRID where whole strokes had to go.
    """
    text = _text(strokes)
    total = sum(map(len, strokes))
    if len(text) <= MAX_LINK and total <= MAX_POINTS:
        return text, 0.0
    weights = [_weights(np.array([point[:2] for point in stroke], float)) for stroke in strokes]
    weight = np.concatenate(weights)  # [N]
    rank = np.argsort(np.argsort(-weight, kind="stable"))  # [N], 0 matters most
    ranks = np.split(rank, np.cumsum([len(stroke) for stroke in strokes])[:-1])

    def kept(count: int) -> str:
        chosen = [
            [point for point, place in zip(stroke, places, strict=True) if place < count]
            for stroke, places in zip(strokes, ranks, strict=True)
        ]
        return _text([stroke for stroke in chosen if stroke])

    fits, fails = 1, min(total, MAX_POINTS + 1)
    while fails - fits > 1 + fits // 64:  # a longer search would find few more points
        middle = (fits + fails) // 2
        fits, fails = (middle, fails) if len(kept(middle)) <= MAX_LINK else (fits, middle)
    return kept(fits), float(weight[rank == fits][0])


def decode(text: str) -> list[list[list[int]]]:
    """The strokes in link text, as [[x, y], …] each; none for an empty pad.

    Raises:
        LinkError: The text is damaged or too long.
    """
    if len(text) > MAX_LINK:
        raise LinkError("The drawing in this link is too long.")
    try:
        return unpack(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, zlib.error, binascii.Error, IndexError) as error:
        raise LinkError("The drawing in this link is damaged.") from error


def pack(strokes: Sequence[Stroke]) -> bytes:
    """Strokes as bytes: per stroke its length, then the steps from point to point."""
    numbers: list[int] = []
    x = y = 0
    for stroke in strokes:
        numbers.append(len(stroke))
        for point in stroke:
            step = (round(point[0]) - x, round(point[1]) - y)
            x, y = x + step[0], y + step[1]
            numbers += [2 * d if d >= 0 else -2 * d - 1 for d in step]
    return zlib.compress(b"".join(_varint(n) for n in numbers), 9)


def unpack(data: bytes) -> list[list[list[int]]]:
    """The strokes that `pack` made bytes of.

    Raises:
        ValueError, zlib.error: The bytes are not from `pack`, or hold more than MAX_POINTS.
    """
    inflater = zlib.decompressobj()
    numbers = _numbers(inflater.decompress(data, 8 * MAX_POINTS))
    if inflater.unconsumed_tail or not inflater.eof:
        raise ValueError("too long, or cut off")
    strokes: list[list[list[int]]] = []
    x = y = 0
    for count in numbers:
        stroke = []
        for _ in range(count):
            x, y = x + _signed(next(numbers, None)), y + _signed(next(numbers, None))
            if not (0 <= x <= GRID and 0 <= y <= GRID):
                raise ValueError("a point lies outside the pad")
            stroke.append([x, y])
        strokes.append(stroke)
    if not all(strokes) or sum(map(len, strokes)) > MAX_POINTS:
        raise ValueError("an empty stroke, or too many points")
    return strokes


def _text(strokes: Sequence[Stroke]) -> str:
    """Strokes as link text, however long."""
    return base64.urlsafe_b64encode(pack(strokes)).decode().rstrip("=")


def _varint(number: int) -> bytes:
    """A whole number in groups of seven bits, low group first."""
    groups = []
    while number > 127:
        groups.append(number & 127 | 128)
        number >>= 7
    return bytes([*groups, number])


def _numbers(data: bytes) -> Iterator[int]:
    """The numbers that `_varint` wrote one after the other."""
    number = shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0
        elif shift > 28:
            raise ValueError("a number is too large")


def _signed(number: int | None) -> int:
    """The step that a zigzag number stands for."""
    if number is None:
        raise ValueError("cut off")
    return number // 2 if number % 2 == 0 else -(number + 1) // 2


def _weights(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far the line ``[N, 2]`` strays without a point and all that weigh less: ``[N]``.

    This is the tolerance up to which the Ramer–Douglas–Peucker algorithm keeps the point. The two
    ends outweigh all points between ends, and those of a long stroke those of a short one.
    """
    weights = np.zeros(len(points))
    weights[[0, -1]] = 2 * GRID + np.ptp(points, axis=0).max()
    spans = [(0, len(points) - 1)]
    while spans:
        first, last = spans.pop()
        if last - first < 2:
            continue
        away = _distances(points[first + 1 : last], points[first], points[last])
        middle = first + 1 + int(away.argmax())
        weights[middle] = min(away.max(), weights[first], weights[last])
        if weights[middle] > 0:
            spans += [(first, middle), (middle, last)]
    return weights


def _distances(
    points: NDArray[np.float64], start: NDArray[np.float64], end: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Distance ``[N]`` of points ``[N, 2]`` from the line between two points."""
    along, off = end - start, points - start
    part = np.clip(off @ along / max(float(along @ along), 1e-9), 0, 1)
    return np.hypot(*(off - part[:, None] * along).T)
