"""The compact head of a view: what the network looks at, what it reads, where to go next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from app import wording
from app.components import kit

if TYPE_CHECKING:
    from app.inputs import Input, Reading

_mount = kit.load(Path(__file__).parent)


def header(given: Input, reading: Reading, next_page: str, next_label: str) -> None:
    """Show the current input's thumbnail and verdict, and a link to another view.

    Args:
        given: The current input.
        reading: What the network makes of it.
        next_page: The page to link to, as main.py names it: "views/rebuild.py".
        next_label: The link's words.
    """
    with st.container(horizontal=True, vertical_alignment="center", key="header"):
        _mount(
            key="input_header",
            data={
                "image": (given.pixels * 255).round().astype(int).ravel().tolist(),
                "title": given.title,
                "words": "nothing drawn yet" if given.blank else reading.words,
                "sure": reading.sure and not given.blank,
                "meant": wording.label(reading.names, given.label),
                "misread": given.label is not None and reading.digit != given.label,
            },
        )
        st.page_link(next_page, label=next_label)
