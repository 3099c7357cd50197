"""The MNIST images and labels, through torchvision, held in memory as bytes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from torch import Tensor
from torchvision.datasets import MNIST

CLASS_NAMES = tuple("0123456789")
FILES = tuple(
    f"{part}-{kind}-ubyte" for part in ("train", "t10k") for kind in ("images-idx3", "labels-idx1")
)


class DataError(ValueError):
    """The data set is missing or broken; the message says what to do."""


@dataclass(frozen=True)
class Digits:
    """Images and their labels.

    Attributes:
        images: uint8 [N, 28, 28], 0 is paper and 255 is ink.
        labels: int64 [N].
    """

    images: Tensor
    labels: Tensor

    def __len__(self) -> int:
        """Return the number of images."""
        return len(self.labels)

    def take(self, count: int | None) -> Digits:
        """Return the first `count` images, all of them for None."""
        return Digits(self.images[:count], self.labels[:count])

    def split(self, held_out: int) -> tuple[Digits, Digits | None]:
        """Return all but the last `held_out` images, and those; None for 0.

        Raises:
            DataError: Nothing would be left.
        """
        if not held_out:
            return self, None
        kept = len(self) - held_out
        if kept < 1:
            raise DataError(f"{held_out} of {len(self)} images cannot be held out")
        return self.take(kept), Digits(self.images[kept:], self.labels[kept:])


def to_input(images: Tensor) -> Tensor:
    """Turn uint8 images [B, 28, 28] into network inputs [B, 1, 28, 28], 0…1."""
    return images[:, None].float() / 255


def load_mnist(data_dir: str | os.PathLike[str], *, train: bool) -> Digits:
    """Read MNIST's training or test set; download it first where it is missing.

    Args:
        data_dir: torchvision's root: it holds `MNIST/raw/train-images-idx3-ubyte` and so on.
        train: The 60,000 training images, otherwise the 10,000 test images.

    Raises:
        DataError: The files are missing and cannot be downloaded, or they cannot be read.
    """
    root = Path(data_dir)
    raw = root / "MNIST" / "raw"
    # torchvision reads none of the four files unless all are there.
    missing = [file.name for file in (raw / name for name in FILES) if not file.is_file()]
    if missing:
        try:
            MNIST(str(root), train=train, download=True)
        except (RuntimeError, OSError) as error:
            raise DataError(
                f"MNIST is not in {root} and could not be downloaded ({_first_line(error)}). "
                f"Put the unpacked files {', '.join(missing)} into {raw}."
            ) from error
    try:
        dataset = MNIST(str(root), train=train)
        images, labels = dataset.data, dataset.targets
    except (ValueError, RuntimeError, OSError, AssertionError, KeyError, IndexError) as error:
        raise DataError(
            f"the MNIST files in {raw} cannot be read ({_first_line(error)}). "
            "Delete them to have them downloaded again."
        ) from error
    if len(images) != len(labels) or images.shape[1:] != (28, 28) or not len(labels):
        raise DataError(
            f"the MNIST files in {raw} do not belong together: images "
            f"{list(images.shape)}, labels {list(labels.shape)}. Delete them to have them "
            "downloaded again."
        )
    if int(labels.max()) >= len(CLASS_NAMES):
        raise DataError(f"the labels in {raw} go above 9: they are not MNIST's.")
    return Digits(images, labels.long())


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
