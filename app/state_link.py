"""The page's link: what its query parameters say, where Back leads, what was wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

if TYPE_CHECKING:
    from collections.abc import Mapping

# Session keys; no other module spells them.
_NOTE, _NOTE_DROPPED = "link_note", "link_note_dropped"


def went_back() -> bool:
    """Whether the browser's Back or Forward led to a link of ours.

    It may lead to one that says nothing, which a page has for a moment when it is gone to.
    """
    said = bool(st.query_params.to_dict())
    return said and bool(getattr(get_script_run_ctx(), "is_history_navigation", False))


def say(wanted: Mapping[str, str]) -> None:
    """Make these query parameters say this, without those that are empty; leave the others.

    All at once: each change is a step of the browser's Back.
    """
    now = st.query_params.to_dict()
    then = {name: value for name, value in {**now, **wanted}.items() if value}
    if then != now:
        st.query_params.from_dict(then)


def note() -> str | None:
    """What was wrong with the link, until the visitor chooses another input."""
    return st.session_state.get(_NOTE)


def add_note(words: str) -> None:
    """Say that this, too, was wrong with the link."""
    st.session_state[_NOTE] = " ".join(filter(None, [note(), words]))


def drop_note() -> None:
    """Say nothing more of it."""
    st.session_state[_NOTE_DROPPED] = st.session_state.pop(_NOTE, None) is not None


def note_dropped() -> bool:
    """True once after the note on the page has become untrue."""
    return bool(st.session_state.pop(_NOTE_DROPPED, False))
