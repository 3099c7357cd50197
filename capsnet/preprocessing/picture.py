"""A picture as it comes, of any kind and size, to colours one can compute with."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from capsnet.preprocessing.drawing import DrawingError

Field = NDArray[np.float32]
"""What a picture has at each pixel: grey, colours or ink."""

MIN_SIDE = 8
"""Smallest width or height of a picture, in pixels."""

MAX_PIXELS = 40_000_000
"""Largest number of pixels of a picture."""

_WORKING_SIDE = 640  # a photo is brought down to this: the pen's line stays over a pixel wide


def colours(image: Image.Image | NDArray[np.uint8]) -> Field:
    """Colours of a picture, upright, opaque and brought down in size.

    Args:
        image: As for :func:`capsnet.preprocess.from_image`.

    Returns:
        ``[H, W, 3]``, or ``[H, W, 1]`` where all is grey, 0 to 255; the longer side 640 pixels at
        most.

    Raises:
        DrawingError: A wrong shape or type, too small, too large, animated, damaged, transparent.
    """
    picture = _picture(image)
    try:
        if getattr(picture, "is_animated", False) and picture.format != "MPO":
            # A phone's MPO is a photo with a second view of the same behind it.
            raise DrawingError(
                "The picture moves or has several pages. Save the one that shows the digit as PNG."
            )
        picture.load()
        if picture.mode in ("I", "F") or picture.mode.startswith("I;16"):
            picture = _eight_bits(picture)
        if picture.has_transparency_data:
            picture = picture.convert("RGBA")
        elif picture.mode not in ("L", "RGB"):
            picture = picture.convert("RGB")
        factor = -(-max(picture.size) // _WORKING_SIDE)
        # A ribbon a few pixels high must not be reduced to nothing.
        picture = picture.reduce(
            (min(factor, picture.width // MIN_SIDE), min(factor, picture.height // MIN_SIDE))
        )
        picture = ImageOps.exif_transpose(picture)
    except DrawingError:
        raise
    except Exception as error:  # what a broken file makes Pillow's decoders raise is not foreseen
        raise DrawingError(
            "The picture cannot be read; the file seems damaged. Save it again as PNG or JPEG."
        ) from error
    if picture.mode == "L":
        return np.asarray(picture, dtype=np.float32)[:, :, None]
    pixels = np.asarray(picture)
    red, green, blue = (pixels[:, :, channel] for channel in range(3))
    grey = np.array_equal(red, green) and np.array_equal(green, blue)
    shown = pixels[:, :, : 1 if grey else 3].astype(np.float32)
    if picture.mode == "RGB":
        return shown
    return _on_paper(shown, pixels[:, :, 3].astype(np.float32) / np.float32(255))


def nothing_seen() -> DrawingError:
    """What to raise where a picture holds no digit."""
    return DrawingError(
        "There is no digit to see in the picture. Use one with dark ink on light paper, or light "
        "on dark, and more contrast."
    )


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


def _on_paper(colours: Field, alpha: Field) -> Field:
    """Lay a transparent picture ``[H, W, C]`` on paper that its ink stands out from."""
    seen = colours[alpha > 0.5]  # [S, C]
    if seen.size == 0:
        raise nothing_seen()
    low, middle, high = np.percentile(seen, [2, 50, 98], axis=0)
    # Of one colour, what one sees is the ink. Otherwise it is a sheet with the digit on it, and its
    # colour goes on.
    contrasting = np.full_like(middle, 255 if middle.mean() < 128 else 0)
    paper = middle if (high - low).max() > 64 else contrasting
    return np.rint(colours * alpha[:, :, None] + paper * (1 - alpha[:, :, None])).astype(np.float32)
