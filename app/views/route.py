"""Route: watch the primary capsules' votes being routed, iteration by iteration."""

import streamlit as st

from app import gate, state, state_network, state_pair, state_route, wording
from app.components.header import header
from app.components.routing_player import routing_player, trace
from app.components.vendor import libraries
from app.views.evidence import evidence
from app.views.take_away import take_away


@st.fragment
def player() -> None:
    """The player; reruns alone when the visitor has chosen something."""
    if state_pair.moved():
        st.rerun()
    given = state.current_input()
    config = state_network.network().model.config
    chosen = state_route.choice(given)
    place = st.empty()  # always there, so that the player keeps its own
    if problem := state_route.link_problem():
        place.warning(problem)
    routing_player(
        given,
        state_network.reading(given),
        state_route.routing(given),
        config,
        chosen,
        state_route.revision(),
        state_route.answers(given, chosen),
        on_choice=lambda sent: state_route.take_choice(given, sent),
        on_pair=lambda sent: state_pair.take(given, sent),
    )
    trace(state_route.routing_file(given))
    libraries("svgcanvas", "gifenc")
    take_away(given, chosen)


given = state.current_input()
gate.head("Route")
net = state_network.network()
digit = wording.kind(net.names)
following = ("views/rebuild.py", "**Take hold of what it saw →**")
if net.model.decoder is None:
    following = ("views/draw.py", "← Draw")
header(given, state_network.reading(given), *following)
st.write(
    f"Each primary capsule votes for the pose of every {digit}. Routing by agreement (section 2 "
    "and Procedure 1 of the paper) finds the votes that belong together: where a capsule's vote "
    f"agrees with a {digit}'s pose, more of its output goes there in the next iteration. Play it, "
    "or drag."
)
player()
evidence()
