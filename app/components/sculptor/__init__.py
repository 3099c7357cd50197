"""Sliders on the pose of a digit capsule; the decoder redraws in the browser during the drag."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from app.components import kit

if TYPE_CHECKING:
    from app.inputs import Input, Reading
    from app.state_rebuild import Held

_KEY = "sculptor"
_mount = kit.load(Path(__file__).parent)
_mount_decoder = kit.load(Path(__file__).parent / "decoder")


def sent() -> object:
    """What the sliders sent last, unchecked; None if nothing."""
    messages = st.session_state.get(_KEY)
    return messages.get("pose") if isinstance(messages, Mapping) else None


def sculptor(
    given: Input, answer: Reading, holding: Held, again: tuple[Input, Reading], network: str
) -> None:
    """Show the sliders and the pictures.

    Args:
        given: The current input.
        answer: What the network makes of it: the poses that the sliders start from.
        holding: The pose that is held. The sliders keep their own while they are on the page, and
            take this one when they appear or when the input or the network has changed.
        again: The rebuilt picture of that pose, and what the network makes of it.
        network: The network's key, by which the browser finds the decoder.
    """
    picture, reading = again
    _mount(
        key=_KEY,
        data={
            "input": given.key,
            "network": network,
            "title": given.title,
            "blank": given.blank,
            "image": kit.floats(given.pixels),
            "words": answer.words,
            "lengths": answer.lengths.round(5).tolist(),
            "poses": kit.floats(answer.poses),
            "names": answer.names,
            "winner": answer.digit,
            "sure_length": answer.doubt.length,
            "held": {
                "digit": holding.digit,
                "offsets": holding.offsets,
                "wide": holding.wide,
                "dimension": holding.dimension,
                "seq": holding.seq,
            },
            "again": {
                "pixels": kit.floats(picture.pixels),
                "words": reading.words,
                "digit": reading.digit,
                "sure": reading.sure,
            },
        },
        on_pose_change=_heard,
    )


def _heard() -> None:
    """Nothing to do: the next run asks `sent`."""


def decoder(weights: bytes) -> None:
    """Give the browser the decoder's weights; they are not sent again while they stay the same."""
    _mount_decoder(key="decoder", data=weights)
