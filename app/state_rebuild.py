"""Session state, query parameters and caches of the Rebuild view (see `state`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st
import torch

from app import networks, state, state_link, state_network, state_pair, state_survey
from app.components import kit
from app.held import PARAMETERS, Q_JOURNEY, Held, Journey
from app.inputs import Input
from app.network_file import Atlas, SampleReadings, network_file
from capsnet.analysis.journeys import straight, turning
from capsnet.survey import SurveyError, load_survey, survey_path
from capsnet.surveying import left_out

if TYPE_CHECKING:
    from pathlib import Path

    from app.inputs import Floats, Reading

_KEPT, _LAST, _HEARD = "rebuild_kept", "rebuild_last", "rebuild_heard"
_REVISION, _PROBLEM = "rebuild_revision", "rebuild_link_problem"
_MOST = 64  # inputs whose edits are kept
STOPS = np.linspace(0, 1, 11)  # shares of a journey at which the network reads the picture


@dataclass(frozen=True)
class Again:
    """A rebuilt picture, fed back to the network.

    Args:
        picture: What the decoder draws of the held pose.
        reading: What the network makes of it.
        plain: What it makes of the picture of the network's own pose of that capsule.
    """

    picture: Input
    reading: Reading
    plain: Reading


# --- what is held -----------------------------------------------------------------------------


def held(given: Input, answer: Reading, sent: object) -> Held:
    """What is held: as the page `sent` it, as it was left, as a link says, or the winner's pose.

    Every input and network keeps its own edits. What makes no sense is passed over. Where the
    browser's Back leads to an address from before anything was held, what is held stays.
    """
    classes, size = answer.poses.shape
    subject = (given.key, state_network.network().key)
    kept: dict[tuple[str, str], Held] = st.session_state.setdefault(_KEPT, {})
    query = {name: st.query_params.get(name, "") for name in PARAMETERS}
    first, back = _LAST not in st.session_state, state_link.went_back()
    before = back and not first and not any(query.values())
    if first or (back and not before):
        linked = Held.linked(query, classes, size, answer.digit)
        if destination(linked.journey) is None:
            linked = replace(linked, journey=Journey())
        st.session_state[_PROBLEM] = linked.left_out(query, answer.digit, size)
        st.session_state[_REVISION] = revision() + 1
        others = dict(kept[subject].edits) if subject in kept else {}
        others.pop(linked.digit, None)
        kept[subject] = replace(linked, edits=others | dict(linked.edits))
    news = sent if _about(sent) == subject and sent != st.session_state.get(_HEARD) else None
    st.session_state[_HEARD] = sent
    if found := Held.checked(news, classes, size):
        st.session_state[_PROBLEM] = ""
    else:
        last: Held | None = st.session_state.get(_LAST)
        found = kept.get(subject) or (last or Held(answer.digit)).of_another_input(answer.digit)
    kept.pop(subject, None)
    kept[subject] = st.session_state[_LAST] = found  # the last one is the newest
    while len(kept) > _MOST:
        kept.pop(next(iter(kept)))
    if before:
        return found
    said = found.link(answer.digit, size)
    pinned_one = state_pair.pinned()
    if found.journey.to == "pinned" and not (pinned_one and state_pair.linkable(pinned_one)):
        said[Q_JOURNEY] = ""
    state_link.say(said if given.kind != "upload" else dict.fromkeys(said, ""))
    return found


def revision() -> int:
    """Rises when what is held changed by other means than the page's sliders."""
    return st.session_state.get(_REVISION, 0)


def link_problem() -> str:
    """What of the link was passed over, until something is moved; mostly empty."""
    return st.session_state.get(_PROBLEM, "")


def _about(sent: object) -> tuple[object, object] | None:
    """The input and network that a message of the page is about."""
    return (sent.get("input"), sent.get("network")) if isinstance(sent, Mapping) else None


# --- what the network says of it --------------------------------------------------------------


def again(holding: Held, answer: Reading) -> Again:
    """The held pose drawn, and read again."""
    digit, size = holding.digit, answer.poses.shape[1]
    both = np.zeros((2, *answer.poses.shape), dtype=np.float32)
    both[:, digit] = answer.poses[digit]
    both[0, digit] += np.asarray(holding.offsets(size), dtype=np.float32)
    net = state_network.network()
    picture, plain = (_decode(net, net.key, poses) for poses in both[:, None])
    return Again(
        Input("rebuilt", picture, "the rebuilt picture"),
        state_network.readings(picture)[0],
        state_network.readings(plain)[0],
    )


@st.cache_data(max_entries=512, show_spinner=False)
def _decode(_net: networks.Network, key: str, poses: Floats) -> Floats:
    """Pictures [B, 1, 28, 28] of poses [B, J, D], none set to 0; `key` names the network."""
    size = _net.model.config.image_size
    with _net.lock, torch.inference_mode():
        pixels = _net.model.decoder(torch.from_numpy(poses).flatten(1)).float().numpy()
    return pixels.reshape(-1, 1, size, size)


# --- the journey ------------------------------------------------------------------------------


def destination(journey: Journey) -> Input | None:
    """Where a journey leads; None where it leads nowhere, or to what is not offered."""
    if journey.to == "pinned":
        return state_pair.pinned()
    sample, offered = journey.sample, state.shelf().usual(state_pair.SAMPLES)
    if sample is None or offered.place(sample) is None:
        return None
    return state.sample_input(sample)


def pinned(given: Input) -> dict[str, object] | None:
    """What a journey to the pinned input needs of it, for the page; None where there is none.

    Returns:
        Its title, image and words, its longest capsule as `digit`, and that one's pose as text for
        `kit.floats`; whether it is the `same` as the current one, and whether it is `linkable`.
    """
    kept = state_pair.pinned()
    if kept is None:
        return None
    read = state_network.reading(kept)
    return {
        "title": kept.title,
        "image": kit.floats(kept.pixels),
        "words": "nothing drawn" if kept.blank else read.words,
        "digit": read.digit,
        "pose": kit.floats(read.poses[read.digit]),
        "same": kept.key == given.key,
        "linkable": state_pair.linkable(kept),
    }


def frames(holding: Held, answer: Reading) -> list[dict[str, object]] | None:
    """What the network reads at STOPS of the journey; None where that leads nowhere.

    The way leads from the held pose to the longest one of the destination. All other capsules are
    0. Where the destination's is another capsule the two poses are at right angles in the space of
    all of them: one shrinks while the other grows.

    Returns:
        [{digit, length, sure}].
    """
    there = destination(holding.journey)
    if there is None:
        return None
    target = state_network.reading(there)
    start, end = np.zeros_like(answer.poses), np.zeros_like(answer.poses)
    offsets = np.asarray(holding.offsets(answer.poses.shape[1]), dtype=np.float32)
    start[holding.digit] = answer.poses[holding.digit] + offsets
    end[target.digit] = target.poses[target.digit]
    way = turning if holding.journey.turning else straight
    poses = way(start.ravel(), end.ravel(), STOPS).reshape(-1, *start.shape).astype(np.float32)
    net = state_network.network()
    return [
        {"digit": one.digit, "length": round(one.length, 4), "sure": one.sure}
        for one in state_network.readings(_decode(net, net.key, poses))
    ]


# --- what the browser needs of the network ----------------------------------------------------


def file_of_network() -> bytes:
    """What the browser needs of the network: see `network_file`."""
    net = state_network.network()
    path = survey_path(net.path)
    return _file_of_network(net, net.key, path, networks.stamp_of(path))


def atlas_problem() -> str:
    """Why nothing is known of the poses of real digits, and what to do; empty where it is."""
    net = state_network.network()
    path = survey_path(net.path)
    problem = _atlas(net, path, net.key, networks.stamp_of(path))[1]
    return f"{problem}. This makes one: {state_survey.surveyed().command}" if problem else ""


def effects_problem() -> str:
    """Why what the dimensions of a pose do is not measured for this network; empty where it is."""
    reason = left_out(state_network.network().model).get("effects", "")
    return f"{reason[:1].upper()}{reason[1:]}." if reason else ""


@st.cache_resource(max_entries=2, show_spinner=False)
def _file_of_network(_net: networks.Network, key: str, path: Path, stamp: networks.Stamp) -> bytes:
    """`key` names the network in the cache, path and `stamp` its survey."""
    return network_file(_net.model, key, _atlas(_net, path, key, stamp)[0], _samples(_net))


@st.cache_resource(max_entries=8, show_spinner=False)
def _atlas(
    _net: networks.Network, path: Path, key: str, stamp: networks.Stamp
) -> tuple[Atlas | None, str]:
    """What the survey in a file knows of poses, or None and why; `stamp` tells a changed file."""
    try:
        population = load_survey(path, key, "poses")
        if "effects" in left_out(_net.model):
            return Atlas(population, None, None), ""
        effects, axes = load_survey(path, key, "effects"), load_survey(path, key, "axes")
        return Atlas(population, effects, axes), ""
    except SurveyError as error:
        return None, str(error).replace(str(path), path.name)


def _samples(net: networks.Network) -> SampleReadings:
    """What the network makes of the samples that a journey can lead to."""
    chosen = net.samples.usual(state_pair.SAMPLES)
    inputs = [state.sample_input(index) for index in chosen.indices]
    readings = [state_network.reading(one) for one in inputs]
    config = net.model.config
    poses = np.zeros((len(inputs), config.classes, config.digit_dim), dtype=np.float32)
    for place, one in enumerate(readings):
        poses[place] = one.poses
    return SampleReadings(
        images=chosen.images.astype(np.float32) / np.float32(255),
        poses=poses,
        indices=chosen.indices,
        labels=chosen.labels,
        titles=tuple(one.title for one in inputs),
        words=tuple(one.words for one in readings),
    )
