"""The pad to draw on: mouse, touch, pen and keyboard, with undo, redo and clear."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import streamlit as st

from app.components import kit
from app.inputs import Drawing

if TYPE_CHECKING:
    from app.inputs import Input

_KEY = "pad"
_mount = kit.load(Path(__file__).parent)


class OnDrawing(Protocol):
    """What is called with the drawing whenever it changed."""

    def __call__(self, value: Drawing, *, finished: bool) -> None:
        """Take the drawing; `finished` is False while the pen is down."""


def pad(drawing: Drawing, revision: int, given: Input, on_drawing: OnDrawing) -> None:
    """Show the pad.

    Args:
        drawing: What is on it, with its history. The pad keeps its own while it is on the page and
            takes this one when it appears, or when `revision` has changed.
        revision: Rises when `drawing` was changed by others.
        given: The current input; one that is not the drawing lies on the pad until one draws.
        on_drawing: Called with the new drawing.
    """

    def take() -> None:
        sent = st.session_state[_KEY]["drawing"]
        on_drawing(Drawing(sent["ops"], sent["redo"], sent["seq"]), finished=sent["finished"])

    own = given.kind == "strokes"
    _mount(
        key=_KEY,
        data={
            "ops": drawing.ops,
            "redo": drawing.redo,
            "seq": drawing.seq,
            "revision": revision,
            "other": None if own else (given.pixels * 255).round().astype(int).ravel().tolist(),
            "title": given.title,
        },
        on_drawing_change=take,
    )
