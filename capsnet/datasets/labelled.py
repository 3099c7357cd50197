"""Images with their labels, held in memory as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from torch import Tensor

DIGITS = tuple("0123456789")


class DataError(ValueError):
    """The data set is missing or broken; the message says what to do."""


@dataclass(frozen=True)
class LabelledImages:
    """Images and what they show.

    Attributes:
        images: uint8 [N, 28, 28], 0 is paper and 255 is ink.
        labels: int64 [N], places in `class_names`.
        class_names: What the classes are called; the digits by default.
        name: What the set is called, for the reader.
    """

    images: Tensor
    labels: Tensor
    class_names: tuple[str, ...] = DIGITS
    name: str = ""

    def __len__(self) -> int:
        """Return the number of images."""
        return len(self.labels)

    def take(self, count: int | None) -> LabelledImages:
        """Return the first `count` images, all of them for None."""
        return replace(self, images=self.images[:count], labels=self.labels[:count])

    def split(self, held_out: int) -> tuple[LabelledImages, LabelledImages | None]:
        """Return all but the last `held_out` images, and those; None for 0.

        Raises:
            DataError: Nothing would be left.
        """
        if not held_out:
            return self, None
        kept = len(self) - held_out
        if kept < 1:
            raise DataError(f"{held_out} of {len(self)} images cannot be held out")
        last = replace(self, images=self.images[kept:], labels=self.labels[kept:])
        return self.take(kept), last


def to_input(images: Tensor) -> Tensor:
    """Turn uint8 images [B, 28, 28] into network inputs [B, 1, 28, 28], 0…1."""
    return images[:, None].float() / 255


def in_words(class_names: Sequence[str], most: int = 10) -> str:
    """Return the names of some classes, `most` of them, for a message."""
    more = f" and {len(class_names) - most} more" if len(class_names) > most else ""
    return ", ".join(class_names[:most]) + more


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says, its kind where it says nothing."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
