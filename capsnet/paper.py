"""The paper of a picture taken away: colours to how far each pixel stands out as ink."""

import numpy as np
from scipy import ndimage
from scipy.spatial import ConvexHull, QhullError
from skimage.filters import threshold_otsu

from capsnet.drawing import FloatArray
from capsnet.pixels import EIGHT, Mask, at_most, box, resize, thickness

_SHEET_SIDE = 160  # a sheet on a table, or a canvas on a page, is looked for at this size
_COLOUR_SIDE = 192  # the colour that tells ink from paper is, too
_MEDIAN_SIDE = 32  # and so is which of the two is the paper
_PAPER_SIDE = 64  # light and shadow are smooth enough to be followed at this size
_EDGE_SIDE = 256  # and the edges of shadows at this one, once it is known how wide the strokes are
_SHEET_CONTRAST = 0.35  # of the lighter: less may be a shadow
_SHEET_EDGE = 0.12  # of that contrast a pixel: light changes more slowly
_SHARP = 3.0  # times steeper at its edge than light
_WIDEST_STROKE = 0.35  # share of the picture's longer side; what is wider counts as paper


def on_the_sheet(colours: FloatArray) -> FloatArray:
    """Cut ``[H, W, C]`` colours down to the sheet with the digit, if it lies on something else.

    What is left around the sheet takes the colour of its edge.
    """
    channels = colours.shape[2]
    found = _sheet(at_most(colours @ np.full(channels, 1 / channels), _SHEET_SIDE))
    if found is None:
        return colours
    height, width = colours.shape[:2]
    top, bottom, left, right = box(found)
    rows = slice(top * height // found.shape[0], -(-bottom * height // found.shape[0]))
    columns = slice(left * width // found.shape[1], -(-right * width // found.shape[1]))
    sheet, found = colours[rows, columns], found[top:bottom, left:right]
    nearest = ndimage.distance_transform_edt(~found, return_distances=False, return_indices=True)
    inside = resize(found.astype(np.float64), sheet.shape[:2])[:, :, None] > 0.99
    around = [
        resize(resize(channel, found.shape)[tuple(nearest)], channel.shape)
        for channel in np.moveaxis(sheet, 2, 0)
    ]
    return np.where(inside, sheet, np.stack(around, axis=2))


def _sheet(grey: FloatArray) -> Mask | None:
    """Where in ``[H, W]`` grey a sheet lies on something else, its very edge left out."""
    if min(grey.shape) < 28 or np.ptp(grey) < 16:
        return None
    light = grey > threshold_otsu(grey)
    for side in (light, ~light):
        pieces, count = ndimage.label(ndimage.binary_opening(side, EIGHT))
        if not count:
            continue
        sheet = pieces == np.bincount(pieces.ravel())[1:].argmax() + 1
        whole = ndimage.binary_fill_holes(sheet)
        border = np.concatenate([whole[0], whole[-1], whole[:, 0], whole[:, -1]])
        if not (0.1 < whole.mean() < 0.97 and border.mean() < 0.7):
            continue
        inner = ndimage.binary_erosion(whole, EIGHT, iterations=3, border_value=1)
        levels = np.median(grey[sheet]), np.median(grey[~whole])
        contrast = abs(levels[0] - levels[1])
        if contrast < _SHEET_CONTRAST * max(levels):
            continue
        drawn = (inner & (np.abs(grey - levels[0]) > 0.3 * contrast)).sum() / whole.sum()
        if not (0.002 < drawn < 0.45 and _four_sided(whole)):
            continue
        if _steepness(whole, grey, 25) > _SHEET_EDGE * contrast:
            return inner
    return None


def _four_sided(mask: Mask) -> bool:
    """Whether a ``[H, W]`` mask without holes is near to a rectangle, turned as it may be."""
    points = np.argwhere(mask ^ ndimage.binary_erosion(mask))
    try:
        hull = ConvexHull(points)
    except QhullError:
        return False
    corners = points[hull.vertices]
    turn = np.deg2rad(np.arange(0, 90, 3))
    along = corners @ np.stack([np.cos(turn), np.sin(turn)])  # [corners, turns]
    across = corners @ np.stack([-np.sin(turn), np.cos(turn)])
    smallest = (np.ptp(along, axis=0) * np.ptp(across, axis=0)).min()
    return bool(mask.sum() > 0.96 * hull.volume and hull.volume > 0.85 * smallest)


def standing_out(colours: FloatArray) -> FloatArray:
    """How far ink stands out from the paper ``[H, W]``, in grey levels; paper lies about 0.

    Args:
        colours: ``[H, W, C]``, 0 to 255; ink may be darker or lighter than paper, or only of
            another colour.
    """
    grey, plain = _telling(colours)
    lighter = _ink_is_lighter(grey)
    level = 255 - grey if lighter else grey
    light = _light(level)
    widest = 2 * int(np.ceil(_WIDEST_STROKE * _PAPER_SIDE / 2)) + 1
    paper = _closing(level - light, _PAPER_SIDE, widest) + light
    depth = _below(level, paper, plain and not lighter)
    if max(level.shape) < _PAPER_SIDE:
        return depth
    # Now that one sees how wide the strokes are, follow the paper as closely as they allow.
    small = at_most(depth, _EDGE_SIDE)
    wide = thickness(small > 0.5 * np.percentile(small, 99.5)) / max(small.shape)
    window = 2 * int(np.ceil(_EDGE_SIDE * np.clip(3.5 * wide, 0.1, _WIDEST_STROKE) / 2)) + 1
    paper = _closing(level - light, _EDGE_SIDE, window) + light
    return _below(level, paper, plain and not lighter)


def _below(level: FloatArray, paper: FloatArray, lit: bool) -> FloatArray:
    """How far ``[H, W]`` levels lie below the paper; if ``lit``, in the shade as in the light."""
    depth = paper - level
    if not lit:
        return depth
    brightest = np.percentile(paper, 95)
    return depth * (brightest / np.maximum(paper, 0.2 * brightest + 1))


def _closing(level: FloatArray, side: int, window: int) -> FloatArray:
    """What light paper ``[H, W]`` would look like without dark ink narrower than the window.

    Args:
        side: Longer side at which to work, in pixels.
        window: In pixels at that size; at least 9 in a smaller picture.
    """
    small = at_most(level, side)
    shrunk = max(small.shape) / side
    size = max(9, 2 * int(window * shrunk / 2) + 1)
    closed = ndimage.grey_closing(small, size=(size, size), mode="nearest")
    return resize(ndimage.uniform_filter(closed, 3, mode="nearest"), level.shape)


def _telling(colours: FloatArray) -> tuple[FloatArray, bool]:
    """Grey levels ``[H, W]`` along the line of colours on which ink differs most from paper.

    Returns:
        The levels, 0 to 255, and whether they are brightness: whether less light makes all of them
        less.
    """
    if colours.shape[2] == 1:
        return colours[:, :, 0], True
    small = np.stack([at_most(c, _COLOUR_SIDE) for c in np.moveaxis(colours, 2, 0)])
    paper = np.stack([resize(_median(channel), channel.shape) for channel in small])
    off = (small - paper).reshape(3, -1)  # [3, pixels]
    far = np.abs(off).max(axis=0)
    strong = off[:, far >= 0.5 * np.percentile(far, 99.9)]
    _, vectors = np.linalg.eigh(strong @ strong.T)
    weight = vectors[:, -1] / np.abs(vectors[:, -1]).sum()
    weight = weight if weight.sum() > 0 else -weight
    darkest = 255 * weight[weight < 0].sum()
    return colours @ weight - darkest, bool(darkest == 0)


def _median(field: FloatArray) -> FloatArray:
    """Median of a wide window around each pixel, ``[h, w]``, 32 pixels at most."""
    small = at_most(field, _MEDIAN_SIDE)
    size = 2 * int(0.3 * max(small.shape)) + 1
    return ndimage.median_filter(small, size=(size, size), mode="nearest")


def _ink_is_lighter(grey: FloatArray) -> bool:
    """Whether the few pixels that stand out from ``[H, W]`` paper are lighter than it."""
    small = at_most(grey, _COLOUR_SIDE)
    off = small - resize(_median(small), small.shape)
    if min(small.shape) >= 12:
        off = ndimage.uniform_filter(off, 3)
    edges = _sharpness(off, small), _sharpness(-off, small)
    if max(edges) > _SHARP * min(edges):  # flash and vignettes fade out, ink ends
        return edges[0] > edges[1]
    by_median = (off**3).sum() > 0
    by_border = _stands_out_lighter(small)
    if by_median == by_border:
        return by_median
    off = off if by_median else -off
    few = (off > 0.5 * off.max()).mean()
    return by_median if few < 0.25 else by_border


def _sharpness(off: FloatArray, grey: FloatArray) -> float:
    """How steep ``[H, W]`` grey is where what is far off ends."""
    return _steepness(off > 0.5 * off.max(), grey, 50)


def _steepness(mask: Mask, grey: FloatArray, percentile: float) -> float:
    """How steep ``[H, W]`` grey is along the edge of a mask, a percentile."""
    edge = mask ^ ndimage.binary_erosion(mask, EIGHT, border_value=1)
    down, across = np.gradient(grey)
    steepness = np.hypot(down, across)[edge]
    return float(np.percentile(steepness, percentile)) if edge.any() else 0.0


def _stands_out_lighter(grey: FloatArray) -> bool:
    """Whether what stands out most from the border of ``[H, W]`` is lighter than it."""
    off = ndimage.uniform_filter(grey - _light(grey), 3)
    return bool(off.max() > -off.min())


def _light(grey: FloatArray) -> FloatArray:
    """Grey of the border ``[H, W]``, carried on inside: light that falls off to one side."""
    small = at_most(grey, _COLOUR_SIDE)
    edge = max(1, round(0.04 * min(small.shape)))
    border = np.ones(small.shape, dtype=bool)
    border[edge:-edge, edge:-edge] = False
    design, level = _bilinear(small.shape)[border], small[border]
    weight = np.ones_like(level)
    for _ in range(5):  # towards least absolute deviation: ink on the border weighs little
        root = np.sqrt(weight)
        coefficients = np.linalg.lstsq(design * root[:, None], level * root, rcond=None)[0]
        weight = 1 / (np.abs(level - design @ coefficients) + 1)
    return _bilinear(grey.shape) @ coefficients


def _bilinear(shape: tuple[int, ...]) -> FloatArray:
    """The functions 1, x, y and xy on a field of pixels: ``[H, W, 4]``."""
    y, x = np.meshgrid(*(np.linspace(-1, 1, side) for side in shape), indexing="ij")
    return np.stack([np.ones_like(x), x, y, x * y], axis=-1)
