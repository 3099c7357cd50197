"""MNIST and the sets made in its image, through torchvision: four IDX files each."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from torchvision.datasets import EMNIST, KMNIST, MNIST, FashionMNIST

from capsnet.datasets.labelled import DIGITS, DataError, LabelledImages, first_line


@dataclass(frozen=True)
class IdxSet:
    """A data set that torchvision reads and downloads.

    Attributes:
        title: What it is called, for the reader.
        kind: torchvision's class; the files lie in a folder of its name.
        class_names: What its classes are called.
        split: Which part of EMNIST, whose files hold every image with rows and columns swapped.
    """

    title: str
    kind: type[MNIST]
    class_names: tuple[str, ...] = DIGITS
    split: str = ""

    def missing(self, raw: Path) -> list[str]:
        """Return which of its four files are not in a folder."""
        stem = f"emnist-{self.split}-" if self.split else ""
        parts = ("train", "test") if self.split else ("train", "t10k")
        kinds = ("images-idx3", "labels-idx1")
        names = [f"{stem}{part}-{kind}-ubyte" for part in parts for kind in kinds]
        return [name for name in names if not (raw / name).is_file()]


IDX_SETS = {
    "mnist": IdxSet("MNIST", MNIST),
    "fashion-mnist": IdxSet(
        "Fashion-MNIST",
        FashionMNIST,
        (
            "T-shirt/top",
            "Trouser",
            "Pullover",
            "Dress",
            "Coat",
            "Sandal",
            "Shirt",
            "Sneaker",
            "Bag",
            "Ankle boot",
        ),
    ),
    # The sound first: it can be read by everybody, and where a font lacks the character.
    "kmnist": IdxSet(
        "KMNIST",
        KMNIST,
        ("o お", "ki き", "su す", "tsu つ", "na な", "ha は", "ma ま", "ya や", "re れ", "wo を"),
    ),
    "emnist-digits": IdxSet("EMNIST digits", EMNIST, split="digits"),
}
"""The sets by the names that the command lines take."""


def load_idx_set(
    wanted: IdxSet, data_dir: str | os.PathLike[str], *, train: bool
) -> LabelledImages:
    """Read a set's training or test images; download them first where they are missing.

    Args:
        wanted: Which set.
        data_dir: torchvision's root: it holds `MNIST/raw/train-images-idx3-ubyte` and so on.
        train: The training images (MNIST: 60,000), otherwise the test images (10,000).

    Raises:
        DataError: Files are missing and cannot be downloaded, they cannot be read, or they do not
            belong together.
    """
    root = Path(data_dir)
    title, raw = wanted.title, root / wanted.kind.__name__ / "raw"
    settings = {"split": wanted.split} if wanted.split else {}
    missing = wanted.missing(raw)
    try:
        dataset = wanted.kind(str(root), train=train, download=bool(missing), **settings)
        images, labels = dataset.data, dataset.targets
    except (ValueError, RuntimeError, OSError, AssertionError, KeyError, IndexError) as error:
        if missing := wanted.missing(raw):
            raise DataError(
                f"{title} is not in {root} and could not be downloaded ({first_line(error)}). "
                f"Put the unpacked files {', '.join(missing)} into {raw}."
            ) from error
        raise DataError(
            f"the {title} files in {raw} cannot be read ({first_line(error)}). "
            "Delete them to have them downloaded again."
        ) from error
    if len(images) != len(labels) or images.shape[1:] != (28, 28) or not len(labels):
        raise DataError(
            f"the {title} files in {raw} do not belong together: images {list(images.shape)}, "
            f"labels {list(labels.shape)}. Delete them to have them downloaded again."
        )
    highest = len(wanted.class_names) - 1
    if int(labels.max()) > highest:
        raise DataError(f"the labels in {raw} go above {highest}: they are not {title}'s.")
    if wanted.split:
        images = images.transpose(1, 2).contiguous()
    return LabelledImages(images, labels.long(), wanted.class_names, title)
