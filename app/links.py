"""Strokes in a link: whole-numbered points, delta-encoded, deflated, URL-safe base64."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterator, Sequence

GRID = 1023  # strokes are drawn on a square of 0…1023 in both directions
MAX_LINK = 4000  # characters a link may spend on the strokes
MAX_POINTS = 20_000  # more than a drawing of many minutes; a link that unpacks to more is refused

Point = Sequence[float]
Stroke = Sequence[Point]


class LinkError(ValueError):
    """A link that holds no drawing; the message is for the visitor."""


def encode(strokes: Sequence[Stroke]) -> str:
    """Strokes as link text; thinned, where needed, until they fit into MAX_LINK characters."""
    for tolerance in (0, 2, 4, 8, 16, 32, 64):
        text = base64.urlsafe_b64encode(pack([_thin(s, tolerance) for s in strokes])).decode()
        if len(text) <= MAX_LINK:
            return text.rstrip("=")
    return ""


def decode(text: str) -> list[list[list[int]]]:
    """The strokes in link text, as [[x, y], …] each.

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
        ValueError, zlib.error: The bytes are not from `pack`.
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
    if not strokes or not all(strokes):
        raise ValueError("no stroke, or an empty one")
    return strokes


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


def _thin(stroke: Stroke, tolerance: float) -> Stroke:
    """The stroke without the points that lie within `tolerance` of the last one kept."""
    if not tolerance:
        return stroke
    kept = [stroke[0]]
    for point in stroke[1:]:
        if abs(point[0] - kept[-1][0]) + abs(point[1] - kept[-1][1]) > tolerance:
            kept.append(point)
    return kept if kept[-1] is stroke[-1] else [*kept, stroke[-1]]
