"""A picture of anything to 28 × 28: all of it in grey, as the images of clothes or things are.

For digits and letters there is :mod:`capsnet.preprocess`, which looks for the ink alone.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image

from capsnet.preprocessing.drawing import SIDE, as_batch
from capsnet.preprocessing.picture import Field, colours


def fit_whole(image: Image.Image | NDArray[np.uint8]) -> tuple[Field, torch.Tensor]:
    """Turn a picture to grey and fit all of it into the middle of the image; values stay.

    Args:
        image: As for :func:`capsnet.preprocess.from_image`.

    Returns:
        The picture, ``[H, W, 3 | 1]``, 0 to 1, and the image ``[1, 1, 28, 28]``, 0 to 1; what lies
        beside a picture that is not square is as bright as its edge.

    Raises:
        DrawingError: As for :func:`capsnet.preprocessing.picture.colours`.
    """
    picture = colours(image)
    values = picture.round().astype(np.uint8)
    shown = Image.fromarray(values[:, :, 0] if values.shape[2] == 1 else values)
    grey = shown.convert("L")
    scale = SIDE / max(grey.size)
    width, height = (max(1, round(scale * side)) for side in grey.size)
    sheet = Image.new("L", (SIDE, SIDE), round(ground(np.asarray(grey)[None])))
    fitted = grey.resize((width, height), Image.Resampling.BILINEAR)
    sheet.paste(fitted, ((SIDE - width) // 2, (SIDE - height) // 2))
    return picture / np.float32(255), as_batch(np.asarray(sheet, dtype=np.float32) / 255)


def ground(images: NDArray[np.number]) -> float:
    """Return how bright images ``[N, H, W]`` are along their edges, in the median."""
    rows, columns = images[:, [0, -1], :], images[:, :, [0, -1]]
    return float(np.median(np.concatenate([rows.ravel(), columns.ravel()])))
