"""The one place that names session state, query parameters and caches.

The current input is a drawing, a sample or an uploaded picture. It is kept per visitor, shared by
all views, survives moving between them, and is in the link (an upload is not: it stays here).
"""

from __future__ import annotations

import hashlib
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st
import torch

import capsnet
from app import links, samples
from app.inputs import Drawing, Input, Kind, Reading, Step
from app.pictures import Upload, read_upload
from capsnet.drawing import SIDE
from capsnet.preprocess import DrawingError, stroke_steps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.inputs import Floats
    from app.links import Stroke

REPOSITORY = Path(__file__).parents[1]
CHECKPOINTS = ("checkpoints/digits.safetensors", "checkpoints/mnist.safetensors")  # first found
CHECKPOINT_VARIABLE = "CAPSNET_CHECKPOINT"
TORCH_THREADS = 1  # one picture gains nothing from more, and many visitors lose by them

# Session keys; no other module spells them.
_KIND, _SAMPLE, _DRAWING, _UPLOAD = "input_kind", "input_sample", "input_drawing", "input_upload"
_REVISION, _PROBLEM = "input_revision", "upload_problem"
_NOTE, _NOTE_DROPPED = "link_note", "link_note_dropped"
# Query parameters of the input; views may add their own.
_Q_SAMPLE, _Q_STROKES = "sample", "strokes"


@dataclass(frozen=True)
class Network:
    """The loaded model, shared by all visitors: take the lock, enter inference mode, call."""

    model: Any
    key: str
    path: Path
    lock: threading.Lock


# --- the network ------------------------------------------------------------------------------


def checkpoint_path() -> Path:
    """The checkpoint the app shows: the variable CAPSNET_CHECKPOINT, or the first that exists."""
    named = os.environ.get(CHECKPOINT_VARIABLE)
    if named:
        return REPOSITORY / named
    paths = [REPOSITORY / name for name in CHECKPOINTS]
    return next((path for path in paths if path.is_file()), paths[-1])


def network() -> Network:
    """The network, loaded once per server and again when its file changes.

    Where the file is removed or damaged later, the network that was loaded from it goes on.

    Raises:
        CheckpointError: The file is missing or broken; the message says how.
    """
    path = checkpoint_path()
    stamp = path.stat() if path.is_file() else None
    try:
        loaded = _load(path, stamp and (stamp.st_mtime_ns, stamp.st_size))
    except capsnet.CheckpointError:
        if path not in _loaded():
            raise
        return _loaded()[path]
    _loaded()[path] = loaded
    return loaded


@st.cache_resource
def _loaded() -> dict[Path, Network]:
    """The last network that each file gave."""
    return {}


@st.cache_resource(max_entries=2, show_spinner="Loading the network …")
def _load(path: Path, stamp: tuple[int, int] | None) -> Network:
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
    return Network(model=model, key=key, path=path, lock=threading.Lock())


def reading(given: Input) -> Reading:
    """The network's answer to an input."""
    net = network()
    lengths, poses, reconstruction = _forward(net, net.key, given.image)
    return Reading(
        lengths=lengths[0],
        poses=poses[0],
        reconstruction=reconstruction[0, 0],
        error=float(((reconstruction - given.image) ** 2).sum()),
        names=tuple(net.model.class_names),
    )


@st.cache_data(max_entries=512, show_spinner=False)
def _forward(_net: Network, key: str, images: Floats) -> tuple[Floats, Floats, Floats]:
    """Lengths, poses and reconstructions of images; `key` names the network in the cache."""
    with _net.lock, torch.inference_mode():
        out = _net.model(torch.from_numpy(images))
        recon = _net.model.decode(out.poses, None)
    return out.lengths.float().numpy(), out.poses.float().numpy(), recon.float().numpy()


def trace_of(given: Input, iterations: int = 10) -> dict[str, Floats]:
    """Every quantity of every routing iteration, without the batch axis.

    Returns:
        primary [1152, 8], votes [1152, 10, 16], logits, couplings, agreements [T, 1152, 10],
        poses [T, 10, 16], lengths [T, 10].
    """
    net = network()
    return _trace(net, net.key, given.image, iterations)


@st.cache_data(max_entries=16, show_spinner=False)
def _trace(_net: Network, key: str, image: Floats, iterations: int) -> dict[str, Floats]:
    """The trace of one image; `key` names the network in the cache."""
    with _net.lock, torch.inference_mode():
        trace = _net.model.trace(torch.from_numpy(image), iterations=iterations)
    still = {name: getattr(trace, name)[0] for name in ("primary", "votes")}
    moving = ("logits", "couplings", "agreements", "poses", "lengths")
    stepped = {name: getattr(trace, name)[:, 0] for name in moving}
    return {name: value.float().numpy() for name, value in (still | stepped).items()}


# --- the samples ------------------------------------------------------------------------------


@st.cache_resource
def shelf() -> samples.Samples:
    """The samples that come with the app."""
    return samples.load()


def shelf_verdicts() -> list[int]:
    """What the network reads in each sample."""
    images = shelf().images[:, None].astype(np.float32) / np.float32(255)
    net = network()
    lengths, _, _ = _forward(net, net.key, images)
    return [int(digit) for digit in lengths.argmax(axis=1)]


# --- the current input ------------------------------------------------------------------------


def current_input() -> Input:
    """What this visitor is looking at."""
    kind: Kind = st.session_state.get(_KIND, "sample")
    if kind == "strokes":
        strokes = drawing().strokes
        image, centred = _rasterise(links.pack(strokes))
        steps = (
            Step("As drawn", strokes, links.GRID),
            Step("Scaled and centred", centred, image.shape[-1]),
        )
        return Input(kind, image, "your drawing", strokes=strokes, steps=steps if centred else ())
    if kind == "upload":
        upload: Upload = st.session_state[_UPLOAD]
        return Input(kind, upload.image, upload.name, steps=upload.steps)
    return _sample_input(_sample_chosen())


def _sample_chosen() -> int:
    """Test index of the sample chosen last, if it is still on the shelf; else the opening one."""
    index = st.session_state.get(_SAMPLE, shelf().opening)
    return shelf().opening if shelf().place(index) is None else index


def _sample_input(index: int) -> Input:
    """The input that a sample on the shelf is."""
    place = shelf().place(index)
    image = shelf().images[place].astype(np.float32)[None, None] / np.float32(255)
    label = int(shelf().labels[place])
    return Input("sample", image, f"MNIST test image {index}", label=label, sample=index)


@st.cache_data(max_entries=512, show_spinner=False)
def _rasterise(packed: bytes) -> tuple[Floats, list[Stroke]]:
    """The 28 × 28 image of packed strokes and the centred strokes; blank where there are none."""
    try:
        steps = stroke_steps(links.unpack(packed))
    except (DrawingError, ValueError):
        return np.zeros((1, 1, 28, 28), dtype=np.float32), []
    return steps.image.numpy(), [stroke.round(2).tolist() for stroke in steps.centred]


def set_sample(index: int) -> None:
    """Look at a sample, named by its index in the MNIST test set; the drawing is kept."""
    st.session_state[_KIND], st.session_state[_SAMPLE] = "sample", index
    _settle()


def set_strokes(strokes: Sequence[Stroke]) -> None:
    """Look at these strokes, as if they had just been drawn on an empty pad."""
    st.session_state[_REVISION] = drawing_revision() + 1
    set_drawing(Drawing(ops=list(strokes), seq=drawing().seq))


def set_drawing(value: Drawing, *, finished: bool = True) -> None:
    """Look at the pad's drawing; its link is made when the pen is lifted (`finished`)."""
    st.session_state[_KIND], st.session_state[_DRAWING] = "strokes", value
    if finished:
        _settle()


def drawing() -> Drawing:
    """The pad's drawing with its history, kept whatever else is looked at."""
    return st.session_state.get(_DRAWING, Drawing())


def drawing_revision() -> int:
    """Rises when the drawing changed by other means than the pad."""
    return st.session_state.get(_REVISION, 0)


def set_upload(data: bytes, name: str) -> None:
    """Look at an uploaded picture; if it cannot be used, `upload_problem` says why."""
    try:
        upload = read_upload(data, name)
    except DrawingError as error:
        st.session_state[_PROBLEM] = str(error)
        return
    st.session_state[_KIND], st.session_state[_UPLOAD] = "upload", upload
    _settle()


def forget_upload() -> None:
    """Drop the uploaded picture, and look at the sample again if it was what is looked at."""
    st.session_state.pop(_PROBLEM, None)
    st.session_state.pop(_UPLOAD, None)
    if st.session_state[_KIND] == "upload":
        st.session_state[_KIND] = "sample"
        _settle()


def upload_problem() -> str | None:
    """Why the last upload cannot be used, until another input is chosen."""
    return st.session_state.get(_PROBLEM)


# --- the link ---------------------------------------------------------------------------------


def open_link() -> None:
    """At the start of each run: take the input from the link once, then keep the link true."""
    if _KIND not in st.session_state:
        st.session_state[_KIND] = "sample"
        try:
            _follow_link()
        except (links.LinkError, ValueError) as error:
            st.session_state[_NOTE] = f"{error} Here is a sample instead."
    _write_link()


def note() -> str | None:
    """What was wrong with the link, until the visitor chooses another input."""
    return st.session_state.get(_NOTE)


def note_dropped() -> bool:
    """True once after the note on the page has become untrue."""
    return bool(st.session_state.pop(_NOTE_DROPPED, False))


def _follow_link() -> None:
    """Set the input that the query parameters name."""
    if _Q_STROKES in st.query_params:
        set_strokes(links.decode(st.query_params[_Q_STROKES]))
    elif _Q_SAMPLE in st.query_params:
        named = st.query_params[_Q_SAMPLE]
        if named not in map(str, shelf().indices):
            raise links.LinkError("This link names a sample that is not on the shelf.")
        set_sample(int(named))


def _settle() -> None:
    """After the input changed: drop what was said about the last one, write the link."""
    st.session_state.pop(_PROBLEM, None)
    st.session_state[_NOTE_DROPPED] = st.session_state.pop(_NOTE, None) is not None
    _write_link()


def _write_link() -> None:
    """Make the query parameters name the current input, and leave those of the views alone."""
    kind = st.session_state[_KIND]
    strokes = drawing().strokes if kind == "strokes" else []
    say_in_link(
        {
            _Q_STROKES: links.encode(strokes) if strokes else "",
            _Q_SAMPLE: str(_sample_chosen()) if kind == "sample" else "",
        }
    )


def say_in_link(wanted: Mapping[str, str]) -> None:
    """Make these query parameters say this, without those that are empty; leave the others."""
    for name, value in wanted.items():
        if value and st.query_params.get(name) != value:
            st.query_params[name] = value
        elif not value and name in st.query_params:
            del st.query_params[name]
