"""Rebuild: take hold of a digit capsule's pose and see what the decoder draws of it."""

import streamlit as st

from app import gate, state, state_network, state_pair, state_rebuild, state_sweep
from app.components.header import header
from app.components.sculptor import network, readings, sculptor, sent, swept
from app.components.vendor import libraries


@st.fragment
def bench() -> None:
    """The sliders with their pictures, and the network reading the result; reruns alone."""
    if state_pair.moved():
        st.rerun()
    given = state.current_input()
    net, answer = state_network.network(), state_network.reading(given)
    holding = state_rebuild.held(given, answer, sent())
    place = st.empty()  # always there, so that the sliders keep their own
    if problem := state_rebuild.link_problem():
        place.warning(problem)
    sculptor(
        given,
        answer,
        holding,
        state_rebuild.revision(),
        state_rebuild.again(holding, answer),
        state_rebuild.pinned(given),
        net.key,
        net.title,
        state_rebuild.atlas_problem(),
        on_wish=lambda sent: state_pair.take(given, sent),
    )
    network(state_rebuild.file_of_network())  # sent again only where the network changed
    libraries("svgcanvas")
    frames = state_rebuild.frames(holding, answer)
    pause = st.empty().empty  # whoever writes to the page gives way to what is newer
    sweep = state_sweep.verdicts(swept(), given, answer, holding, on_batch=pause)
    readings(given, net.key, holding.seq, frames, sweep)


given = state.current_input()
gate.head("Rebuild")
st.caption(
    "The decoder draws a digit from one capsule alone: from its pose, an arrow of sixteen numbers. "
    "How long the arrow is says how surely the digit is there; where it points, how the digit is "
    "drawn. Move a number and see what it stands for; the paper moves each by ±0.25 (section 5.1)."
)
header(given, state_network.reading(given), "views/draw.py", "Draw another digit")
bench()
