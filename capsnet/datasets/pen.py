"""Digits as pen strokes, and as others might have written them.

The strokes are those of the UCI set "Pen-Based Recognition of Handwritten Digits", which
E. Alpaydin and F. Alimoglu collected on a tablet: 44 writers, 250 digits each, points every
100 ms in a 500 × 500 box with y pointing up. `pendigits-orig.tra` holds 30 of the writers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from capsnet.data import DataError, LabelledImages
from capsnet.preprocessing.drawing import THICKNESS, FloatArray, from_strokes

PATTERN = "*.tra"
"""Names of the files that a folder of pen digits is searched for."""

SOURCE = "https://archive.ics.uci.edu/dataset/81"

_HEAD = re.compile(r'\s+DIGIT\s.*"(\d)"\s+\.COMMENT\s+\d+\s+(\d+)\s')
_STROKE = re.compile(r"\.PEN_DOWN([^.]*)\.PEN_UP")

Strokes = tuple[FloatArray, ...]


@dataclass(frozen=True)
class PenDigits:
    """Pen digits with their labels and who wrote them.

    Attributes:
        strokes: Of each digit its strokes, ``[N, 2]`` each, x right and y down.
        labels: int64 [N].
        writers: int64 [N], the number of the writer.
    """

    strokes: tuple[Strokes, ...]
    labels: Tensor
    writers: Tensor

    def __len__(self) -> int:
        """Return the number of digits."""
        return len(self.strokes)

    def take(self, count: int | None) -> PenDigits:
        """Return the first `count` digits, all of them for None."""
        return PenDigits(self.strokes[:count], self.labels[:count], self.writers[:count])

    def split(self, held_out: int) -> tuple[PenDigits, PenDigits]:
        """Split off all digits of the last `held_out` writers; return the others and these.

        Raises:
            DataError: No writer would be left.
        """
        writers = self.writers.unique()
        if not 0 <= held_out < len(writers):
            raise DataError(
                f"{held_out} writers cannot be held out of {len(writers)}. "
                f"Choose at most {len(writers) - 1}."
            )
        unseen = torch.isin(self.writers, writers[len(writers) - held_out :])
        return self._where(~unseen), self._where(unseen)

    def drawn(self, thickness: float = THICKNESS) -> LabelledImages:
        """Draw all digits as :func:`capsnet.preprocessing.drawing.from_strokes` does."""
        return self._digits(from_strokes(strokes, thickness=thickness) for strokes in self.strokes)

    def redrawn(self, change: PenChange, seed: int) -> LabelledImages:
        """Draw all digits as if written again: each changed anew, with a pen of its own."""
        random = np.random.default_rng(seed)
        return self._digits(
            from_strokes(change(strokes, random), thickness=random.uniform(*change.thickness))
            for strokes in self.strokes
        )

    def _digits(self, images: Iterator[Tensor]) -> LabelledImages:
        drawn = torch.cat([(image[0] * 255).round().to(torch.uint8) for image in images])
        return LabelledImages(drawn, self.labels, name="pen digits")

    def _where(self, chosen: Tensor) -> PenDigits:
        places = chosen.nonzero()[:, 0].tolist()
        strokes = tuple(self.strokes[place] for place in places)
        return PenDigits(strokes, self.labels[chosen], self.writers[chosen])


@dataclass(frozen=True)
class PenChange:
    """How far a digit's strokes are changed, so that 30 writers stand for more.

    Attributes:
        rotation: Largest rotation, in degrees.
        slant: Largest shear, as the tangent of the angle.
        stretch: Largest relative change of the ratio of width to height.
        bend: Standard deviation of a smooth displacement, relative to the digit's size.
        thickness: Thinnest and thickest pen, in pixels of the 28 × 28 image.
    """

    rotation: float = 12.0
    slant: float = 0.25
    stretch: float = 0.2
    bend: float = 0.03
    thickness: tuple[float, float] = (1.5, 4.5)

    def __call__(self, strokes: Sequence[FloatArray], random: np.random.Generator) -> Strokes:
        """Return changed copies of ``[N, 2]`` strokes, about the origin and about 1 in size."""
        points = np.concatenate(strokes)
        low, high = points.min(axis=0), points.max(axis=0)
        size = float((high - low).max()) or 1.0
        placed = (points - (low + high) / 2) / size  # -0.5…0.5
        placed = placed + self._bent(placed, random)
        angle = np.radians(random.uniform(-self.rotation, self.rotation))
        ratio = 1 + random.uniform(-self.stretch, self.stretch)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        shear = np.array([[ratio, 0.0], [random.uniform(-self.slant, self.slant), 1.0]])
        moved = placed @ shear @ turn
        ends = np.cumsum([len(stroke) for stroke in strokes])[:-1]
        return tuple(np.split(moved, ends))

    def _bent(self, placed: FloatArray, random: np.random.Generator) -> FloatArray:
        """Displacements [N, 2] by a few waves about as long as the digit."""
        waves = 4
        frequency = random.normal(0, 4, (2, waves))  # radians a digit's size: about one swing
        phase = random.uniform(0, 2 * np.pi, waves)
        amplitude = random.normal(0, self.bend * np.sqrt(2 / waves), (waves, 2))
        return np.sin(placed @ frequency + phase) @ amplitude


def load_pen(folder: str | os.PathLike[str]) -> PenDigits:
    """Read the pen digits of a folder, the files `*.tra` in the order of their names.

    Raises:
        DataError: There is none, or one cannot be read or holds something else.
    """
    files = sorted(Path(folder).glob(PATTERN))
    if not files:
        raise DataError(
            f"there are no pen digits in {folder}: no file {PATTERN}. "
            f"Put pendigits-orig.tra of {SOURCE} there, unpacked."
        )
    strokes: list[Strokes] = []
    labels: list[int] = []
    writers: list[int] = []
    for file in files:
        try:
            for segment in file.read_text(encoding="ascii").split("\n.SEGMENT")[1:]:
                label, writer, drawn = _segment(segment)
                strokes.append(drawn)
                labels.append(label)
                writers.append(writer)
        except (OSError, ValueError) as error:  # UnicodeDecodeError is a ValueError
            raise DataError(f"{file} cannot be read as pen digits: {error}") from error
    if not strokes:
        raise DataError(f"{files[0]} holds no pen digits; get it again from {SOURCE}.")
    return PenDigits(tuple(strokes), torch.tensor(labels), torch.tensor(writers))


def _segment(text: str) -> tuple[int, int, Strokes]:
    """Label, writer and strokes of one digit in UNIPEN's words, after its `.SEGMENT`."""
    head = _HEAD.match(text)
    if head is None:
        raise ValueError(f"a digit without label or writer: {text.splitlines()[0]!r}")
    strokes = []
    for stroke in _STROKE.findall(text):
        points = np.array(stroke.split(), dtype=np.float64).reshape(-1, 2)
        if len(points):
            strokes.append(points * (1, -1))
    if not strokes:
        raise ValueError(f"a digit without strokes: {text.splitlines()[0]!r}")
    return int(head[1]), int(head[2]), tuple(strokes)
