"""What stands out from the paper, sorted: the digit's ink, and rims, dirt and neighbours."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from skimage.filters import threshold_otsu

from capsnet.preprocessing.drawing import SIDE, DrawingError
from capsnet.preprocessing.picture import Field, nothing_seen
from capsnet.preprocessing.pixels import EIGHT, Mask, thickness
from capsnet.preprocessing.rules import without_rules

_FAINTEST = 10.0  # grey levels of 255 between ink and paper that are still taken for ink
_PALE = 0.35  # of full ink: what is joined to more than half of it is a paler part of the stroke
_SPECK = 0.03  # share of the largest piece of ink below which a piece is dirt
_DUST = 0.06  # of the picture's longer side: digits are larger
_WHOLE = 0.2  # share of the ink in its largest piece below which all of it is grain of the paper
_RIM = 0.3  # share of the picture's border: ink along more of it is a shadow or the table
_BESIDE = 0.12  # of a digit's height: pieces as far apart are two digits, if both are tall
_ABOVE = 0.25  # the same of pieces one above the other
_NEAR = 0.35  # of a digit's height: smaller pieces that are farther off are dirt
_TALL = 0.6  # of a digit's height


@dataclass(frozen=True)
class _Piece:
    """Pieces of ink that belong together: their numbers, how much ink, and the box around it."""

    numbers: tuple[int, ...]
    area: int
    top: int
    bottom: int
    left: int
    right: int
    contact: int  # pixels on the border of the picture

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def side(self) -> int:
        return max(self.height, self.right - self.left)

    def gaps(self, other: "_Piece") -> tuple[int, int]:
        """Blank pixels across and down between the two boxes, negative where they overlap."""
        across = max(self.left, other.left) - min(self.right, other.right)
        down = max(self.top, other.top) - min(self.bottom, other.bottom)
        return across, down

    def __add__(self, other: "_Piece") -> "_Piece":
        return _Piece(
            self.numbers + other.numbers,
            self.area + other.area,
            min(self.top, other.top),
            max(self.bottom, other.bottom),
            min(self.left, other.left),
            max(self.right, other.right),
            self.contact + other.contact,
        )


def ink_of_the_digit(depth: Field) -> Field:
    """The digit in ``[H, W]`` grey levels off the paper: 0 paper to 1 ink.

    Raises:
        DrawingError: No digit stands out, or several do.
    """
    ink = _levels(depth)
    pieces, count = ndimage.label(ink > _PALE, EIGHT)
    full = np.zeros(count + 1, dtype=bool)
    full[pieces[ink > 0.5]] = True
    mask = full[pieces]
    digit = _digit(without_rules(mask))
    # Two pixels of soft edge are kept around the ink.
    ink = ink * ndimage.maximum_filter(digit.astype(np.uint8), 5)
    if ink.max() <= 0.5:
        raise nothing_seen()
    return ink


def _levels(depth: Field) -> Field:
    """Grey levels off the paper ``[H, W]`` to 0 paper … 1 ink, whatever the pen and the grain."""
    # A digit leaves a quarter of its picture blank, which tells the paper and its grain; not so
    # if it is a few pixels high and all edges.
    shares = [5, 25] if min(depth.shape) >= SIDE else [0, 0]
    low, quarter = np.percentile(depth, shares).tolist()
    grain = (quarter - low) / 0.97  # standard deviation, if normal: 5 % and 25 % lie 0.97 of it off
    depth = depth - (quarter + 0.67 * grain)
    deep = depth[depth > max(_FAINTEST, 5 * grain)]
    if deep.size == 0:
        raise nothing_seen()
    # Without the pale edges of strokes, faint rules, and grain where little is drawn.
    core = deep[deep >= threshold_otsu(np.rint(deep).astype(np.intp)) - 0.5]
    full = 0.9 * float(np.median(core))
    faint = max(0.1 * full, min(3 * grain, 0.4 * full))
    return np.clip((depth - faint) / (full - faint), 0, 1)


def _digit(mask: Mask) -> Mask:
    """The pieces of ``[H, W]`` ink that make up the digit."""
    pieces, count = ndimage.label(mask, EIGHT)
    if not count:
        raise nothing_seen()
    border = np.concatenate([pieces[0], pieces[-1], pieces[1:-1, 0], pieces[1:-1, -1]])
    area = np.bincount(pieces.ravel(), minlength=count + 1)
    contact = np.bincount(border, minlength=count + 1)
    area[0] = 0
    rim = contact > _RIM * 2 * sum(mask.shape)
    if not rim[1:].all():
        area[rim] = 0
    if area.max() < _WHOLE * area.sum():
        raise nothing_seen()
    boxes = ndimage.find_objects(pieces)
    parts = [
        _Piece(
            (int(number),),
            int(area[number]),
            boxes[number - 1][0].start,
            boxes[number - 1][0].stop,
            boxes[number - 1][1].start,
            boxes[number - 1][1].stop,
            int(contact[number]),
        )
        for number in np.flatnonzero(area >= _SPECK * area.max())
    ]
    parts = _without_the_cut_off(parts, _DUST * max(mask.shape))
    digit = _one_digit(_joined(parts), pieces)
    return _mask(digit, pieces)


def _without_the_cut_off(parts: list[_Piece], smallest: float) -> list[_Piece]:
    """Leave out what comes in from beyond the border, where there is a digit that does not."""
    free = [part for part in parts if not part.contact and part.side >= smallest]
    if not free:
        return parts
    digit = max(free, key=lambda part: part.area)

    def belongs(part: _Piece) -> bool:
        if part.side > digit.side / 0.6 and part.area > digit.area:  # the other one is a part of it
            return part.contact < 0.5 * part.side
        return max(digit.gaps(part)) < 0.1 * digit.side and part.contact < 0.3 * part.side

    return [part for part in parts if not part.contact or belongs(part)]


def _joined(parts: list[_Piece]) -> list[_Piece]:
    """Pieces put together where they are as near as the strokes of one digit."""
    size = max(part.side for part in parts)
    groups: list[_Piece] = []
    for part in parts:
        while True:
            near = [g for g in groups if _strokes_of_one(part, g, size)]
            if not near:
                break
            for group in near:
                groups.remove(group)
                part = part + group
        groups.append(part)
    return groups


def _mask(group: _Piece, pieces: NDArray[np.intp]) -> Mask:
    """Where in ``[H, W]`` numbered pieces those of the group are."""
    chosen = np.zeros(pieces.max() + 1, dtype=bool)
    chosen[list(group.numbers)] = True
    return chosen[pieces]


def _strokes_of_one(a: _Piece, b: _Piece, size: int) -> bool:
    across, down = a.gaps(b)
    return across < _BESIDE * size and down < _ABOVE * size


def _one_digit(groups: list[_Piece], pieces: NDArray[np.intp]) -> _Piece:
    """The group that is the digit, with its smaller pieces; or say that there are several."""
    digit = max(groups, key=lambda group: group.area)
    tall = [
        group
        for group in groups
        if _TALL < group.height / digit.height < 1 / _TALL and group.area > 0.25 * digit.area
    ]
    width = {group: thickness(_mask(group, pieces)) for group in tall} if len(tall) > 1 else {}
    others = [g for g in width if g is not digit and 0.5 < width[g] / width[digit] < 2]
    if others:
        raise DrawingError(
            f"The picture seems to hold {len(others) + 1} digits, and the network reads one. "
            "Cut out one of them."
        )
    for group in sorted(groups, key=lambda group: max(digit.gaps(group))):
        if group is not digit and max(digit.gaps(group)) < _NEAR * digit.side:
            digit = digit + group
    return digit
