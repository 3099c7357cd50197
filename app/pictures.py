"""Uploaded pictures on their way to the network.

Where its classes are digits or letters, that is the ink alone, as MNIST's digits lie; else all of
the picture.
"""

from __future__ import annotations

import base64
import io
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from app import wording
from app.inputs import Floats, Step
from capsnet.preprocess import MAX_PIXELS, DrawingError, picture_steps
from capsnet.preprocessing.whole import fit_whole, ground

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.samples import Samples

THUMBNAIL = 280  # pixels along the longer side of what is shown back to the visitor
FAINT = 0.03  # of 0…1: a picture whose greys lie no further apart shows nothing
LONG_NAME = 40  # characters; of a longer name the middle is left out


@dataclass(frozen=True)
class Ready:
    """What the network is shown, float32 [1, 1, 28, 28], 0…1, and how it came about."""

    image: Floats
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Upload:
    """An uploaded picture, made ready for networks of both kinds.

    Args:
        name: What it is called.
        whole: All of it.
        ink: The character in it; None where none can be seen.
    """

    name: str
    whole: Ready
    ink: Ready | None = None

    def ready(self, names: Sequence[str], samples: Samples) -> Ready:
        """The picture for a network with these classes and samples.

        All of it comes on a ground as dark or bright as theirs, dark where there are none.
        """
        if self.ink and wording.written(names):
            return self.ink
        wanted = ground(samples.images) / 255 if len(samples.images) else 0.0
        if abs(ground(self.whole.image[:, 0]) - wanted) <= 0.5:
            return self.whole
        return Ready(1 - self.whole.image, self.whole.steps)


def read_upload(data: bytes, name: str, names: Sequence[str]) -> Upload:
    """Make an input of a picture file, for a network with these classes.

    Raises:
        DrawingError: The file is no picture, too large, or there is nothing to see in it; where the
            classes are digits or letters, no such character.
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
        try:
            found = picture_steps(picture)
        except DrawingError:
            if wording.written(names):
                raise
            found = None
        shown, whole = fit_whole(picture)
    as_uploaded = Step("As uploaded", url=_data_url(shown))
    upload = Upload(name, Ready(whole.numpy(), (as_uploaded,)))
    if found is None:
        if np.ptp(upload.whole.image) < FAINT:
            raise DrawingError(f"There is nothing to see in {name}: it is all of one grey.")
        return upload
    ink = Step("Ink found", url=_data_url(1 - found.ink[:, :, None]))
    return replace(upload, ink=Ready(found.image.numpy(), (as_uploaded, ink)))


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
