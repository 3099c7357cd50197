"""Routing as it happens: couplings, lengths and entropy on one clock, all in the browser."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from app.components import kit
from app.state_route import Choice

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.inputs import Input, Reading
    from app.state_route import Routing

_KEY = "routing_player"
_mount = kit.load(Path(__file__).parent)


def routing_player(
    given: Input,
    reading: Reading,
    routed: Routing,
    opening: Choice,
    on_choice: Callable[[Choice], None],
) -> None:
    """Show the player.

    Args:
        given: What was routed.
        reading: What the network makes of it.
        routed: How it was routed.
        opening: What to show first. While the player is on the page it keeps its own.
        on_choice: Called with what the visitor looks at, a moment after the last change.
    """
    iterations, classes = routed.lengths.shape

    def take() -> None:
        chosen = checked(st.session_state[_KEY]["choice"], iterations, classes)
        if chosen is not None:
            on_choice(chosen)

    _mount(
        key=_KEY,
        data={
            "key": routed.key,
            "title": given.title,
            "blank": given.blank,
            "names": reading.names,
            "image": (given.pixels * 255).round().astype(int).ravel().tolist(),
            "weighted": kit.floats(routed.weighted),
            "plain": kit.floats(routed.plain),
            "lengths": kit.floats(routed.lengths),
            "off": kit.floats(routed.off),
            "entropy": kit.floats(routed.entropy),
            "entropy_low": kit.floats(routed.entropy_low),
            "entropy_high": kit.floats(routed.entropy_high),
            "iterations": iterations,
            "trained": routed.trained,
            "grid": routed.weighted.shape[-1],
            "types": routed.types,
            "stride": routed.stride,
            "extent": routed.extent,
            "opening": {
                "digit": opening.digit,
                "iteration": opening.iteration,
                "weighted": opening.weighted,
            },
        },
        on_choice_change=take,
    )


def checked(sent: object, iterations: int, classes: int) -> Choice | None:
    """The player's message as `Choice`, or None where it makes no sense."""
    if not isinstance(sent, Mapping):
        return None
    digit, iteration = sent.get("digit"), sent.get("iteration")
    if type(iteration) is not int or not 1 <= iteration <= iterations:
        return None
    if digit is not None and (type(digit) is not int or not 0 <= digit < classes):
        return None
    return Choice(digit, iteration, bool(sent.get("weighted", True)))
