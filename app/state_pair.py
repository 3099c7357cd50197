"""The input that the Route view keeps beside the current one: session, link, cache (see `state`).

It stays pinned on all pages, until the visitor unpins it; in the link it is where it is a sample.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st
import torch

from app import networks, state, state_link, state_network
from app.components import kit
from app.inputs import ranked
from capsnet.analysis.likeness import Likeness, likeness, usual_likeness

if TYPE_CHECKING:
    from app.inputs import Input
    from app.routings import Routing

SAMPLES = 20  # of the shelf are offered to be compared with: of ten classes two of each
AT_ONCE = 6  # samples are routed while other visitors wait for the network
USUAL = (0.1, 0.5, 0.9)  # quantiles between which most pairs lie, and the one in the middle
_PINNED, _MOVED = "pinned_input", "pinned_input_swapped"
_Q_PINNED = "pinned"


def pinned() -> Input | None:
    """The pinned input, if there is one; a visitor who arrives has what the link names."""
    if _PINNED not in st.session_state:
        st.session_state[_PINNED] = None
        _follow_link()
    elif state_link.went_back():
        _follow_link()
    kept: Input | None = st.session_state[_PINNED]
    state_link.say({_Q_PINNED: str(kept.sample) if kept and linkable(kept) else ""})
    return kept


def linkable(kept: Input) -> bool:
    """Whether a link holds it: a sample of this shelf is in it, a drawing or an upload is not."""
    return (
        kept.sample is not None
        and state.shelf().place(kept.sample) is not None
        and state.sample_input(kept.sample).key == kept.key  # of this test set
    )


def _follow_link() -> None:
    """Pin the sample that the link names; where it names none, unpin one that a link could."""
    text, kept = st.query_params.get(_Q_PINNED, ""), st.session_state[_PINNED]
    if text in map(str, state.shelf().indices):
        st.session_state[_PINNED] = state.sample_input(int(text))
    elif kept and linkable(kept):
        st.session_state[_PINNED] = None


def take(given: Input, sent: object) -> None:
    """Do what the visitor asks for; what makes no sense is passed over.

    Args:
        given: The current input.
        sent: {"do": "pin"}, {"do": "unpin"}, {"do": "swap"}, or {"do": "look", "sample": index}
            to make a sample the current input.
    """
    kept: Input | None = st.session_state.get(_PINNED)
    match sent:
        case {"do": "pin"}:
            st.session_state[_PINNED] = given
        case {"do": "unpin"}:
            st.session_state[_PINNED] = None
        case {"do": "swap"} if kept:
            st.session_state[_PINNED] = given
            st.session_state[_MOVED] = True
            state.look_at(kept)
        case {"do": "look", "sample": int(index)} if state.shelf().place(index) is not None:
            st.session_state[_MOVED] = True
            state.set_sample(index)


def moved() -> bool:
    """True once after `take` has changed the current input."""
    return bool(st.session_state.pop(_MOVED, False))


def answer(
    kept: Input, given: Input, routings: tuple[Routing, Routing], iterations: int
) -> dict[str, object]:
    """How the pinned input is routed beside the current one.

    Args:
        kept: The pinned input.
        given: The current one.
        routings: Of both.
        iterations: How many.

    Returns:
        same: Whether both are the same picture; title, image and words of the pinned one, and
        `here`, the words of the current one; sample, pinned: which samples the current one and
        the pinned one are, if any; samples: what to compare with. Unless they are the same:
        lengths [T, J], weighted [T, J, places] and entropy [T] of the pinned one, correlation and
        difference [T, J] of both (see `Likeness`), as text for `kit.floats`; usual: what `_usual`
        says.
    """
    net, (there, here) = state_network.network(), routings
    told: dict[str, object] = {
        "same": kept.key == given.key,
        "title": kept.title,
        "image": (kept.pixels * 255).round().astype(int).ravel().tolist(),
        "words": _words(kept),
        "here": _words(given),
        "sample": given.sample,
        "pinned": kept.sample if linkable(kept) else None,
        "samples": _samples(net.key, net),
    }
    if kept.key == given.key:
        return told
    alike = _likeness(f"{there.key}-{here.key}", kept, given, iterations)
    arrays = {
        "lengths": there.lengths,
        "weighted": there.weighted,
        "entropy": there.entropy,
        "correlation": alike.correlation,
        "difference": alike.difference,
    }
    packed = {name: kit.floats(values) for name, values in arrays.items()}
    return {**told, **packed, "usual": _usual(net.key, net)}


def _words(given: Input) -> str:
    """The verdict on an input."""
    return "nothing drawn" if given.blank else state_network.reading(given).words


@st.cache_data(max_entries=64, show_spinner=False)
def _likeness(key: str, _kept: Input, _given: Input, iterations: int) -> Likeness:
    """`key` names the network and both inputs in the cache."""
    one, other = (state_network.trace_of(each, iterations) for each in (_kept, _given))
    return likeness(one["couplings"], other["couplings"])


@st.cache_data(max_entries=4, show_spinner=False)
def _usual(key: str, _net: networks.Network) -> dict[str, Any]:
    """How alike the samples of the shelf are routed, two by two, with the trained r.

    Returns:
        same, other: Quantiles USUAL of the correlations (see `usual_likeness`); None where there
        are none, as with one iteration. count: How many samples.
    """
    if not len(_net.samples.images):
        return {"same": None, "other": None, "count": 0}
    images = _net.samples.images[:, None].astype(np.float32) / np.float32(255)
    couplings, digits = [], []
    for some in torch.from_numpy(images).split(AT_ONCE):
        with _net.lock, torch.inference_mode():
            trace = _net.model.trace(some, _net.model.config.iterations)
        couplings.append(trace.couplings[-1].float().numpy())  # [B, I, J]
        digits.append(ranked(trace.lengths[-1].float().numpy())[:, 0])
    found = usual_likeness(np.concatenate(couplings), np.concatenate(digits))
    told: dict[str, Any] = {"count": len(images)}
    for name, values in (("same", found.same), ("other", found.other)):
        known = values[np.isfinite(values)]
        told[name] = np.quantile(known, USUAL).round(4).tolist() if len(known) else None
    return told


@st.cache_data(max_entries=4, show_spinner=False)
def _samples(key: str, _net: networks.Network) -> dict[str, object]:
    """The first samples of the shelf: index in the test set, true class, pixels as text."""
    offered = _net.samples.usual(SAMPLES)
    return {
        "indices": offered.indices.tolist(),
        "labels": offered.labels.tolist(),
        "images": base64.b64encode(offered.images.tobytes()).decode(),
    }
