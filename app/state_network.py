"""The network a visitor looks through: which one, its caches, and what it answers (see `state`).

Every checkpoint in the folder is offered. A network is loaded once per file and shared by all
visitors; which one a visitor chose holds on every page and is in the link.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np
import streamlit as st
import torch

import capsnet
from app import state
from app.inputs import Doubt, Reading, ranked
from capsnet.checkpoint import read_metadata
from capsnet.drawing import SIDE

if TYPE_CHECKING:
    from app.inputs import Floats, Input
    from capsnet.routing import RoutingTrace

REPOSITORY = Path(__file__).parents[1]
CHECKPOINT_VARIABLE = "CAPSNET_CHECKPOINT"  # names one file, or a folder of them
FIRST = ("digits", "mnist")  # are offered in this order, then the others by name
IN_WORDS = {"MNIST": "MNIST alone, as in the paper"}  # other data go by their own names
TORCH_THREADS = 1  # one picture gains nothing from more, and many visitors lose by them
MAX_LOADED = 4  # networks in memory, 33 MB each

_CHOSEN = "network_chosen"
_Q_NETWORK = "network"

Stamp = tuple[int, int] | None  # time and size of a file, if there is one


@dataclass(frozen=True)
class Offer:
    """A checkpoint that a visitor may choose.

    Args:
        path: The file; its stem is the network's name in the link.
        title: What the network was trained on, and its test error.
        problem: Why it cannot be used; empty where nothing is known to be wrong with it.
    """

    path: Path
    title: str = ""
    problem: str = ""

    @property
    def name(self) -> str:
        """What the link calls it."""
        return self.path.stem


@dataclass(frozen=True)
class Network:
    """The loaded model, shared by all visitors: take the lock, enter inference mode, call."""

    model: Any
    key: str
    path: Path
    title: str
    lock: threading.Lock

    @property
    def name(self) -> str:
        """What the link calls it."""
        return self.path.stem


# --- which network ----------------------------------------------------------------------------


def open_link() -> None:
    """At the start of each run: take the network from the link, then keep the whole link true.

    The link is followed when the visitor arrives, and after the browser's Back or Forward.

    Raises:
        CheckpointError: There is no network that can be used; the message says why.
    """
    if _CHOSEN not in st.session_state or state.went_back():
        choose(st.query_params.get(_Q_NETWORK, ""))
        if st.session_state[_CHOSEN] not in ("", network().name):
            choose("")
            state.add_note(
                f"This link names a network that is not here; this is {network().title}."
            )
    current, usable = network().name, [offer.name for offer in offers() if not offer.problem]
    state.write_link(**{_Q_NETWORK: current if current != usable[0] else ""})


def choose(name: str) -> None:
    """Look through the network of this name from now on; "" is whichever the app opens with."""
    st.session_state[_CHOSEN] = name


def network() -> Network:
    """The network this visitor looks through: the chosen one, or the first that can be used.

    Raises:
        CheckpointError: There is none; the message says why.
    """
    chosen = st.session_state.get(_CHOSEN, "")
    for offer in sorted(offers(), key=lambda offer: offer.name != chosen):
        if not offer.problem:
            with contextlib.suppress(capsnet.CheckpointError):  # which `offers` then tells
                return _open(offer.path)
    raise capsnet.CheckpointError(offers()[0].problem)


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
        return Offer(path, loaded.title) if loaded else Offer(path, "", offer.problem or problem)
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
    data, metrics = told.get("data"), told.get("metrics")
    kind = str(data or path.stem).split(" of ")[0]  # "pen strokes of 30 writers": not how many
    title = IN_WORDS.get(kind, kind)
    wrong = metrics.get("error_percent") if isinstance(metrics, Mapping) else None
    measured = f" ({wrong:.2f} % test error)" if isinstance(wrong, int | float) else ""
    return Offer(path, title + measured)


def _open(path: Path) -> Network:
    """The network of a file, loaded again when the file changes.

    Where the file is removed or damaged later, the network that was loaded from it goes on.

    Raises:
        CheckpointError: The file is missing or broken; the message says how.
    """
    stamp = stamp_of(path)
    try:
        _loaded()[path] = loaded = _load(path, stamp)
    except capsnet.CheckpointError as error:
        _failed()[path] = (stamp, str(error))
        if before := _loaded().get(path):
            return before
        raise
    return loaded


@st.cache_resource(max_entries=MAX_LOADED, show_spinner="Loading the network …")
def _load(path: Path, stamp: Stamp) -> Network:
    """Load a checkpoint; `stamp` makes a changed file another entry."""
    torch.set_num_threads(TORCH_THREADS)
    model = capsnet.load_checkpoint(path)
    shape = (model.config.image_channels, model.config.image_size)
    if shape != (1, SIDE):
        raise capsnet.CheckpointError(
            f"{path} takes images of {shape[1]} × {shape[1]} pixels in {shape[0]} channels; the "
            f"app draws {SIDE} × {SIDE} pixels in one."
        )
    key = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return Network(model, key, path, _describe(path, stamp).title, threading.Lock())


@st.cache_resource
def _loaded() -> WeakValueDictionary[Path, Network]:
    """The last network that each file gave, as long as `_load` keeps it."""
    return WeakValueDictionary()


@st.cache_resource
def _failed() -> dict[Path, tuple[Stamp, str]]:
    """How the file was that could not be loaded, and why."""
    return {}


# --- what it answers --------------------------------------------------------------------------


def reading(given: Input) -> Reading:
    """The network's answer to an input."""
    return readings(given.image)[0]


def readings(images: Floats) -> list[Reading]:
    """The network's answers to images [B, 1, 28, 28], for half the time of one after the other."""
    net = network()
    lengths, poses, rebuilt = _forward(net, net.key, images)
    errors = ((rebuilt - images[:, None]) ** 2).sum(axis=(2, 3, 4))
    return [
        Reading(
            lengths=lengths[b],
            poses=poses[b],
            reconstructions=rebuilt[b, :, 0],
            errors=(float(errors[b, 0]), float(errors[b, 1])),
            names=tuple(net.model.class_names),
            doubt=Doubt.measured(net.model.metrics),
        )
        for b in range(len(images))
    ]


def shelf_verdicts() -> list[int]:
    """What the network reads in each sample."""
    images = state.shelf().images[:, None].astype(np.float32) / np.float32(255)
    net = network()
    lengths, _, _ = _forward(net, net.key, images)
    return [int(digit) for digit in lengths.argmax(axis=1)]


@st.cache_data(max_entries=512, show_spinner=False)
def _forward(_net: Network, key: str, images: Floats) -> tuple[Floats, Floats, Floats]:
    """What the network, named by `key` in the cache, makes of images [B, 1, 28, 28].

    Returns:
        Lengths [B, 10], poses [B, 10, 16], and what the longest capsule and the second longest
        draw, [B, 2, 1, 28, 28].
    """
    with _net.lock, torch.inference_mode():
        out = _net.model(torch.from_numpy(images))
        lengths = out.lengths.float().numpy()
        candidates = torch.from_numpy(ranked(lengths)[:, :2].copy())
        rebuilt = [_net.model.decode(out.poses, digits) for digits in candidates.unbind(1)]
    return lengths, out.poses.float().numpy(), torch.stack(rebuilt, dim=1).float().numpy()


def trace_of(given: Input, iterations: int = 10, net: Network | None = None) -> dict[str, Floats]:
    """Every quantity of every routing iteration, without the batch axis.

    Args:
        given: The input.
        iterations: T.
        net: The network; None is this visitor's, whom only a run of a page knows.

    Returns:
        primary [1152, 8], votes [1152, 10, 16], logits, couplings, agreements [T, 1152, 10],
        poses [T, 10, 16], lengths [T, 10].
    """
    net = net or network()
    return _trace(net, net.key, given.image, iterations)


@st.cache_data(max_entries=16, show_spinner=False)
def _trace(_net: Network, key: str, image: Floats, iterations: int) -> dict[str, Floats]:
    """The trace of one image; `key` names the network in the cache."""
    with _net.lock, torch.inference_mode():
        trace = _net.model.trace(torch.from_numpy(image), iterations=iterations)
    return arrays(trace)


def arrays(trace: RoutingTrace) -> dict[str, Floats]:
    """The quantities of `trace_of`, from a trace of one image."""
    still = {name: getattr(trace, name)[0] for name in ("primary", "votes")}
    moving = ("logits", "couplings", "agreements", "poses", "lengths")
    stepped = {name: getattr(trace, name)[:, 0] for name in moving}
    return {name: value.float().numpy() for name, value in (still | stepped).items()}
