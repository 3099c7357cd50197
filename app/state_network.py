"""The network a visitor looks through: which of those there are, and what it answers.

Which one a visitor chose holds on every page and is in the link.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st
import torch

import capsnet
from app import networks, state_link
from app.inputs import Doubt, Reading, ranked
from capsnet.preprocessing.drawing import SIDE

if TYPE_CHECKING:
    from app.inputs import Floats, Input
    from app.networks import Network
    from capsnet.routing import RoutingTrace

_CHOSEN = "network_chosen"
_Q_NETWORK = "network"


# --- which network ----------------------------------------------------------------------------


def open_link() -> None:
    """At the start of each run: take the network from the link, which `in_link` then keeps true.

    The link is followed when the visitor arrives, and after the browser's Back or Forward.

    Raises:
        CheckpointError: There is no network that can be used; the message says why.
    """
    if _CHOSEN not in st.session_state or state_link.went_back():
        choose(st.query_params.get(_Q_NETWORK, ""))
        if st.session_state[_CHOSEN] not in ("", network().name):
            choose("")
            state_link.add_note(
                f"This link names a network that is not here; this is {network().title}."
            )


def in_link() -> dict[str, str]:
    """What the link says of the network: nothing where it is the one that the app opens with."""
    first = next(offer.name for offer in networks.offers() if not offer.problem)
    current = network().name
    return {_Q_NETWORK: current if current != first else ""}


def choose(name: str) -> None:
    """Look through the network of this name from now on; "" is whichever the app opens with."""
    st.session_state[_CHOSEN] = name


def network() -> Network:
    """The network this visitor looks through: the chosen one, or the first that can be used.

    Raises:
        CheckpointError: There is none; the message says why.
    """
    chosen = st.session_state.get(_CHOSEN, "")
    for offer in sorted(networks.offers(), key=lambda offer: offer.name != chosen):
        if not offer.problem:
            with contextlib.suppress(capsnet.CheckpointError):  # which `networks.offers` then tells
                return networks.opened(offer.path)
    raise capsnet.CheckpointError(networks.offers()[0].problem)


# --- what it answers --------------------------------------------------------------------------


def reading(given: Input) -> Reading:
    """The network's answer to an input."""
    return readings(given.image)[0]


def readings(images: Floats) -> list[Reading]:
    """The network's answers to images [B, 1, 28, 28], for half the time of one after the other."""
    net = network()
    lengths, poses, rebuilt = _forward(net, net.key, images)
    errors = ((rebuilt - images[:, None]) ** 2).sum(axis=(2, 3, 4))  # [B, 2]
    return [
        Reading(
            lengths=lengths[b],
            poses=poses[b],
            reconstructions=rebuilt[b, :, 0],
            errors=tuple(errors[b].tolist()),
            names=net.names,
            doubt=Doubt.measured(net.model.metrics),
        )
        for b in range(len(images))
    ]


def shelf_verdicts(net: Network) -> list[int]:
    """What a network reads in each of its samples."""
    images = net.samples.images[:, None].astype(np.float32) / np.float32(255)
    lengths, _, _ = _forward(net, net.key, images)
    return [int(digit) for digit in lengths.argmax(axis=1)]


@st.cache_data(max_entries=512, show_spinner=False)
def _forward(_net: Network, key: str, images: Floats) -> tuple[Floats, Floats, Floats]:
    """What the network, named by `key` in the cache, makes of images [B, 1, 28, 28].

    Returns:
        Lengths [B, 10], poses [B, 10, 16], and what the longest capsule and the second longest
        draw, [B, 2, 1, 28, 28]; [B, 0, 1, 28, 28] where there is no decoder.
    """
    with _net.lock, torch.inference_mode():
        out = _net.model(torch.from_numpy(images))
        lengths = out.lengths.float().numpy()
        poses = out.poses.float().numpy()
        if _net.model.decoder is None:
            return lengths, poses, np.zeros((len(images), 0, 1, SIDE, SIDE), dtype=np.float32)
        candidates = torch.from_numpy(ranked(lengths)[:, :2].copy())
        rebuilt = [_net.model.decode(out.poses, digits) for digits in candidates.unbind(1)]
    return lengths, poses, torch.stack(rebuilt, dim=1).float().numpy()


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
