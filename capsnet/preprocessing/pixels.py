"""What the steps from a picture to the image do to fields of pixels, beyond what scipy offers."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from capsnet.preprocessing.picture import Field

Mask = NDArray[np.bool_]

EIGHT = np.ones((3, 3), dtype=bool)
"""Neighbours of a pixel, the diagonal ones too."""


def at_most(field: Field, side: int) -> Field:
    """``[H, W]`` brought down so that its longer side is ``side`` pixels, if it is more."""
    shrink = min(1.0, side / max(field.shape))
    height, width = field.shape
    return resize(field, (max(3, round(height * shrink)), max(3, round(width * shrink))))


def resize(field: Field, shape: tuple[int, ...]) -> Field:
    """``[H, W]`` to another shape, averaging where it shrinks and interpolating where it grows."""
    if field.shape == shape:
        return field
    picture = Image.fromarray(field.astype(np.float32, copy=False))
    return np.asarray(picture.resize((shape[1], shape[0]), Image.Resampling.BILINEAR))


def box(mask: Mask) -> tuple[int, int, int, int]:
    """Rows ``top:bottom`` and columns ``left:right`` that hold all of a ``[H, W]`` mask."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1


def thickness(mask: Mask) -> float:
    """Mean thickness of ``[H, W]`` strokes, in pixels: twice their area over their outline."""
    soft = ndimage.uniform_filter(np.pad(mask, 2).astype(np.float32), 3)
    down, across = np.gradient(soft)
    return float(2 * mask.sum() / max(np.hypot(down, across).sum(), 1e-9))


def heights(mask: Mask) -> NDArray[np.intp]:
    """Length of the vertical run through each pixel of a ``[H, W]`` mask, 0 outside it."""
    columns = np.pad(mask.T, ((0, 0), (1, 1)))  # [W, H + 2]: no run reaches into the next column
    change = np.diff(columns.ravel().astype(np.int8))
    starts, ends = np.flatnonzero(change == 1) + 1, np.flatnonzero(change == -1) + 1
    runs = np.zeros(columns.size, dtype=np.intp)
    runs[columns.ravel()] = np.repeat(ends - starts, ends - starts)
    return runs.reshape(columns.shape)[:, 1:-1].T
