"""The end of Route: its numbers as files, and as lines of Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from app import state_export

if TYPE_CHECKING:
    from app.inputs import Input
    from app.state_route import Choice


def take_away(given: Input, chosen: Choice) -> None:
    """Offer the trace, its tables, and the lines that compute what is on screen."""
    without = " Without the capsules that are cut." if chosen.cut else ""
    st.write(
        "The numbers: every quantity of every iteration with a README of its shapes, for "
        f"`numpy.load`, or as tables for a spreadsheet.{without}"
    )
    with st.container(horizontal=True):
        for file in state_export.files(given, chosen):
            st.download_button(
                file.label, file.make, file.name, file.kind, key=file.label, on_click="ignore"
            )
    # On demand: what colours the lines takes a browser more than a second to start.
    if st.toggle("The lines of Python that compute this", key="python_lines"):
        st.write("With the library, in a clone of this project:")
        st.code(state_export.script(given, chosen), language="python")
