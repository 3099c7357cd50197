"""Take hold of a digit capsule's pose: pictures that follow the hand, drawn in the browser."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from app.components import kit
from app.components.library import give
from app.terms import terms

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.held import Held
    from app.inputs import Input, Reading
    from app.networks import Network
    from app.state_rebuild import Again

_KEY = "sculptor"
_HERE = Path(__file__).parent
_PANELS = ("capsules", "stage", "loop", "sliders", "grid", "effects", "journey")
_mount, _PARTS = kit.load_apart(_HERE, _PANELS, tools=("plot", "poster"))
_mount_network = kit.load(_HERE / "network")
_mount_readings = kit.load_bare(_HERE / "readings")


def sent() -> object:
    """What the page sent last, unchecked; None if nothing."""
    messages = st.session_state.get(_KEY)
    return messages.get("pose") if isinstance(messages, Mapping) else None


def swept() -> object:
    """What the page sent last of the poses that the network is to read, unchecked; or None."""
    messages = st.session_state.get(_KEY)
    return messages.get("sweep") if isinstance(messages, Mapping) else None


def sculptor(
    given: Input,
    answer: Reading,
    holding: Held,
    revision: int,
    again: Again,
    pinned: Mapping[str, object] | None,
    net: Network,
    atlas_problem: str,
    effects_problem: str,
    on_wish: Callable[[object], None],
) -> None:
    """Show the capsules, the pictures, the sliders, the grid and the journey.

    Args:
        given: The current input.
        answer: What the network makes of it: the poses that everything starts from.
        holding: What is held. The page keeps its own while it is open, and takes this when it
            opens, when the input or the network has changed, and …
        revision: … when this rises.
        again: The picture of the held pose, fed back to the network.
        pinned: The pinned input, to which a journey can lead; see `state_rebuild.pinned`.
        net: The network; by its key the browser finds what `network` gave it.
        atlas_problem: Why nothing is known of real digits' poses; empty where it is.
        effects_problem: Why what dimensions do is not measured for such a network; mostly empty.
        on_wish: Called with what the visitor asks for about the pinned input, unchecked; see
            `state_pair.take`.
    """
    give(_HERE.name, _PARTS)
    _mount(
        key=_KEY,
        data={
            "input": given.key,
            "network": net.key,
            "network_title": net.title,
            "test_set": net.test_set,
            "title": given.title,
            "kind": given.kind,
            "blank": given.blank,
            "sample": given.sample,
            "image": kit.floats(given.pixels),
            "words": answer.words,
            "lengths": answer.lengths.round(5).tolist(),
            "poses": kit.floats(answer.poses),
            "names": answer.names,
            "terms": terms(answer.names, net.model.config),
            "winner": answer.digit,
            "sure_length": answer.doubt.length,
            "held": {
                "digit": holding.digit,
                "edits": {str(digit): offsets for digit, offsets in holding.edits.items()},
                "dimension": holding.dimension,
                "reach": holding.view.reach,
                "basis": holding.view.basis,
                "order": holding.view.order,
                "journey": {"to": holding.journey.to, "turning": holding.journey.turning},
            },
            "revision": revision,
            "again": {
                "seq": holding.seq,
                "digit": again.reading.digit,
                "words": again.reading.words,
                "sure": again.reading.sure,
                "lengths": again.reading.lengths.round(5).tolist(),
                "pose": kit.floats(again.reading.poses[holding.digit]),
                "plain": kit.floats(again.plain.poses[holding.digit]),
                "pixels": kit.floats(again.picture.pixels),
            },
            "pinned": pinned,
            "atlas_problem": atlas_problem,
            "effects_problem": effects_problem,
        },
        on_pose_change=_heard,
        on_sweep_change=_heard,
        on_wish_change=lambda: on_wish(st.session_state[_KEY]["wish"]),
    )


def _heard() -> None:
    """Nothing to do: the next run asks `sent` and `swept`."""


def network(file: bytes) -> None:
    """Give the browser what it needs of a network; sent again only where it changed."""
    _mount_network(key="network_file", data=file)


def readings(
    given: Input,
    network_key: str,
    seq: int,
    frames: Sequence[Mapping[str, object]] | None,
    sweep: Mapping[str, object] | None,
) -> None:
    """Give the browser what takes the network longer; mounted last, so that nothing waits for it.

    Args:
        given: The current input.
        network_key: The network's key.
        seq: The message that was answered.
        frames: What the network reads on the journey; see `state_rebuild.frames`.
        sweep: What it reads in the pictures of the grid; see `state_sweep.verdicts`.
    """
    told = {"input": given.key, "network": network_key, "seq": seq}
    _mount_readings(key="readings", data={**told, "frames": frames, "sweep": sweep})
