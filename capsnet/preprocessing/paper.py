"""The paper of a picture taken away: colours to how far each pixel stands out as ink."""

import numpy as np
from scipy import ndimage
from scipy.spatial import ConvexHull, QhullError
from skimage.filters import threshold_otsu

from capsnet.preprocessing.picture import Field
from capsnet.preprocessing.pixels import EIGHT, Mask, at_most, box, resize, thickness

_SHEET_SIDE = 160  # a sheet on a table, or a canvas on a page, is looked for at this size
_COLOUR_SIDE = 192  # the colour that tells ink from paper is, too
_MEDIAN_SIDE = 20  # and so is which of the two is the paper
_PAPER_SIDE = 64  # light and shadow are smooth enough to be followed at this size
_EDGE_SIDE = 256  # and the edges of shadows at this one, once it is known how wide the strokes are
_SMALLEST_SHEET = 40  # pixels a side: all of a smaller picture is the digit's
_SHEET_CONTRAST = 0.35  # of the lighter: less may be a shadow
_SHEET_EDGE = 0.12  # of that contrast a pixel: light changes more slowly
_SHEET_GAP = 0.02  # share of the picture's longer side: half of what strokes may cut out of it
_SHARP = 3.0  # times steeper at its edge than light
_BEYOND = 0.2  # share of the grey range: what is lighter or darker than the border by more is ink
_FADING = 0.08  # of how far it stands out, a pixel: ink ends more steeply
_WIDEST_STROKE = 0.35  # share of the picture's longer side; what is wider counts as paper


def on_the_sheet(colours: Field) -> Field:
    """Cut ``[H, W, C]`` colours down to the sheet with the digit, if it lies on something else.

    What is left around the sheet takes the colour of its edge.
    """
    channels = colours.shape[2]
    found = _sheet(at_most(colours @ np.full(channels, np.float32(1 / channels)), _SHEET_SIDE))
    if found is None:
        return colours
    height, width = colours.shape[:2]
    top, bottom, left, right = box(found)
    rows = slice(top * height // found.shape[0], -(-bottom * height // found.shape[0]))
    columns = slice(left * width // found.shape[1], -(-right * width // found.shape[1]))
    sheet, found = colours[rows, columns], found[top:bottom, left:right]
    nearest = ndimage.distance_transform_edt(~found, return_distances=False, return_indices=True)
    inside = resize(found.astype(np.float32), sheet.shape[:2])[:, :, None] > 0.99
    around = [
        resize(resize(channel, found.shape)[tuple(nearest)], channel.shape)
        for channel in np.moveaxis(sheet, 2, 0)
    ]
    return np.where(inside, sheet, np.stack(around, axis=2))


def _sheet(grey: Field) -> Mask | None:
    """Where in ``[H, W]`` grey a sheet lies on something else, its very edge left out."""
    if min(grey.shape) < _SMALLEST_SHEET or np.ptp(grey) < 16:
        return None
    light = grey > threshold_otsu(grey)
    gap = 2 * round(_SHEET_GAP * max(grey.shape)) + 1
    for side in (light, ~light):
        # A stroke from one edge of a sheet to another does not cut it.
        mended = ndimage.grey_closing(ndimage.binary_opening(side, EIGHT), gap, mode="nearest")
        pieces, count = ndimage.label(mended)
        if not count:
            continue
        sheet = pieces == np.bincount(pieces.ravel())[1:].argmax() + 1
        whole = ndimage.binary_fill_holes(sheet)
        border = np.concatenate([whole[0], whole[-1], whole[:, 0], whole[:, -1]])
        # The light beside a shadow runs on to the border of the picture.
        if not (0.1 < whole.mean() < 0.97 and border.mean() < 0.8 * whole.mean()):
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


def standing_out(colours: Field) -> Field:
    """How far ink stands out from the paper ``[H, W]``, in grey levels; paper lies about 0.

    Args:
        colours: ``[H, W, C]``, 0 to 255; ink may be darker or lighter than paper, or only of
            another colour.
    """
    grey, plain = _telling(colours)
    small = at_most(grey, _EDGE_SIDE)
    if lighter := _ink_is_lighter(small):
        grey, small = 255 - grey, 255 - small
    lit = plain and not lighter
    light = _light(small)
    paper = light + _closing(small - light, _PAPER_SIDE, _WIDEST_STROKE)
    if max(small.shape) >= _PAPER_SIDE:
        # Now that one sees how wide the strokes are, follow the paper as closely as they allow.
        depth = _below(small, paper, lit)
        wide = thickness(depth > 0.5 * np.percentile(depth, 99.5)) / max(small.shape)
        window = float(np.clip(3.5 * wide, 0.1, _WIDEST_STROKE))
        paper = light + _closing(small - light, _EDGE_SIDE, window)
    return _below(grey, paper, lit)


def _below(level: Field, paper: Field, lit: bool) -> Field:
    """How far ``[H, W]`` levels lie below ``[h, w]`` paper; if ``lit``, in shade as in light."""
    depth = resize(paper, level.shape) - level
    if not lit:
        return depth
    brightest = float(np.percentile(paper, 95))
    shade = np.maximum(paper, np.float32(0.2 * brightest + 1))
    return depth * np.float32(brightest) / resize(shade, level.shape)


def _closing(level: Field, side: int, window: float) -> Field:
    """What light paper ``[H, W]`` would look like without dark ink narrower than the window.

    Args:
        side: Longer side at which to work, in pixels.
        window: As a share of the longer side; at least 9 pixels of it.
    """
    small = at_most(level, side)
    size = max(9, 2 * int(np.ceil(window * max(small.shape) / 2)) + 1)
    closed = ndimage.grey_closing(small, size=(size, size), mode="nearest")
    return resize(ndimage.uniform_filter(closed, 3, mode="nearest"), level.shape)


def _telling(colours: Field) -> tuple[Field, bool]:
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


def _median(field: Field) -> Field:
    """Median of a wide window around each pixel, ``[h, w]``, 20 pixels at most."""
    small = at_most(field, _MEDIAN_SIDE)
    size = 2 * int(0.3 * max(small.shape)) + 1
    return ndimage.median_filter(small, size=(size, size), mode="nearest")


def _ink_is_lighter(grey: Field) -> bool:
    """Whether the few pixels that stand out from ``[H, W]`` paper are lighter than it."""
    small = at_most(grey, _COLOUR_SIDE)
    above, below = _beyond_the_border(small)
    if max(above, below) > _BEYOND and min(above, below) < _BEYOND / 2:
        return above > below
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


def _beyond_the_border(grey: Field) -> tuple[float, float]:
    """How far ``[H, W]`` grey goes above and below that of its border, as shares of its range.

    The border shows the paper in light and in shadow, and ink stands out from both. What fades out,
    as light does, does not count.
    """
    smooth = ndimage.uniform_filter(grey, 3) if min(grey.shape) >= 12 else grey
    darkest, lightest = np.percentile(smooth[_border(smooth.shape)], [5, 95])
    full = max(np.ptp(smooth), 1e-9)

    def beyond(off: Field) -> float:
        steepness = _steepness(off > 0.5 * off.max(), smooth, 25)
        return float(off.max() / full) if steepness > _FADING * off.max() else 0.0

    return beyond(smooth - lightest), beyond(darkest - smooth)


def _sharpness(off: Field, grey: Field) -> float:
    """How steep ``[H, W]`` grey is where what is far off ends."""
    return _steepness(off > 0.5 * off.max(), grey, 50)


def _steepness(mask: Mask, grey: Field, percentile: float) -> float:
    """How steep ``[H, W]`` grey is along the edge of a mask, a percentile."""
    edge = mask ^ ndimage.binary_erosion(mask, EIGHT, border_value=1)
    down, across = np.gradient(grey)
    steepness = np.hypot(down, across)[edge]
    return float(np.percentile(steepness, percentile)) if edge.any() else 0.0


def _stands_out_lighter(grey: Field) -> bool:
    """Whether what stands out most from the border of ``[H, W]`` is lighter than it."""
    off = ndimage.uniform_filter(grey - _light(grey), 3)
    return bool(off.max() > -off.min())


def _light(grey: Field) -> Field:
    """Grey of the border ``[H, W]``, carried on inside: light that falls off to one side."""
    small = at_most(grey, _PAPER_SIDE)
    border = _border(small.shape)
    design, level = _bilinear(small.shape)[border], small[border]
    weight = np.ones_like(level)
    for _ in range(5):  # towards least absolute deviation: ink on the border weighs little
        root = np.sqrt(weight)
        coefficients = np.linalg.lstsq(design * root[:, None], level * root, rcond=None)[0]
        weight = np.reciprocal(np.abs(level - design @ coefficients) + 1)
    return _bilinear(grey.shape) @ coefficients


def _border(shape: tuple[int, ...]) -> Mask:
    """Where the border of a field of pixels is, a little of its width."""
    edge = max(1, round(0.04 * min(shape)))
    border = np.ones(shape, dtype=bool)
    border[edge:-edge, edge:-edge] = False
    return border


def _bilinear(shape: tuple[int, ...]) -> Field:
    """The functions 1, x, y and xy on a field of pixels: ``[H, W, 4]``."""
    sides = (np.linspace(-1, 1, side, dtype=np.float32) for side in shape)
    y, x = np.meshgrid(*sides, indexing="ij")
    return np.stack([np.ones_like(x), x, y, x * y], axis=-1)
