"""What a network is trained and tested on: a data set known by name, or a folder of images."""

from __future__ import annotations

import os
from pathlib import Path

from capsnet.datasets.idx_sets import IDX_SETS, load_idx_set
from capsnet.datasets.image_folder import load_image_folder
from capsnet.datasets.labelled import DIGITS, DataError, LabelledImages, in_words, to_input

__all__ = [
    "DATASETS",
    "DIGITS",
    "DataError",
    "LabelledImages",
    "dataset_of",
    "in_words",
    "load_dataset",
    "to_input",
]

DATASETS = tuple(IDX_SETS)
"""The sets known by name."""


def load_dataset(
    name: str, data_dir: str | os.PathLike[str], *, train: bool, progress: bool = False
) -> LabelledImages:
    """Read the training or the test images of a set.

    Args:
        name: "mnist", "fashion-mnist", "kmnist" or "emnist-digits", which are downloaded where they
            are missing, or the path of a folder of images (see `capsnet.datasets.image_folder`).
        data_dir: Where the sets known by name lie: torchvision's root, which holds `MNIST/raw/…`.
        train: The training images, otherwise the test images.
        progress: Show a bar on standard error while the images of a folder are read.

    Raises:
        DataError: There is no such set, or it is missing or broken.
    """
    if name in IDX_SETS:
        return load_idx_set(IDX_SETS[name], data_dir, train=train)
    if Path(name).is_dir():
        return load_image_folder(name, train=train, progress=progress)
    raise DataError(
        f"there is no data set {name!r}: it is none of {', '.join(DATASETS)} and no folder of "
        "images"
    )


def dataset_of(source: str) -> str:
    """Return the name of the set that a checkpoint's `data` speaks of: "mnist" for "MNIST and …".

    Raises:
        DataError: It is none of those known by name.
    """
    for name, known in IDX_SETS.items():
        if source == known.title or source.startswith(f"{known.title} and "):
            return name
    told = f"the images in {source!r}" if source else "data that it does not tell"
    raise DataError(f"the network was trained on {told}: say with --dataset where to find them")
