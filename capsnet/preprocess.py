"""Strokes or a picture of a digit to the 28 × 28 image that the network was trained on.

Strokes are drawn afresh (:mod:`capsnet.drawing`). A picture goes through the steps of this file,
top to bottom: grey levels, which of the two is ink, paper taken away, specks dropped, and the ink
fitted and centred as MNIST's digits are.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageOps

from capsnet.drawing import (
    BOX,
    CENTRE,
    SIDE,
    THICKNESS,
    DrawingError,
    FloatArray,
    StrokeSteps,
    as_batch,
    centre_of_mass,
    centring_shift,
    draw,
    from_strokes,
    stroke_steps,
)
from capsnet.pixels import at_most, box, pieces, resize, running

__all__ = [
    "DrawingError",
    "PictureSteps",
    "StrokeSteps",
    "from_image",
    "from_strokes",
    "picture_steps",
    "stroke_steps",
]

MIN_SIDE = 8
"""Smallest width or height of a picture, in pixels."""

MAX_PIXELS = 40_000_000
"""Largest number of pixels of a picture."""

_WORKING_SIDE = 1024  # a photo is brought down to this: the pen's line stays over a pixel wide
_BORDER_SIDE = 256  # the border's grey is read off at this size
_PAPER_SIDE = 64  # light and shadow are smooth enough to be followed at this size
_WIDEST_STROKE = 0.35  # share of the picture's longer side; what is wider counts as paper
_FAINTEST = 10.0  # grey levels of 255 between ink and paper that are still taken for ink
_SPECK = 0.03  # share of the largest piece of ink below which a piece is dirt
_WHOLE = 0.2  # share of the ink in its largest piece below which all of it is grain of the paper
_FRAME = 0.3  # share of the picture's border: ink along more of it is a shadow or the table
_FINE_SIDE = 160  # pixels of the ink's longer side when thin lines are drawn afresh


@dataclass(frozen=True)
class PictureSteps:
    """How a picture became the image, step by step.

    Attributes:
        grey: ``[H, W]`` grey levels, 0 black to 1 white, upright and brought down in size.
        ink: ``[H, W]``, 0 paper to 1 ink, cleaned.
        image: ``[1, 1, 28, 28]`` float32, 0 paper to 1 ink.
    """

    grey: FloatArray
    ink: FloatArray
    image: torch.Tensor


def from_image(image: Image.Image | NDArray[np.uint8]) -> torch.Tensor:
    """Read a picture of one digit as an MNIST digit.

    A picture that is one already (28 × 28, clean background, ink within 20 × 20 and its soft edge
    about the centre) comes out as it is, and so do those that :func:`from_strokes` draws.

    Args:
        image: PIL image of any mode, or uint8 array ``[H, W]`` or ``[H, W, 1 | 2 | 3 | 4]`` (grey,
            grey and alpha, RGB, RGBA); dark on light or light on dark; 8 × 8 to 40 megapixels.

    Returns:
        ``[1, 1, 28, 28]`` float32, 0 paper to 1 ink.

    Raises:
        DrawingError: Nothing to see, a wrong shape or type, too small, too large, damaged.
    """
    return picture_steps(image).image


def picture_steps(image: Image.Image | NDArray[np.uint8]) -> PictureSteps:
    """Do what :func:`from_image` does and keep the steps; same arguments and errors."""
    grey = _grey(_picture(image))
    for digit in (grey, 255 - grey):
        if _is_like_mnist(digit):
            ink = digit.astype(np.float32) / np.float32(255)
            return PictureSteps(grey / 255, ink.astype(np.float64), as_batch(ink))
    ink = _ink(grey)
    return PictureSteps(grey / 255, ink, as_batch(_fit(ink)))


def _picture(image: Image.Image | NDArray[np.uint8]) -> Image.Image:
    """PIL image of a sensible size, or say in words what is wrong."""
    if isinstance(image, np.ndarray):
        if image.dtype != np.uint8 or not (
            image.ndim == 2 or (image.ndim == 3 and image.shape[2] in (1, 2, 3, 4))
        ):
            raise DrawingError(
                "A picture as an array must be uint8 of shape height × width, with 1 to 4 "
                f"channels last; this one is {image.dtype} of shape {image.shape}. Convert it."
            )
        _check_size(image.shape[1], image.shape[0])
        # Pillow knows no third axis of length 1.
        pixels = image[:, :, 0] if image.ndim == 3 and image.shape[2] == 1 else image
        return Image.fromarray(np.ascontiguousarray(pixels))
    if not isinstance(image, Image.Image):
        raise DrawingError(
            f"This is not a picture but a {type(image).__name__}. "
            "Give a PIL image or a uint8 array."
        )
    _check_size(*image.size)
    return image


def _check_size(width: int, height: int) -> None:
    if min(width, height) < MIN_SIDE:
        raise DrawingError(
            f"The picture is {width} × {height} pixels, too small to read. "
            f"Use one of at least {MIN_SIDE} × {MIN_SIDE}."
        )
    if width * height > MAX_PIXELS:
        raise DrawingError(
            f"The picture has {width * height / 1e6:.0f} megapixels, too many to read. "
            f"Scale it down to {MAX_PIXELS // 1_000_000} or fewer."
        )


def _grey(image: Image.Image) -> FloatArray:
    """Grey levels ``[H, W]``, 0 to 255, upright, opaque, the longer side 1024 pixels at most."""
    try:
        image.load()
        if image.mode in ("I", "F") or image.mode.startswith("I;16"):
            image = _eight_bits(image)
        image = image.convert("RGBA" if image.has_transparency_data else "L")
        factor = -(-max(image.size) // _WORKING_SIDE)
        # A ribbon a few pixels high must not be reduced to nothing.
        image = image.reduce((min(factor, image.width // 8), min(factor, image.height // 8)))
        image = ImageOps.exif_transpose(image)
    except (OSError, SyntaxError, ValueError) as error:
        raise DrawingError(
            "The picture cannot be read; the file seems damaged. Save it again as PNG or JPEG."
        ) from error
    grey = np.asarray(image.convert("L"), dtype=np.float64)
    if image.mode == "L":
        return grey
    return _on_paper(grey, np.asarray(image.getchannel("A"), dtype=np.float64) / 255)


def _eight_bits(image: Image.Image) -> Image.Image:
    """Deeper grey levels, spread over 0 to 255."""
    levels = np.asarray(image, dtype=np.float64)
    low, high = levels.min(), levels.max()
    if not np.isfinite(high - low):
        raise ValueError("grey levels that are not finite")
    spread = (levels - low) * (255 / (high - low) if high > low else 0.0)
    deep = Image.fromarray(spread.round().astype(np.uint8))
    deep.info.update(image.info)
    return deep


def _on_paper(grey: FloatArray, alpha: FloatArray) -> FloatArray:
    """Lay a transparent picture ``[H, W]`` on paper that its ink stands out from."""
    seen = grey[alpha > 0.5]
    if seen.size == 0:
        raise _nothing_seen()
    low, middle, high = np.percentile(seen, [2, 50, 98])
    # Of one colour, what one sees is the ink. Otherwise it is a sheet with the digit on it, and its
    # colour goes on.
    contrasting = 255.0 if middle < 128 else 0.0
    paper = float(middle) if high - low > 64 else contrasting
    return np.rint(grey * alpha + paper * (1 - alpha))


def _is_like_mnist(grey: FloatArray) -> bool:
    """Whether ``[H, W]`` light ink on black lies as MNIST's does."""
    if grey.shape != (SIDE, SIDE) or grey.max() < 128:
        return False
    top, bottom, left, right = box(grey > 0)
    off = np.abs(centre_of_mass(grey) - CENTRE).max()
    # Strokes drawn here have up to a pixel of soft edge outside the box, where MNIST has none.
    return max(bottom - top, right - left) <= BOX + 2 and bool(off <= 1)


def _ink(grey: FloatArray) -> FloatArray:
    """Take the paper away: ``[H, W]`` grey levels to 0 paper … 1 ink."""
    level = grey - _light(grey)
    blurred = running(level, 3, np.add)
    if blurred.max() > -blurred.min():  # what stands out most from the border is lighter than it
        level = -level
    depth = _paper(level) - level
    # A digit leaves a quarter of its picture blank, which tells the paper and its grain; not so
    # if it is a few pixels high and all edges.
    low, quarter = np.percentile(depth, [5, 25] if min(depth.shape) >= SIDE else [0, 0])
    grain = (quarter - low) / 0.97  # standard deviation, if normal: 5 % and 25 % lie 0.97 of it off
    depth = depth - (quarter + 0.67 * grain)
    deep = depth[depth > max(_FAINTEST, 5 * grain)]
    if deep.size == 0:
        raise _nothing_seen()
    core = deep[deep > 0.5 * np.percentile(deep, 95)]  # without the pale edges of strokes
    full = 0.9 * np.median(core)
    faint = max(0.1 * full, min(3 * grain, 0.4 * full))
    ink = np.clip((depth - faint) / (full - faint), 0, 1)
    return ink * _without_dirt(ink > 0.5)


def _light(grey: FloatArray) -> FloatArray:
    """Grey of the border ``[H, W]``, carried on inside: light that falls off to one side."""
    small = at_most(grey, _BORDER_SIDE)
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


def _paper(grey: FloatArray) -> FloatArray:
    """What light paper ``[H, W]`` would look like without its dark ink: a grey closing, blurred."""
    small = at_most(grey, _PAPER_SIDE)
    size = 2 * int(np.ceil(_WIDEST_STROKE * max(small.shape) / 2)) + 1
    closed = running(running(small, size, np.maximum), size, np.minimum)
    return resize(running(closed, 5, np.add) / 25, grey.shape)


def _without_dirt(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Drop specks and what runs along the border; two pixels of soft edge are kept around ink."""
    height, width = mask.shape
    starts, ends, piece = pieces(mask)
    area = np.bincount(piece, weights=ends - starts)
    row, first = np.divmod(starts, width + 2)
    outer = (row == 0) | (row == height - 1)
    contact = np.where(outer, ends - starts, 0)
    contact = contact + (first == 1) + (ends % (width + 2) == width + 1)
    frame = np.bincount(piece, weights=contact) > _FRAME * 2 * (height + width)
    if not frame.all():
        area[frame] = 0
    if area.max() < _WHOLE * area.sum():
        raise _nothing_seen()
    keep = (area >= _SPECK * area.max())[piece]
    steps = np.zeros(height * (width + 2) + 1)
    steps[starts[keep]] += 1
    steps[ends[keep]] -= 1
    kept = np.cumsum(steps)[:-1].reshape(height, width + 2)[:, 1:-1]
    return running(kept, 5, np.maximum) > 0.5


def _fit(ink: FloatArray) -> FloatArray:
    """Fit ink ``[H, W]`` into the 20 × 20 box of a 28 × 28 image and centre it there.

    Lines thinner than MNIST's, which would come out faint, are thickened: each of their points
    becomes a dot, as wide as the line lacks.
    """
    ink = np.pad(ink, 2)  # soft edges may lie outside the box of what is more ink than paper
    top, bottom, left, right = box(ink > 0.5)
    ink = ink[top - 2 : bottom + 2, left - 2 : right + 2]
    side = max(bottom - top, right - left)
    fine = _FINE_SIDE / side
    # A line one pixel wide pales when it shrinks, and must not break: widen it first.
    wide = running(ink, 2 * round(0.5 / fine) + 1, np.maximum)
    mask = resize(wide, (round(ink.shape[0] * fine), round(ink.shape[1] * fine))) > 0.5
    thickness = min(_thickness(mask) * BOX / _FINE_SIDE, THICKNESS)
    dot = (THICKNESS - thickness) / (1 - thickness / BOX)  # the line itself shrinks, to fit the box
    scale = (BOX - dot) / side
    points = (np.argwhere(mask)[:, ::-1] + 0.5) * (scale / fine)  # [S, 2]
    corners = np.array([[2, 2], [right - left + 2, bottom - top + 2]]) * scale
    offset = (SIDE - np.array(ink.shape[::-1]) * scale) / 2
    for _ in range(3):
        image = _shrink(ink, scale, offset)
        if dot > 0:
            image = np.maximum(image, draw(points + offset, dot))
        offset = offset + centring_shift(image, corners + offset, dot / 2)
    return image


def _thickness(mask: NDArray[np.bool_]) -> float:
    """Mean thickness of ``[H, W]`` strokes, in pixels: twice their area over their outline."""
    soft = running(np.pad(mask, 2).astype(np.float64), 3, np.add) / 9
    down, across = np.gradient(soft)
    return float(2 * mask.sum() / np.hypot(down, across).sum())


def _shrink(ink: FloatArray, scale: float, offset: FloatArray) -> FloatArray:
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


def _nothing_seen() -> DrawingError:
    return DrawingError(
        "There is no digit to see in the picture. Use one with dark ink on light paper, or light "
        "on dark, and more contrast."
    )
