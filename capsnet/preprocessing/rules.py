"""Ruled lines and frames taken out of the ink, and the digit that they cross left whole."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from capsnet.preprocessing.pixels import EIGHT, Mask, heights, thickness

_RULE = 0.6  # share of the picture's width: lines that are longer may be ruled
_WIDEST_RULE = 0.04  # share of the picture's height
_SHORTEST = 8  # pixels that a line runs on level, at least
_STEEPEST = 12  # degrees that ruled lines may be off level or upright
_POINTS = 4000  # of the ink tell how steep its lines are
_THIN = 0.65  # of the width of the digit's strokes: lines that are thinner are ruled
_ACROSS = 0.9  # share of the picture's width: lines that are longer run from edge to edge
_SMALLEST = 0.06  # of the picture's longer side: what is left must hold a digit

_Pixel = TypeVar("_Pixel", bound=np.generic)
_Part = tuple[int, slice, slice]


@dataclass(frozen=True)
class _Line:
    """A straight line: its width in pixels, and its length as a share of the picture's side."""

    width: float
    share: float


def without_rules(mask: Mask) -> Mask:
    """``[H, W]`` ink without ruled lines and frames, which are straight, long and thin."""
    by_row, rows = _nearly_level_lines(mask)
    by_column, columns = _nearly_level_lines(mask.T)
    lines = rows + columns
    if not lines:
        return mask
    pieces, found = ndimage.label(mask & (by_row == 0) & (by_column.T == 0), EIGHT)
    if not found:
        return mask
    largest = int(np.bincount(pieces.ravel())[1:].argmax()) + 1
    where = ndimage.find_objects(pieces, largest)[largest - 1]
    digit = pieces[where] == largest
    if max(digit.shape) < max(8, _SMALLEST * max(mask.shape)):
        return mask
    # A long stroke of the digit itself is as wide as the rest of it, and ends with it.
    widest = _THIN * thickness(digit)
    thin = np.median([line.width for line in lines]) < widest
    across = all(line.share > _ACROSS for line in lines)
    clear = all(
        min(where[axis].start, mask.shape[axis] - where[axis].stop) > 0.2 * mask.shape[axis]
        for axis, some in ((1, rows), (0, columns))
        if some
    )
    if not (thin or (across and (len(lines) >= 3 or clear))):
        return mask

    def ruled(numbers: NDArray[np.uint16], lines: list[_Line]) -> Mask:
        """Whose ink it is: that of no line, or of one like the others or as thin."""
        taken = [line.share > _ACROSS or line.width < widest for line in lines]
        return np.array([False, *taken])[numbers]

    return mask & ~ruled(by_row, rows) & ~ruled(by_column, columns).T


def _nearly_level_lines(mask: Mask) -> tuple[NDArray[np.uint16], list[_Line]]:
    """Straight lines across most of ``[H, W]`` ink.

    Returns:
        ``[H, W]``, from 1 on the number of the line whose ink it is, without what crosses it, else
        0; and each line.
    """
    height, width = mask.shape
    numbers = np.zeros(mask.shape, dtype=np.uint16)
    lines: list[_Line] = []
    thin = mask & (heights(mask) <= _WIDEST_RULE * height + 2)
    if thin.any(axis=0).sum() < 0.4 * _RULE * width:
        return numbers, lines
    drop = np.rint(_slope(thin) * np.arange(width)).astype(np.intp)
    thin = _sheared(thin, -drop)
    thick = ndimage.grey_dilation(thin.astype(np.uint8), size=(3, 1)) > 0
    run_across, run_down = heights(thick.T).transpose(), heights(thin)
    level = thin & (run_across >= max(_SHORTEST, 0.1 * width))
    joined = ndimage.grey_dilation(level.astype(np.uint8), size=(1, 2 * (width // 100) + 3))
    pieces, _ = ndimage.label(joined, EIGHT)
    parts = [  # of lines, which broad strokes may cut: number, rows and columns
        (number, rows, columns)
        for number, (rows, columns) in enumerate(ndimage.find_objects(pieces), start=1)
        if rows.stop - rows.start < 0.05 * (columns.stop - columns.start) + 6
    ]
    for beside in _on_one_level(parts, 4 + 0.03 * height):
        start, stop = min(p[2].start for p in beside), max(p[2].stop for p in beside)
        length = sum(p[2].stop - p[2].start for p in beside)
        if stop - start < _RULE * width or length < 0.4 * (stop - start):
            continue
        rows = slice(min(p[1].start for p in beside), max(p[1].stop for p in beside))
        line = level[rows] & np.isin(pieces[rows], [p[0] for p in beside])
        ink, line_width = _along(line, thin[rows], run_down[rows])
        lines.append(_Line(line_width, (stop - start) / width))
        numbers[rows][ink] = len(lines)
    return _sheared(numbers, drop), lines


def _on_one_level(parts: list[_Part], reach: float) -> list[list[_Part]]:
    """Parts of lines put together whose middles lie within reach of the topmost one's."""
    levels: list[list[_Part]] = []
    for part in sorted(parts, key=lambda part: part[1].start + part[1].stop):
        middle = part[1].start + part[1].stop
        if levels and middle - (levels[-1][0][1].start + levels[-1][0][1].stop) <= reach:
            levels[-1].append(part)
        else:
            levels.append([part])
    return levels


def _along(line: Mask, thin: Mask, run: NDArray[np.intp]) -> tuple[Mask, float]:
    """All of a line's ink, known in part, and its width; short pieces between strokes count too.

    Args:
        line: ``[h, W]``, what is known of it.
        thin: ``[h, W]`` ink that may belong to it.
        run: ``[h, W]``, how far down the ink goes at a pixel.
    """
    known = np.flatnonzero(line.any(axis=0))
    longest = run.max() + 1
    width = float(np.median(np.where(line, run, longest).min(axis=0)[known]))
    row = np.arange(len(line))[:, None]
    centre = (row * line).sum(axis=0)[known] / line.sum(axis=0)[known]
    off = np.abs(row - np.interp(np.arange(line.shape[1]), known, centre))
    return thin & (off <= width / 2 + 2) & (run <= 1.7 * width + 1), width


def _slope(mask: Mask) -> float:
    """How steeply the lines of ``[H, W]`` ink fall, in pixels down a pixel across."""
    y, x = np.nonzero(mask)
    step = -(-len(y) // _POINTS)
    y, x = y[::step], x[::step]
    slopes = np.tan(np.deg2rad(np.arange(-_STEEPEST, _STEEPEST + 1)))
    height, width = mask.shape

    def crowded(slope: float) -> float:
        rows = np.rint(y - slope * x).astype(np.intp) + width
        return float((np.bincount(rows, minlength=height + 2 * width) ** 2.0).sum())

    # Ever so little in favour of level ones: where there are no lines, nothing is to be turned.
    return float(max(slopes, key=lambda slope: crowded(slope) * (1 - 0.01 * abs(slope))))


def _sheared(field: NDArray[_Pixel], drop: NDArray[np.intp]) -> NDArray[_Pixel]:
    """``[H, W]`` with each column ``drop`` pixels lower, around and back in at the top."""
    if not drop.any():
        return field
    rows = (np.arange(field.shape[0])[:, None] - drop) % field.shape[0]
    return np.take_along_axis(field, rows, axis=0)
