"""Ink of any size and thickness to the 28 × 28 image, as MNIST's digits lie and look."""

import numpy as np
from PIL import Image
from scipy import ndimage
from skimage.morphology import skeletonize

from capsnet.preprocessing.drawing import BOX, SIDE, THICKNESS, FloatArray, centring_shift, draw
from capsnet.preprocessing.picture import Field
from capsnet.preprocessing.pixels import Mask, box, resize, thickness

THICKEST = 3.4
"""Thickness of a stroke in the image, in pixels, above which it is thinned to about this."""

_FINE_SIDE = 160  # pixels of the ink's longer side when lines are drawn afresh
_SOFT = 2  # pixels of soft edge around what is more ink than paper


def fit(ink: Field) -> FloatArray:
    """Fit ink ``[H, W]`` into the 20 × 20 box of a 28 × 28 image and centre it there.

    Lines thinner than MNIST's, which would come out faint, are thickened: each of their points
    becomes a dot, as wide as the line lacks. Much thicker ones are thinned.
    """
    ink = _cut(ink)
    side = max(ink.shape) - 2 * _SOFT
    fine = _FINE_SIDE / side
    # A line one pixel wide pales when it shrinks, and must not break: widen it first.
    wide = ndimage.maximum_filter(ink, 2 * round(0.5 / fine) + 1)
    mask = resize(wide, (round(ink.shape[0] * fine), round(ink.shape[1] * fine))) > 0.5
    lines = thickness(mask) * BOX / _FINE_SIDE
    if lines > THICKEST:
        ink = _cut(_thinned(mask, (lines - THICKEST) * _FINE_SIDE / BOX))
        side, fine, lines = max(ink.shape) - 2 * _SOFT, 1.0, THICKEST
    lines = min(lines, THICKNESS)
    dot = (THICKNESS - lines) / (1 - lines / BOX)  # the line itself shrinks, to fit the box
    scale = (BOX - dot) / side
    points = (np.argwhere(mask)[:, ::-1] + 0.5) * (scale / fine)  # [S, 2]
    corners = np.array([[_SOFT, _SOFT], np.array(ink.shape[::-1]) - _SOFT]) * scale
    offset = (SIDE - np.array(ink.shape[::-1]) * scale) / 2
    for _ in range(3):
        image = _shrink(ink, scale, offset)
        if dot > 0:
            image = np.maximum(image, draw(points + offset, dot))
        offset = offset + centring_shift(image, corners + offset, dot / 2)
    return image


def _cut(ink: Field) -> Field:
    """``[H, W]`` cut down to its ink and two pixels of soft edge around it."""
    ink = np.pad(ink, _SOFT)  # soft edges may lie outside the box of what is more ink than paper
    top, bottom, left, right = box(ink > 0.5)
    return ink[top - _SOFT : bottom + _SOFT, left - _SOFT : right + _SOFT]


def _thinned(mask: Mask, by: float) -> Field:
    """``[H, W]`` strokes thinner ``by`` pixels, nowhere broken: their middle always stays."""
    mask = np.pad(mask, 1)
    kept = ndimage.distance_transform_edt(mask) > by / 2
    to_middle = ndimage.distance_transform_edt(~skeletonize(mask))
    kept |= mask & (to_middle < THICKNESS / 2 * _FINE_SIDE / BOX)
    return kept.astype(np.float32)


def _shrink(ink: Field, scale: float, offset: FloatArray) -> FloatArray:
    """Average ``[H, W]`` ink over the pixels of a 28 × 28 image, its corner at ``offset`` there."""
    window = SIDE / scale
    slack = 4  # pixels for the soft edge of ink that lies at the edge of the image
    place = np.floor(offset / scale).astype(int) + slack
    canvas = np.zeros((int(np.ceil(window)) + 3 * slack,) * 2, dtype=np.float32)
    canvas[place[1] : place[1] + ink.shape[0], place[0] : place[0] + ink.shape[1]] = ink
    left, top = place - offset / scale
    around = (left, top, left + window, top + window)
    kernel = Image.Resampling.BOX if scale < 1 else Image.Resampling.BILINEAR
    image = Image.fromarray(canvas).resize((SIDE, SIDE), kernel, box=around)
    return np.asarray(image, dtype=np.float64)
