"""Session state, query parameters and caches of the Rebuild view."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st
import torch
from safetensors.numpy import save

from app import state, state_network
from app.inputs import Input

if TYPE_CHECKING:
    from app.inputs import Floats, Reading

_HELD = "rebuild_held"
_Q_CAPSULE, _Q_POSE = "capsule", "pose"
_THOUSANDTHS = 1000  # the link keeps offsets in these; the sliders have no finer step
_FARTHEST = 2.0  # no pose moves farther than from one end of −1…1 to the other


@dataclass(frozen=True)
class Held:
    """The capsule in the visitor's hand and how far each of its dimensions was moved.

    Args:
        digit: Which digit capsule.
        offsets: What is added to each dimension of the network's pose.
        wide: Whether the sliders reach from −1 to 1 instead of ±0.25.
        dimension: The dimension whose film strip is shown.
        seq: The number of the message that brought it.
    """

    digit: int
    offsets: tuple[float, ...]
    wide: bool = False
    dimension: int = 0
    seq: int = 0


def held(given: Input, answer: Reading, sent: object) -> Held:
    """What is held: as the sliders `sent` it, as it was left, as a link says, or the winner's pose.

    Anything that belongs to another input or network, or makes no sense, is passed over.
    """
    subject = [given.key, state_network.network().key]
    classes, size = answer.poses.shape
    found = _checked(sent, classes, size) if _about(sent) == subject else None
    if found is None and _HELD in st.session_state:
        about, kept = st.session_state[_HELD]
        found = kept if about == subject else None
    elif found is None:
        found = _checked(_link(size), classes, size)
    found = found or Held(answer.digit, (0.0,) * size)
    st.session_state[_HELD] = (subject, found)
    _write_link(found, answer, linkable=given.kind != "upload")
    return found


def rebuilt(holding: Held, answer: Reading) -> Input:
    """The picture that the decoder draws of the held pose, as something to be read again."""
    poses = answer.poses.copy()
    poses[holding.digit] += np.asarray(holding.offsets, dtype=np.float32)
    net = state_network.network()
    image = _decode(net, net.key, poses[None], holding.digit)
    return Input("rebuilt", image, "the rebuilt picture")


@st.cache_data(max_entries=512, show_spinner=False)
def _decode(_net: state_network.Network, key: str, poses: Floats, digit: int) -> Floats:
    """The image of one capsule; `key` names the network in the cache."""
    with _net.lock, torch.inference_mode():
        return _net.model.decode(torch.from_numpy(poses), digit).float().numpy()


def decoder_file() -> bytes:
    """The decoder for the browser: a safetensors file of float16, weights as [in, out]."""
    net = state_network.network()
    return _decoder_file(net, net.key)


@st.cache_resource(max_entries=2, show_spinner=False)
def _decoder_file(_net: state_network.Network, key: str) -> bytes:
    """The decoder of the network `key`, which its metadata name."""
    layers = [m for m in _net.model.decoder if isinstance(m, torch.nn.Linear)]
    tensors = {}
    for n, layer in enumerate(layers):
        tensors[f"{n}.weight"] = layer.weight.detach().T.half().contiguous().numpy()
        tensors[f"{n}.bias"] = layer.bias.detach().half().numpy()
    return save(tensors, metadata={"key": key})


def _about(sent: object) -> list[Any] | None:
    """The input and network that a message of the sliders is about."""
    return [sent.get("input"), sent.get("network")] if isinstance(sent, Mapping) else None


def _checked(sent: object, classes: int, size: int) -> Held | None:
    """The message as `Held`, or None where it does not describe a pose of this network."""
    if not isinstance(sent, Mapping):
        return None
    offsets = sent.get("offsets")
    if not isinstance(offsets, list | tuple) or len(offsets) != size:
        return None
    if not all(type(value) in (int, float) and abs(value) <= _FARTHEST for value in offsets):
        return None
    whole = [sent.get("digit"), sent.get("dimension", 0), sent.get("seq", 0)]
    digit, dimension, seq = (n if type(n) is int else -1 for n in whole)
    if not (0 <= digit < classes and 0 <= dimension < size and seq >= 0):
        return None
    return Held(digit, tuple(map(float, offsets)), bool(sent.get("wide")), dimension, seq)


def _link(size: int) -> dict[str, Any] | None:
    """The message that the link stands for: capsule=4&pose=3:120,16:-35, or None."""
    offsets = [0.0] * size
    try:
        digit = int(st.query_params[_Q_CAPSULE])
        for part in filter(None, st.query_params.get(_Q_POSE, "").split(",")):
            dimension, moved = map(int, part.split(":"))
            if abs(moved) > _FARTHEST * _THOUSANDTHS:
                return None
            offsets[range(1, size + 1).index(dimension)] = moved / _THOUSANDTHS
    except (KeyError, ValueError):
        return None
    return {"digit": digit, "offsets": offsets, "wide": any(abs(x) > 0.25 for x in offsets)}


def _write_link(holding: Held, answer: Reading, *, linkable: bool) -> None:
    """Make the link name the held pose, unless it is the network's own of the winner."""
    moved = [
        f"{k + 1}:{round(offset * _THOUSANDTHS)}"
        for k, offset in enumerate(holding.offsets)
        if not math.isclose(offset, 0, abs_tol=0.5 / _THOUSANDTHS)
    ]
    told = linkable and bool(moved or holding.digit != answer.digit)
    said = {_Q_CAPSULE: str(holding.digit), _Q_POSE: ",".join(moved)}
    state.say_in_link(said if told else dict.fromkeys(said, ""))
