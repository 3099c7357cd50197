"""Rebuild: take hold of a digit capsule's pose and see what the decoder draws of it."""

import streamlit as st

from app import gate, state, state_network, state_pair, state_rebuild, state_sweep, wording
from app.components.header import header
from app.components.sculptor import network, readings, sculptor, sent, swept
from app.components.vendor import libraries
from app.terms import counted


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
        net,
        state_rebuild.atlas_problem(),
        state_rebuild.effects_problem(),
        on_wish=lambda sent: state_pair.take(given, sent),
    )
    network(state_rebuild.file_of_network())  # sent again only where the network changed
    libraries("svgcanvas")
    frames = state_rebuild.frames(holding, answer)
    pause = st.empty().empty  # whoever writes to the page gives way to what is newer
    sweep = state_sweep.verdicts(swept(), given, answer, holding, on_batch=pause)
    readings(given, net.key, holding.seq, frames, sweep)


def no_bench() -> None:
    """Why there is nothing to take hold of, and where to go instead."""
    st.info(
        "This network was trained without a decoder, the part that draws what a capsule stands "
        "for: there is nothing to rebuild. What its capsules say, how they vote and which pose "
        "comes of it is all there on the other pages."
    )
    with st.container(horizontal=True):
        st.page_link("views/draw.py", label="← Draw")
        st.page_link("views/route.py", label="Watch its parts vote →")


given = state.current_input()
net = state_network.network()
gate.head("Rebuild")
if net.model.decoder is None:
    no_bench()
else:
    digit, drawn = wording.kind(net.names), wording.shown(net.names)
    st.caption(
        f"The decoder draws a {drawn} from one capsule alone: from its pose, an arrow of "
        f"{counted(net.model.config.digit_dim)} numbers. How long the arrow is says how surely the "
        f"{digit} is there; where it points, how the {drawn} is drawn. Move a number and see what "
        "it stands for; the paper moves each by ±0.25 (section 5.1)."
    )
    another = f"{'Draw' if wording.written(net.names) else 'Choose'} another {drawn}"
    header(given, state_network.reading(given), "views/draw.py", another)
    bench()
