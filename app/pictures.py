"""Uploaded pictures on their way to the network."""

from __future__ import annotations

import base64
import io
import re
from dataclasses import dataclass

import numpy as np
from PIL import Image

from app.inputs import Floats, Step
from capsnet.preprocess import MAX_PIXELS, DrawingError, picture_steps

THUMBNAIL = 280  # pixels along the longer side of what is shown back to the visitor
LONG_NAME = 40  # characters; of a longer name the middle is left out


@dataclass(frozen=True)
class Upload:
    """An uploaded picture: its name, the network's image [1, 1, 28, 28], how it came about."""

    name: str
    image: Floats
    steps: tuple[Step, ...]


def read_upload(data: bytes, name: str) -> Upload:
    """Make an input of a picture file.

    Raises:
        DrawingError: The file is no picture, too large, or no digit can be seen in it.
    """
    name = _short(name)
    try:
        picture = Image.open(io.BytesIO(data))
    except Image.DecompressionBombError as error:
        raise DrawingError(
            f"{name} has far too many pixels to read. "
            f"Scale it down to {MAX_PIXELS // 1_000_000} megapixels or fewer."
        ) from error
    except Exception as error:  # what a broken file makes Pillow raise is not foreseen
        raise DrawingError(
            f"{name} is not a picture that can be read here. Save it as PNG or JPEG."
        ) from error
    with picture:
        steps = picture_steps(picture)
    shown = (
        Step("As uploaded", url=_data_url(steps.picture)),
        Step("Ink found", url=_data_url(1 - steps.ink[:, :, None])),
    )
    return Upload(name, steps.image.numpy(), shown)


def plain(words: str) -> str:
    """Words that Streamlit shows as they are, where it would take some of them for Markdown."""
    return re.sub(r"([\\`*_\[\]<>$:~|#+-])", r"\\\1", words)


def _short(name: str) -> str:
    """A file's name, of which the end tells the kind, as long as a line holds."""
    name = " ".join(name.split())
    half = LONG_NAME // 2
    return name if len(name) <= LONG_NAME else f"{name[:half]}…{name[-half:]}"


def _data_url(colours: np.ndarray) -> str:
    """Colours [H, W, 1 | 3], 0…1, as a small PNG in a data URL."""
    pixels = (colours * 255).round().astype(np.uint8)
    small = Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels)
    small.thumbnail((THUMBNAIL, THUMBNAIL))
    buffer = io.BytesIO()
    small.save(buffer, "PNG")
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"
