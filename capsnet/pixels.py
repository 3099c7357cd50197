"""What :mod:`capsnet.preprocess` does to fields of pixels, beyond what numpy and Pillow offer."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from capsnet.drawing import FloatArray


def running(array: FloatArray, size: int, combine: np.ufunc) -> FloatArray:
    """Combine the ``size × size`` (odd) pixels around each of ``[H, W]``; the border goes on."""
    for _ in range(2):
        padded = np.pad(array, ((size // 2, size // 2), (0, 0)), mode="edge")
        array = padded[: len(array)].copy()
        for start in range(1, size):
            combine(array, padded[start : start + len(array)], out=array)
        array = array.T
    return array


def at_most(array: FloatArray, side: int) -> FloatArray:
    """``[H, W]`` brought down so that its longer side is ``side`` pixels, if it is more."""
    shrink = min(1.0, side / max(array.shape))
    height, width = array.shape
    return resize(array, (max(3, round(height * shrink)), max(3, round(width * shrink))))


def resize(array: FloatArray, shape: tuple[int, int]) -> FloatArray:
    """``[H, W]`` to another shape, averaging where it shrinks and interpolating where it grows."""
    picture = Image.fromarray(array.astype(np.float32))
    return np.asarray(picture.resize(shape[::-1], Image.Resampling.BILINEAR), dtype=np.float64)


def box(mask: NDArray[np.bool_]) -> tuple[int, int, int, int]:
    """Rows ``top:bottom`` and columns ``left:right`` that hold all of a ``[H, W]`` mask."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1


def pieces(mask: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Connected pieces (diagonals count) of a ``[H, W]`` mask, as its horizontal runs.

    Returns:
        Start and end (exclusive) of each run in the mask flattened with a column of 0 on both
        sides, so ``row * (W + 2) + column + 1``, and the number of the piece that it belongs to.
    """
    width = mask.shape[1] + 2
    flat = np.pad(mask, ((0, 0), (1, 1))).ravel().astype(np.int8)
    change = np.diff(flat, prepend=0, append=0)
    starts, ends = np.flatnonzero(change == 1), np.flatnonzero(change == -1)
    # The runs of the next row that touch run i are first[i] … last[i]-1.
    first = np.searchsorted(ends, starts + width, side="left")
    last = np.maximum(np.searchsorted(starts, ends + width, side="right"), first)
    upper = np.repeat(np.arange(len(starts)), last - first)
    lower = np.arange(len(upper)) - np.repeat(np.cumsum(last - first) - last, last - first)
    piece = np.arange(len(starts))
    while True:  # each takes the smallest number among its neighbours, and that one's number
        before = piece.copy()
        np.minimum.at(piece, upper, piece[lower])
        np.minimum.at(piece, lower, piece[upper])
        piece = piece[piece]
        if np.array_equal(piece, before):
            return starts, ends, np.unique(piece, return_inverse=True)[1]
