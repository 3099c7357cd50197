"""Pen strokes to the 28 × 28 image that the network was trained on.

MNIST fits each digit into a 20 × 20 box and then moves its centre of mass to the centre of a
28 × 28 field. Here the *strokes* are scaled and moved, and only then drawn, so that the ink is as
thick and as soft as MNIST's whatever the size of the drawing.

Coordinates are in pixels, x to the right and y down: pixel ``[row, column]`` is the square whose
centre is at ``x = column + 0.5, y = row + 0.5``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]

SIDE = 28
"""Width and height of the image, in pixels."""

BOX = 20.0
"""Side of the box that the ink is fitted into, in pixels."""

CENTRE = 14.5
"""Where the centre of mass goes: the middle of pixel 14, around which MNIST's 70,000 lie."""

THICKNESS = 2.5
"""Thickness of a stroke between its half-grey edges, in pixels: the mean of MNIST's."""

SOFTNESS = 1.1
"""Width of the ramp from ink to paper at the edge of a stroke, in pixels, as in MNIST."""

MAX_POINTS = 100_000
"""More points than a hand draws are refused."""

_DOT = 0.15  # share of the longest stroke's extent: a shorter stroke is a dot …
_STRAY = 0.2  # … and at a larger share of the digit's away from it the pen has slipped

_SPACING = 0.25  # of the samples along a stroke: bends the edge by less than 1 % of a grey level
_MAX_SAMPLES = 8_000  # 2,000 pixels of stroke at that spacing, which black the box out anyway
_ROUNDING = 1e-9  # an extent below this share of the coordinates themselves is rounding noise


class DrawingError(ValueError):
    """A drawing or picture holds no digit to read; the message tells the user what to do."""


@dataclass(frozen=True)
class StrokeSteps:
    """How a drawing became the image, step by step; every array is a copy.

    Attributes:
        drawn: Strokes as they were drawn, each ``[N, 2]``, empty ones left out.
        scaled: The same without dots far off the digit, in pixels, with the ink fitted into the
            20 × 20 box at the origin.
        centred: The same, moved so that the ink's centre of mass is that of the image.
        image: ``[1, 1, 28, 28]`` float32, 0 paper to 1 ink.
    """

    drawn: tuple[FloatArray, ...]
    scaled: tuple[FloatArray, ...]
    centred: tuple[FloatArray, ...]
    image: torch.Tensor


def from_strokes(strokes: Iterable[ArrayLike], *, thickness: float = THICKNESS) -> torch.Tensor:
    """Draw pen strokes as an MNIST digit.

    Args:
        strokes: One ``[N, 2]`` array or list a stroke, x right and y down, at any scale; a third
            column (pen pressure) is ignored, and so are strokes without points.
        thickness: Of the drawn stroke, in pixels of the result, 0.5 to 8.

    Returns:
        ``[1, 1, 28, 28]`` float32, 0 paper to 1 ink.

    Raises:
        DrawingError: No points, a wrong shape, numbers that are not finite, too many points.
    """
    return stroke_steps(strokes, thickness=thickness).image


def stroke_steps(strokes: Iterable[ArrayLike], *, thickness: float = THICKNESS) -> StrokeSteps:
    """Do what :func:`from_strokes` does and keep the steps; same arguments and errors."""
    if not 0.5 <= thickness <= 8:
        raise DrawingError(
            f"A stroke can be 0.5 to 8 pixels thick, not {thickness:g}. Choose one in that range."
        )
    drawn = _checked(strokes)
    scaled = _fit(_without_strays(drawn), BOX, thickness / 2)
    samples = _sample(scaled)  # [S, 2]
    shift = np.full(2, (SIDE - BOX) / 2)
    for _ in range(2):  # it is ink that weighs, not points: draw it to weigh it, where it then lies
        moved = samples + shift
        shift = shift + centring_shift(draw(moved, thickness), moved, reach(thickness))
    image = draw(samples + shift, thickness)
    centred = tuple(stroke + shift for stroke in scaled)
    return StrokeSteps(drawn, scaled, centred, as_batch(image))


def draw(points: FloatArray, thickness: float, softness: float = SOFTNESS) -> FloatArray:
    """Draw round dots of ink, which run together into strokes where they are close.

    A pixel's grey is ``clip((thickness / 2 - d) / softness + 1 / 2, 0, 1)`` for the distance d
    from its centre to the nearest point.

    Args:
        points: ``[S, 2]`` (x, y) in pixels; ink outside the image is cut off.
        thickness: Diameter of a dot at half grey, in pixels.
        softness: Width of the ramp from ink to paper, in pixels.

    Returns:
        ``[28, 28]``, 0 paper to 1 ink.
    """
    radius = reach(thickness, softness)
    # Only the few pixels around a point can hear of it: a window of `size` pixels a side.
    size = int(np.ceil(2 * radius)) + 1
    corner = np.floor(np.clip(points, -size, SIDE + size) - radius).astype(np.intp)  # [S, 2]
    pixel = corner[:, :, None] + np.arange(size)  # [S, 2, size]
    squared = (pixel + 0.5 - points[:, :, None]) ** 2
    squared = squared[:, 1, :, None] + squared[:, 0, None, :]  # [S, size, size]
    margin = 3 * size  # so that windows that hang over the edge still have somewhere to write
    width = SIDE + 2 * margin
    index = (pixel[:, 1, :, None] + margin) * width + pixel[:, 0, None, :] + margin
    nearest = np.full(width * width, radius**2)
    np.minimum.at(nearest, index.ravel(), squared.ravel())
    inside = nearest.reshape(width, width)[margin:-margin, margin:-margin]
    return np.clip((radius - np.sqrt(inside)) / softness, 0, 1)


def reach(thickness: float, softness: float = SOFTNESS) -> float:
    """Distance from the middle of a stroke to where its ink ends, in pixels."""
    return (thickness + softness) / 2


def centre_of_mass(ink: NDArray[Any]) -> FloatArray:
    """Centre of mass ``(x, y)`` in pixels of ``[H, W]`` ink that is not all 0."""
    ink = np.asarray(ink, dtype=np.float64)
    x = ink.sum(axis=0) @ (np.arange(ink.shape[1]) + 0.5)
    y = ink.sum(axis=1) @ (np.arange(ink.shape[0]) + 0.5)
    return np.array([x, y]) / ink.sum()


def centring_shift(ink: NDArray[Any], points: FloatArray, margin: float) -> FloatArray:
    """Shift ``(x, y)`` that brings the centre of mass of ``[H, W]`` ink to the image's.

    It stops short where the outermost of the ``[S, 2]`` points, ``margin`` of ink around it, would
    leave the image.
    """
    lowest = margin - points.min(axis=0)
    highest = SIDE - margin - points.max(axis=0)
    return np.clip(CENTRE - centre_of_mass(ink), lowest, highest)


def as_batch(image: NDArray[Any]) -> torch.Tensor:
    """``[28, 28]`` array to a batch of one: ``[1, 1, 28, 28]`` float32."""
    return torch.from_numpy(np.asarray(image, dtype=np.float32).reshape(1, 1, SIDE, SIDE))


def _checked(strokes: Iterable[ArrayLike]) -> tuple[FloatArray, ...]:
    """Copy strokes as ``[N, 2]`` float64 arrays, or say in words what is wrong with them."""
    wrong_shape = DrawingError(
        "Each stroke must be a list of (x, y) points, one row a point. Check how it was recorded."
    )
    try:
        arrays = [np.array(stroke) for stroke in strokes]
    except (TypeError, ValueError) as error:
        raise wrong_shape from error
    arrays = [array for array in arrays if array.size]
    for array in arrays:
        if array.ndim != 2 or array.shape[1] not in (2, 3) or array.dtype.kind not in "iuf":
            raise wrong_shape
    checked = tuple(array[:, :2].astype(np.float64) for array in arrays)
    if not checked:
        raise DrawingError("There is nothing drawn yet. Draw a digit, or choose a sample.")
    if sum(map(len, checked)) > MAX_POINTS:
        raise DrawingError(
            f"The drawing has more than {MAX_POINTS:,} points. Clear the pad and draw one digit."
        )
    if not all(np.isfinite(points).all() for points in checked):
        raise DrawingError(
            "The drawing has points that are not finite numbers. Clear the pad and draw it again."
        )
    return checked


def _without_strays(strokes: Sequence[FloatArray]) -> Sequence[FloatArray]:
    """Leave out dots far off the digit: a tap by accident must not make the digit small."""
    size = max(float(np.abs(stroke).max()) for stroke in strokes) or 1.0
    boxes = np.array([(s.min(axis=0) / size, s.max(axis=0) / size) for s in strokes])  # [N, 2, 2]
    extents = np.ptp(boxes, axis=1).max(axis=1)
    dots = extents < _DOT * extents.max()
    low, high = boxes[~dots, 0].min(axis=0), boxes[~dots, 1].max(axis=0)
    gaps = np.maximum(low - boxes[:, 1], boxes[:, 0] - high).max(axis=1)
    stray = dots & (gaps > _STRAY * (high - low).max())
    return [stroke for stroke, is_stray in zip(strokes, stray, strict=True) if not is_stray]


def _fit(strokes: Sequence[FloatArray], box: float, margin: float) -> tuple[FloatArray, ...]:
    """Scale strokes, aspect ratio kept, so that they and a margin around them fill the box.

    The longer side fills it, the shorter lies in its middle; a dot lies in the middle unscaled.
    """
    # Dividing first keeps the extent of the largest numbers that floats hold finite.
    size = max(float(np.abs(stroke).max()) for stroke in strokes) or 1.0
    unit = [stroke / size for stroke in strokes]
    low = np.min([stroke.min(axis=0) for stroke in unit], axis=0)
    high = np.max([stroke.max(axis=0) for stroke in unit], axis=0)
    extent = float((high - low).max())
    scale = (box - 2 * margin) / extent if extent > _ROUNDING else 0.0
    middle = low + (high - low) / 2
    return tuple((stroke - middle) * scale + box / 2 for stroke in unit)


def _sample(strokes: Sequence[FloatArray]) -> FloatArray:
    """Points ``[S, 2]`` evenly along the strokes: few however many the pen recorded."""
    lengths = [
        np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(stroke, axis=0).T))])
        for stroke in strokes
    ]
    spacing = max(_SPACING, sum(length[-1] for length in lengths) / _MAX_SAMPLES)
    samples = []
    for stroke, length in zip(strokes, lengths, strict=True):
        along = np.linspace(0, length[-1], int(np.ceil(length[-1] / spacing)) + 1)
        samples.append(np.stack([np.interp(along, length, axis) for axis in stroke.T], axis=1))
    return np.concatenate(samples)
