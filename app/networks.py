"""The networks there are: every checkpoint in a folder, loaded once and shared by all visitors."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import streamlit as st
import torch

import capsnet
from app import samples
from capsnet.checkpoint import read_metadata
from capsnet.config import CapsNetConfig
from capsnet.preprocessing.drawing import SIDE

if TYPE_CHECKING:
    from app.samples import Samples

REPOSITORY = Path(__file__).parents[1]
CHECKPOINT_VARIABLE = "CAPSNET_CHECKPOINT"  # names one file, or a folder of them
FIRST = ("digits", "mnist")  # are offered in this order, then the others by name
TORCH_THREADS = 1  # one picture gains nothing from more, and many visitors lose by them
MAX_LOADED = 4  # networks in memory, 33 MB each

_AND_STROKES = " and pen strokes"  # how data goes on that holds some beside a set of images

Stamp = tuple[int, int] | None  # time and size of a file, if there is one


@dataclass(frozen=True)
class Offer:
    """A checkpoint that a visitor may choose.

    Args:
        path: The file; its stem is the network's name in the link.
        title: What the network was trained on, and its test error.
        data: The data set that its test images are of.
        problem: Why it cannot be used; empty where nothing is known to be wrong with it.
    """

    path: Path
    title: str = ""
    data: str = ""
    problem: str = ""

    @property
    def name(self) -> str:
        """What the link calls it."""
        return self.path.stem


@dataclass(frozen=True)
class Network:
    """The loaded model, shared by all visitors: take the lock, enter inference mode, call.

    Args:
        model: The network.
        key: Names the file's content.
        path: The file.
        title: As in the offer.
        samples: What lies on its shelf; maybe nothing.
        test_set: The data set that these samples are test images of.
        lock: For whoever calls the model.
    """

    model: Any
    key: str
    path: Path
    title: str
    samples: Samples
    test_set: str
    lock: threading.Lock

    @property
    def name(self) -> str:
        """What the link calls it."""
        return self.path.stem

    @property
    def names(self) -> tuple[str, ...]:
        """What its classes are called."""
        return tuple(self.model.class_names)


def offers() -> list[Offer]:
    """The checkpoints there are; the app opens with the first that can be used.

    Raises:
        CheckpointError: There is none.
    """
    source = checkpoint_path()
    if not source.is_dir():
        return [_offer(source)]
    paths = [path for path in source.glob("*.safetensors") if ".resume" not in path.name]
    if not paths:
        raise capsnet.CheckpointError(f"There is no checkpoint in {source}.")
    places = {name: place for place, name in enumerate(FIRST)}
    paths.sort(key=lambda path: (places.get(path.stem, len(places)), path.stem))
    return [_offer(path) for path in paths]


def checkpoint_path() -> Path:
    """Where the networks are: what CAPSNET_CHECKPOINT names, or the folder that comes with us."""
    return REPOSITORY / (os.environ.get(CHECKPOINT_VARIABLE) or "checkpoints")


def _offer(path: Path) -> Offer:
    """What a file offers; one that was damaged since it was loaded goes on as it was."""
    stamp = stamp_of(path)
    failed_stamp, problem = _failed().get(path, (stamp, ""))
    offer = _describe(path, stamp)
    if offer.problem or (problem and failed_stamp == stamp):
        loaded = _loaded().get(path)
        if not loaded:
            return replace(offer, problem=offer.problem or problem)
        return Offer(path, loaded.title, loaded.test_set)
    return offer


def stamp_of(path: Path) -> Stamp:
    """What changes when a file does."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


@st.cache_resource(max_entries=64, show_spinner=False)
def _describe(path: Path, stamp: Stamp) -> Offer:
    """What a file says about itself; `stamp` makes a changed file another entry."""
    try:
        told = read_metadata(path)
    except capsnet.CheckpointError as error:
        return Offer(path, problem=str(error))
    data, metrics = str(told.get("data") or path.stem), told.get("metrics")
    test_set, *strokes = data.split(_AND_STROKES)  # of how many writers does not matter here
    title = f"{test_set}{_AND_STROKES}" if strokes else test_set
    if title == "MNIST" and told.get("config") == CapsNetConfig().to_dict():
        title = "MNIST alone, as in the paper"
    wrong = metrics.get("error_percent") if isinstance(metrics, Mapping) else None
    measured = f" ({wrong:.2f} % test error)" if isinstance(wrong, int | float) else ""
    return Offer(path, title + measured, test_set)


def opened(path: Path) -> Network:
    """The network of a file, loaded again when the file changes.

    Where the file is removed or damaged later, the network that was loaded from it goes on.

    Raises:
        CheckpointError: The file is missing or broken; the message says how.
    """
    stamp = stamp_of(path)
    try:
        _loaded()[path] = loaded = load(path, stamp)
    except capsnet.CheckpointError as error:
        _failed()[path] = (stamp, str(error))
        if before := _loaded().get(path):
            return before
        raise
    return loaded


@st.cache_resource(max_entries=MAX_LOADED, show_spinner="Loading the network …")
def load(path: Path, stamp: Stamp) -> Network:
    """Load a checkpoint; `stamp` makes a changed file another entry."""
    torch.set_num_threads(TORCH_THREADS)
    model = capsnet.load_checkpoint(path)
    shape = (model.config.image_channels, model.config.image_size)
    if shape != (1, SIDE):
        raise capsnet.CheckpointError(
            f"{path} takes images of {shape[1]} × {shape[1]} pixels in {shape[0]} channels; the "
            f"app draws {SIDE} × {SIDE} pixels in one."
        )
    if model.config.classes < 2:
        raise capsnet.CheckpointError(f"{path} knows one class alone: there is nothing to tell.")
    key = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    offer = _describe(path, stamp)
    shelf, test_set = samples.on_shelf(model, offer.data)
    return Network(model, key, path, offer.title, shelf, test_set, threading.Lock())


@st.cache_resource
def _loaded() -> WeakValueDictionary[Path, Network]:
    """The last network that each file gave, as long as `load` keeps it."""
    return WeakValueDictionary()


@st.cache_resource
def _failed() -> dict[Path, tuple[Stamp, str]]:
    """How the file was that could not be loaded, and why."""
    return {}
