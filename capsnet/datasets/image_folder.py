"""A folder of images as a data set: its subfolders are the classes, in natural order.

Either it holds `train` and `test`, each with the same classes, or the classes themselves: then the
first, seventh, thirteenth … image of each class, in the natural order of the names, is for the
test. Either way the images come with their classes mixed evenly, in the same order every time, so
that the first or last so many of them hold all classes in their proportions.

A picture of any format that Pillow reads is turned upright as its camera says and to grey, and
fitted whole into the middle of 28 × 28 pixels. Its values stay as they are: ink is bright on dark
paper, as in MNIST. What is transparent, and what lies beside a picture that is not square, is
paper. Passed over are hidden files, and files beside the folders of the classes; any other file
that is no picture is refused.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageOps
from tqdm import tqdm

from capsnet.datasets.labelled import DataError, LabelledImages, first_line
from capsnet.preprocessing.drawing import SIDE

TEST_EVERY = 6
"""Of a folder without `train` and `test`, one image of so many of each class is for the test."""

log = logging.getLogger(__name__)


def load_image_folder(
    folder: str | os.PathLike[str], *, train: bool, progress: bool = False
) -> LabelledImages:
    """Read the training or the test images of a folder.

    Args:
        folder: Its subfolders are the classes, or `train` and `test`, which hold them.
        train: The training images, otherwise the test images.
        progress: Show a bar on standard error.

    Raises:
        DataError: There are fewer than two classes, a class without images, other classes in
            `train` than in `test`, or a file that is no picture.
    """
    folder = Path(folder)
    try:
        classes = _files(folder, train)
    except OSError as error:
        raise DataError(f"{error.filename} cannot be read: {error.strerror}") from error
    chosen = _mixed(list(classes.values()))
    kind = "training images" if train else "test images"
    with tqdm(chosen, desc=kind, unit="image", disable=not progress, leave=False) as bar:
        images = torch.from_numpy(np.stack([_picture(file) for file, _ in bar]))
    labels = torch.tensor([label for _, label in chosen])
    mean = float(images.float().mean()) / 255
    if train and mean > 0.5:
        log.warning(
            "the images in %s are bright, %.2f in the mean of 0…1. The network takes bright for "
            "ink: invert them if they are dark on light paper.",
            folder,
            mean,
        )
    return LabelledImages(images, labels, tuple(classes), folder.resolve().name)


def _files(folder: Path, train: bool) -> dict[str, list[Path]]:
    """The files of each class, by its name."""
    inside = _folders(folder)
    if {"train", "test"} <= inside.keys():
        if others := sorted(inside.keys() - {"train", "test"}):
            raise DataError(
                f"{folder} holds train and test, and {', '.join(others)} besides: take that away, "
                "for it is not clear what it is for"
            )
        here, there = (_folders(inside[part]) for part in ("train", "test"))
        if odd := sorted(here.keys() ^ there.keys()):
            raise DataError(f"of train and test in {folder} only one has {', '.join(odd)}")
        return _classes(inside["train" if train else "test"])
    for part, other in (("train", "test"), ("test", "train")):
        if part in inside and _folders(inside[part]):
            raise DataError(f"{folder} holds {part}, with folders in it, but no {other}")
    classes = _classes(folder)
    for name, files in classes.items():
        if len(files) == 1:
            raise DataError(f"{folder / name} holds one image, and needs one for the test besides")
        classes[name] = [one for at, one in enumerate(files) if (at % TEST_EVERY > 0) == train]
    return classes


def _classes(folder: Path) -> dict[str, list[Path]]:
    """All files of each class in a folder, by its name."""
    classes = {name: _pictures(inside) for name, inside in _folders(folder).items()}
    if len(classes) < 2:
        found = f"one class alone, {next(iter(classes))}" if classes else "no folders of images"
        raise DataError(f"{folder} holds {found}: each of two or more classes needs a folder in it")
    if empty := [name for name, files in classes.items() if not files]:
        raise DataError(f"there are no images in {', '.join(empty)} of {folder}")
    return classes


def _folders(folder: Path) -> dict[str, Path]:
    """The folders in a folder by their names, in natural order."""
    inside = (path for path in folder.iterdir() if path.is_dir() and path.name[0] != ".")
    return {path.name: path for path in sorted(inside, key=_natural)}


def _pictures(folder: Path) -> list[Path]:
    """The files of a class, in natural order."""
    inside = [path for path in folder.iterdir() if path.name[0] != "."]
    for path in inside:
        if path.is_dir():
            raise DataError(
                f"{path} is a folder in that of the class {folder.name}: it holds images"
            )
    return sorted(inside, key=_natural)


def _natural(path: Path) -> tuple[list[str | int], str]:
    """What to sort names by so that 2 comes before 10."""
    parts = re.split("([0-9]+)", path.name.casefold())
    return [int(part) if at % 2 else part for at, part in enumerate(parts)], path.name


def _mixed(classes: Sequence[Sequence[Path]]) -> list[tuple[Path, int]]:
    """All files with their labels, each class spread evenly from the first place to the last."""
    placed = [
        ((place + 0.5) / len(files), label, file)
        for label, files in enumerate(classes)
        for place, file in enumerate(files)
    ]
    return [(file, label) for _, label, file in sorted(placed, key=lambda one: one[:2])]


def _picture(file: Path) -> NDArray[np.uint8]:
    """A picture as [28, 28]."""
    try:
        with Image.open(file) as opened:
            if getattr(opened, "is_animated", False) and opened.format != "MPO":
                raise DataError(f"{file} moves or has several pages: save the one that counts")
            grey = _grey(ImageOps.exif_transpose(opened))
    except DataError:
        raise
    except Exception as error:  # what a broken file makes Pillow's decoders raise is not foreseen
        raise DataError(
            f"{file} cannot be read as a picture ({first_line(error)}): take it away, or save it "
            "again as a PNG of usual size"
        ) from error
    scale = SIDE / max(grey.size)
    width, height = (max(1, round(scale * side)) for side in grey.size)
    sheet = Image.new("L", (SIDE, SIDE))
    fitted = grey.resize((width, height), Image.Resampling.BILINEAR)
    sheet.paste(fitted, ((SIDE - width) // 2, (SIDE - height) // 2))
    return np.array(sheet)


def _grey(picture: Image.Image) -> Image.Image:
    """A picture in 256 greys, on black where it is transparent."""
    if picture.mode in ("I", "F"):
        raise ValueError("values of 32 bits, whose range is not known")
    if picture.mode.startswith("I;16"):
        return Image.fromarray((np.asarray(picture) >> 8).astype(np.uint8))
    if not picture.has_transparency_data:
        return picture.convert("L")
    seen = picture.convert("RGBA")
    black = Image.new("RGBA", seen.size, (0, 0, 0, 255))
    return Image.alpha_composite(black, seen).convert("L")
