"""What every page does first: have a network, follow the link, or say what is wrong."""

from __future__ import annotations

import streamlit as st

from app import state
from capsnet.checkpoint import HOW_TO_MAKE, CheckpointError


def open_page() -> None:
    """Load the network and the visitor's input; stop with an explanation if there is no network."""
    try:
        state.network()
    except CheckpointError as error:
        explain(str(error))
        st.stop()
    state.open_link()
    place = st.empty()  # always there: what follows keeps its place, and fragments their names
    if message := state.note():
        place.warning(message)


def explain(problem: str) -> None:
    """Say on the page what is wrong with the checkpoint and how to make one."""
    st.title("The network cannot be loaded")
    st.error(problem)
    st.write(f"The app looked for `{state.checkpoint_path()}`. This command trains one:")
    st.code(HOW_TO_MAKE, language="bash")
    st.caption(f"To show another file, name it in the variable `{state.CHECKPOINT_VARIABLE}`.")
