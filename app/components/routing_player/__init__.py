"""The routing player: all iterations of one input, moved together in the browser."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from app import wording
from app.components import kit
from app.components.library import give
from app.terms import terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.inputs import Input, Reading
    from app.routings import Routing
    from app.state_route import Choice
    from capsnet.config import CapsNetConfig

_KEY = "routing_player"
_HERE = Path(__file__).parent
_PANELS = ("maps", "votes", "flow", "curves", "capsule", "cut", "pair", "film")
_mount, _PARTS = kit.load_apart(_HERE, _PANELS, tools=("plot", "poster"))
_mount_trace = kit.load(_HERE / "trace")


def routing_player(
    given: Input,
    reading: Reading,
    routed: Routing,
    config: CapsNetConfig,
    opening: Choice,
    revision: int,
    answers: dict[str, object],
    on_choice: Callable[[object], None],
    on_pair: Callable[[object], None],
) -> None:
    """Show the player.

    Args:
        given: What was routed.
        reading: What the network makes of it.
        routed: How it was routed; `trace` gives its numbers to the browser.
        config: The network's sizes.
        opening: What to show first. While the player is on the page it keeps its own …
        revision: … until this rises.
        answers: What the network says to the choice; see `state_route.answers`.
        on_choice: Called with what the visitor looks at, unchecked, a moment after the last change.
        on_pair: Called with what the visitor asks for in the panel of two inputs, unchecked.
    """
    give(_HERE.name, _PARTS)
    _mount(
        key=_KEY,
        data={
            "key": routed.key,
            "title": given.title,
            "blank": given.blank,
            "label": given.label,
            "meant": wording.label(reading.names, given.label),
            "verdict": reading.words,
            "names": reading.names,
            "terms": terms(reading.names, config),
            "image": (given.pixels * 255).round().astype(int).ravel().tolist(),
            "trained": config.iterations,
            "grid": config.grid,
            "stride": config.primary_stride,
            "extent": config.conv_kernel + config.primary_kernel - 1,
            "opening": asdict(opening),
            "revision": revision,
            **answers,
        },
        on_choice_change=lambda: on_choice(st.session_state[_KEY]["choice"]),
        on_pair_change=lambda: on_pair(st.session_state[_KEY]["pair"]),
    )


def trace(file: bytes) -> None:
    """Give the browser the numbers of a routing; they are sent again only where they changed."""
    _mount_trace(key="trace", data=file)
