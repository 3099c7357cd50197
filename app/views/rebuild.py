"""Rebuild: take hold of a digit capsule's pose and see what the decoder draws of it."""

import streamlit as st

from app import gate, state, state_network, state_rebuild
from app.components.header import header
from app.components.sculptor import decoder, sculptor, sent


@st.fragment
def bench() -> None:
    """The sliders with their pictures, and the network reading the result; reruns alone."""
    given = state.current_input()
    answer = state_network.reading(given)
    holding = state_rebuild.held(given, answer, sent())
    picture = state_rebuild.rebuilt(holding, answer)
    again = (picture, state_network.reading(picture))
    sculptor(given, answer, holding, again, state_network.network().key)
    decoder(state_rebuild.decoder_file())  # sent again only where the network changed


given = state.current_input()
gate.head("Rebuild")
st.caption(
    "The decoder draws a digit from one capsule alone: sixteen numbers. Move one and see what it "
    "stands for; ±0.25 is as far as the paper goes (section 5.1)."
)
header(given, state_network.reading(given), "views/draw.py", "Draw another digit")
bench()
