"""What can be measured in the picture of a digit: its strokes, slant, size, holes and ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.ndimage import distance_transform_edt
from skimage.measure import label
from skimage.morphology import skeletonize

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.floating]
    Counts = NDArray[np.integer]
    Mask = NDArray[np.bool_]

INK = 0.5
"""A pixel is ink from this part of the picture's largest value on."""

FAINT = 0.25
"""A picture with no larger value than this has no ink."""

_FINE = 2  # strokes are followed in a picture of this many times the pixels a side
_AT_ONCE = 500  # pictures
_NEAR = 10  # pixels of the finer picture: most strokes are thinner than twice this


@dataclass(frozen=True)
class Property:
    """Something that can be measured in a picture.

    Args:
        name: What it is.
        unit: Behind its number; empty for counts.
        more: What a picture is with more of it.
        less: And with less.
        scale: A usual difference between two digits of one class, in its unit, so that effects on
            different properties can be compared: see PROPERTIES.
        kin: Names of the properties that change with it of necessity.
    """

    name: str
    unit: str
    more: str
    less: str
    scale: float
    kin: tuple[str, ...] = ()


PROPERTIES = (
    Property("thickness", "px", "thicker", "thinner", 0.7),
    Property("slant", "°", "leans right", "leans left", 13.0),
    Property("width", "px", "wider", "narrower", 2.9),
    Property("height", "px", "taller", "shorter", 2.9),
    Property("ink", "px²", "more ink", "less ink", 28.0),
    Property("holes", "", "more holes", "fewer holes", 0.36, kin=("ends",)),
    Property("ends", "", "more stroke ends", "fewer stroke ends", 0.93, kin=("holes",)),
    Property("x", "px", "ink shifts right", "ink shifts left", 1.45),
    Property("y", "px", "ink shifts down", "ink shifts up", 1.45),
)
"""What `measure` measures, in its order, [P].

The scales are the standard deviations within a class of MNIST's test digits (root mean square over
the classes). Three would mislead: MNIST's digits were all made 20 pixels high or wide and centred,
so that hardly any height and position is left in them. Height takes the scale of the width; a
position half of it, for by that much a side moves where the width grows by one scale.
"""


def measure(images: ArrayLike) -> Floats:
    """Measure pictures.

    - thickness: of the strokes, in pixels: twice the mean distance of the skeleton's points from
      the paper, in the picture at twice the size, times the largest value: a line thinner than a
      pixel comes out a pixel wide and faint. Right to a quarter of a pixel on curved strokes;
      straight upright ones come out in half pixels, and short ones up to 0.7 pixels too thin, for
      the skeleton runs into their corners.
    - slant: of the upright axis, in degrees, positive where it leans right:
      atan(-μ_xy / μ_yy) with the second moments of the ink, y down. An upright bar and anything
      symmetrical have 0.
    - width, height: of the box around the ink, in pixels, its sides where the largest value of a
      column or row crosses INK of the largest of all, linear between them.
    - ink: the sum of all values, in pixels of full ink.
    - holes: paper enclosed by ink, as a count (1 less Euler's number where the ink is one piece).
    - ends: free ends of strokes, the points of the skeleton with one neighbour, as a count. Small
      spurs of the skeleton count, too.
    - x, y: centre of mass, in pixels right of and below the picture's centre.

    Args:
        images: [N, H, W], values in 0…1, ink is 1.

    Returns:
        [N, P], in the order of PROPERTIES. NaN for a picture without ink, or with a value that is
        not a number.
    """
    x = np.asarray(images, dtype=np.float32)
    found = np.full((len(x), len(PROPERTIES)), np.nan)
    if not x.size:
        return found
    largest = x.max(axis=(1, 2))  # NaN where one is
    inked = np.flatnonzero((largest > FAINT) & np.isfinite(largest))
    for start in range(0, len(inked), _AT_ONCE):
        chosen = inked[start : start + _AT_ONCE]
        found[chosen] = _measure(x[chosen], largest[chosen])
    return found


def _measure(x: Floats, largest: Floats) -> Floats:
    """As `measure`, of pictures with ink and their largest values [N]."""
    whole = x / largest[:, None, None]
    thickness, holes, ends = _strokes(whole)
    width, height = _extent(whole.max(axis=1)), _extent(whole.max(axis=2))
    ink, slant, right, down = _moments(x.astype(np.float64))
    return np.stack(
        [thickness * largest, slant, width, height, ink, holes, ends, right, down], axis=1
    )


def _extent(profiles: Floats) -> Floats:
    """Distance [N] between the first and last crossing of INK in rows of values [N, L]."""
    values = np.pad(profiles, ((0, 0), (1, 1))).astype(np.float64)
    each = np.arange(len(values))

    def outside(row: Floats) -> Floats:
        first = (row >= INK).argmax(axis=1)
        at, before = row[each, first], row[each, first - 1]
        return first - (at - INK) / (at - before)

    return values.shape[1] - 1 - outside(values) - outside(values[:, ::-1])


def _moments(x: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Sum, slant in degrees, and centre of mass right of and below the middle, each [N]."""
    down, right = (np.arange(n) - (n - 1) / 2 for n in x.shape[1:])
    ink = x.sum(axis=(1, 2))
    by_row, by_column = x.sum(axis=2) / ink[:, None], x.sum(axis=1) / ink[:, None]
    my, mx = by_row @ down, by_column @ right
    yy = by_row @ down**2 - my**2
    xy = np.einsum("nyx,y,x->n", x, down, right, optimize=True) / ink - mx * my
    return ink, np.degrees(np.arctan2(-xy, yy)), mx, my


def _strokes(x: Floats) -> tuple[Floats, Floats, Floats]:
    """Thickness in pixels, number of holes and of ends, each [N], of pictures that reach up to 1.

    The pictures lie side by side in one strip with paper between them, so that each step is one
    call for all of them.
    """
    inked = x >= INK
    rows, columns = np.flatnonzero(inked.any(axis=(0, 2))), np.flatnonzero(inked.any(axis=(0, 1)))
    near = np.pad(x, ((0, 0), (1, 1), (1, 1)))[
        :, rows[0] : rows[-1] + 3, columns[0] : columns[-1] + 3
    ]
    fine = torch.nn.functional.interpolate(
        torch.from_numpy(near)[:, None], scale_factor=_FINE, mode="bilinear"
    )
    ink = np.pad(fine[:, 0].numpy() >= INK, ((0, 0), (1, 1), (1, 1)))
    count, height, width = ink.shape
    strip = ink.swapaxes(0, 1).reshape(height, count * width)

    def per_picture(at: Counts, weights: Floats | None = None) -> Floats:
        where = at % (count * width) // width
        return np.bincount(where, weights, minlength=count).astype(np.float64)

    skeleton = skeletonize(strip).ravel()
    at = np.flatnonzero(skeleton)
    around = [row * count * width + column for row in (-1, 0, 1) for column in (-1, 0, 1)]
    neighbours = np.sum([skeleton[at + step] for step in around], axis=0) - 1
    mean = per_picture(at, _to_paper(strip, at)) / per_picture(at)
    paper = label(~strip, connectivity=1).ravel()
    enclosed = np.flatnonzero((paper > 0) & (paper != paper[0]))
    _, first = np.unique(paper[enclosed], return_index=True)
    ends = per_picture(at[neighbours == 1])
    return 2 * mean / _FINE, per_picture(enclosed[first]), ends


def _to_paper(ink: Mask, points: Counts) -> Floats:
    """Distance of each point from the nearest pixel that is not ink, [S].

    What scipy's distance_transform_edt says of all pixels, many times as fast for the few that
    matter: the pixels around a point are looked at from near to far.

    Args:
        ink: [H, W]. Its edge is paper, which every search meets before it leaves the picture.
        points: Flat indices of pixels of ink, [S].
    """
    reach = np.arange(-_NEAR, _NEAR + 1)
    squares = (np.square(reach)[:, None] + np.square(reach)).ravel()
    order = np.argsort(squares, kind="stable")[: np.count_nonzero(squares <= _NEAR**2)]
    steps = (reach[:, None] * ink.shape[1] + reach).ravel()
    flat, found, searching = ink.ravel(), np.zeros(len(points)), np.arange(len(points))
    for step, square in zip(steps[order], squares[order], strict=True):
        reached = ~flat[points[searching] + step]
        found[searching[reached]] = square
        searching = searching[~reached]
        if not len(searching):
            return np.sqrt(found)
    found[searching] = np.square(distance_transform_edt(ink).flat[points[searching]])
    return np.sqrt(found)
