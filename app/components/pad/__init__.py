"""The pad to draw on: mouse, touch, pen and keyboard, with undo, redo and clear."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from app import wording
from app.components import kit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.drawing import Drawing
    from app.inputs import Input

_KEY = "pad"
_mount = kit.load(Path(__file__).parent)


def pad(
    drawing: Drawing,
    revision: int,
    given: Input,
    names: Sequence[str],
    words: str,
    note: str,
    on_drawing: Callable[[Any], None],
) -> None:
    """Show the pad.

    Args:
        drawing: What is on it, with its history. The pad keeps its own while it is on the page and
            takes this one when it appears, or when `revision` has changed.
        revision: Rises when `drawing` was changed by others.
        given: The current input; one that is not the drawing lies on the pad until one draws.
        names: What the network's classes are called.
        words: The verdict on it, which a narrow page shows over the pad while one draws.
        note: What the visitor should know about the drawing; empty mostly.
        on_drawing: Called with the pad's message whenever the drawing changed: {"ops", "redo",
            "seq", "finished"}, the last False while the pen is down. `drawing.taken` reads it.
    """

    def take() -> None:
        on_drawing(st.session_state[_KEY].get("drawing"))

    own = given.kind == "strokes"
    _mount(
        key=_KEY,
        data={
            "ops": drawing.ops,
            "redo": drawing.redo,
            "seq": drawing.seq,
            "refused": bool(drawing.problem),
            "revision": revision,
            "other": None if own else (given.pixels * 255).round().astype(int).ravel().tolist(),
            "title": given.title,
            "wanted": wording.shown(names),
            "words": words,
            "note": note,
        },
        on_drawing_change=take,
    )
