"""The Route view's cuts: their cache, and what the player is told of one (see `state`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st
import torch

from app import state_network
from app.components import kit
from app.cuts import Aftermath, aftermath
from capsnet.analysis.knockout import Cut

if TYPE_CHECKING:
    from app.inputs import Floats, Input, Reading
    from app.routings import Routing
    from capsnet.config import CapsNetConfig


def checked(text: object, config: CapsNetConfig) -> str | None:
    """A cut's text in its one spelling; None where the network has no such capsules."""
    if not isinstance(text, str):
        return None
    try:
        cut = Cut.parse(text)
        cut.mask(config)
    except ValueError:
        return None
    return str(cut)


def answer(given: Input, routed: Routing, text: str) -> dict[str, object]:
    """What a cut does to an input.

    Args:
        given: The input.
        routed: How it is routed with all capsules.
        text: The cut, checked; not empty.

    Returns:
        cut, count: Which capsules and how many; before, after: the verdict in `words`, whether it
        is `sure`, its `digit`, the `image` rebuilt from it, and that image's squared `error`, both
        None where there is no decoder; lengths [T, J] and weighted [T, J, places], after, as text
        for `kit.floats`.
    """
    before = state_network.reading(given)
    after = _aftermath(f"{routed.key}-{text}", Cut.parse(text), given, routed, before)
    return {
        "cut": after.cut,
        "count": after.count,
        "lengths": kit.floats(after.lengths),
        "weighted": kit.floats(after.weighted),
        "before": _told(before),
        "after": _told(after.reading),
    }


def _told(reading: Reading) -> dict[str, object]:
    """A verdict and the image rebuilt from it."""
    return {
        "words": reading.words,
        "sure": reading.sure,
        "digit": reading.digit,
        "image": kit.floats(reading.reconstructions[0]) if reading.errors else None,
        "error": reading.errors[0] if reading.errors else None,
    }


@st.cache_resource(max_entries=64, show_spinner=False)
def _aftermath(key: str, _cut: Cut, _given: Input, _routed: Routing, _before: Reading) -> Aftermath:
    """`key` names network, input and cut in the cache; all visitors share it: leave it as is."""
    net = state_network.network()

    def decode(poses: torch.Tensor, digit: int) -> Floats:
        with net.lock, torch.inference_mode():
            return net.model.decode(poses, digit)[0, 0].float().numpy()

    drawing = decode if net.model.decoder is not None else None
    return aftermath(_cut, _given, _routed, _before, net.model.config, drawing)
