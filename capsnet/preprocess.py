"""Strokes or a picture of a digit to the 28 × 28 image that the network was trained on.

The steps lie in `capsnet.preprocessing`: strokes are drawn afresh (`drawing`). A picture goes
through one file a step: its colours (`picture`), the paper taken away (`paper`), the digit among
what else stands out (`ink`), and the ink fitted and centred as MNIST's digits are (`fit`).
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image

from capsnet.preprocessing.drawing import (
    BOX,
    CENTRE,
    SIDE,
    DrawingError,
    StrokeSteps,
    as_batch,
    centre_of_mass,
    from_strokes,
    stroke_steps,
)
from capsnet.preprocessing.picture import MAX_PIXELS, MIN_SIDE, Field, colours

__all__ = [
    "MAX_PIXELS",
    "MIN_SIDE",
    "DrawingError",
    "PictureSteps",
    "StrokeSteps",
    "from_image",
    "from_strokes",
    "picture_steps",
    "stroke_steps",
]


@dataclass(frozen=True)
class PictureSteps:
    """How a picture became the image, step by step.

    Attributes:
        picture: ``[H, W, 3]`` colours, or ``[H, W, 1]`` grey, 0 to 1; upright, brought down in
            size.
        ink: ``[h, w]``, 0 paper to 1 ink: the digit alone, on the sheet that it is written on where
            that lies on something else, else on all of the picture.
        image: ``[1, 1, 28, 28]`` float32, 0 paper to 1 ink.
    """

    picture: Field
    ink: Field
    image: torch.Tensor


def from_image(image: Image.Image | NDArray[np.uint8]) -> torch.Tensor:
    """Read a picture of one digit as an MNIST digit.

    A picture that is one already (28 × 28, clean background, ink within 20 × 20 and its soft edge
    about the centre) comes out as it is, and so do those that :func:`from_strokes` draws.

    Args:
        image: PIL image of any mode, or uint8 array ``[H, W]`` or ``[H, W, 1 | 2 | 3 | 4]`` (grey,
            grey and alpha, RGB, RGBA); ink darker or lighter than the paper or of another colour;
            8 × 8 to 40 megapixels.

    Returns:
        ``[1, 1, 28, 28]`` float32, 0 paper to 1 ink.

    Raises:
        DrawingError: No digit to see, several digits, a wrong shape or type, too small, too large,
            animated, damaged.
    """
    return picture_steps(image).image


def picture_steps(image: Image.Image | NDArray[np.uint8]) -> PictureSteps:
    """Do what :func:`from_image` does and keep the steps; same arguments and errors."""
    # scipy takes half a second to load, and strokes need none of it.
    from capsnet.preprocessing.fit import fit
    from capsnet.preprocessing.ink import ink_of_the_digit
    from capsnet.preprocessing.paper import on_the_sheet, standing_out

    picture = colours(image)
    shown = picture / np.float32(255)
    if picture.shape == (SIDE, SIDE, 1):
        grey = picture[:, :, 0]
        for digit in (grey, 255 - grey):
            if _is_like_mnist(digit):
                ready = digit / np.float32(255)
                return PictureSteps(shown, ready, as_batch(ready))
    ink = ink_of_the_digit(standing_out(on_the_sheet(picture)))
    return PictureSteps(shown, ink, as_batch(fit(ink)))


def _is_like_mnist(grey: Field) -> bool:
    """Whether ``[28, 28]`` light ink on black lies as MNIST's does."""
    if grey.max() < 128:
        return False
    rows, columns = np.nonzero(grey)
    off = np.abs(centre_of_mass(grey) - CENTRE).max()
    # Strokes drawn here have up to a pixel of soft edge outside the box, where MNIST has none.
    return bool(max(np.ptp(rows), np.ptp(columns)) < BOX + 2 and off <= 1)
