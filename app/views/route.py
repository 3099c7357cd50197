"""Route: watch the primary capsules' votes being routed, iteration by iteration."""

from typing import Literal

import numpy as np
import streamlit as st

from app import gate, state, state_network, state_route
from app.components.header import header
from app.components.routing_player import routing_player
from app.figures.routing import entropy_figure, lengths_figure
from app.inputs import Input


@st.fragment
def player(given: Input, opening: state_route.Choice) -> None:
    """The player; reruns alone when the visitor has chosen something, to put it into the link."""
    routing_player(
        given,
        state_network.reading(given),
        state_route.routing(given),
        opening,
        on_choice=lambda chosen: state_route.choose(given, chosen),
    )


def glance(given: Input) -> None:
    """Two figures over all iterations."""
    routed, names = state_route.routing(given), state_network.reading(given).names
    kind: Literal["light", "dark"] = "dark" if st.context.theme.type == "dark" else "light"
    lengths = lengths_figure(routed.lengths, routed.off, names, routed.trained, kind)
    entropy = entropy_figure(
        routed.entropy,
        routed.entropy_low,
        routed.entropy_high,
        float(np.log2(len(names))),
        routed.trained,
        kind,
    )
    left, right = st.columns(2, gap="medium")
    left.plotly_chart(lengths, key="lengths", alt="Length of each digit capsule per iteration")
    right.plotly_chart(entropy, key="entropy", alt="Entropy of the couplings per iteration")


given = state.current_input()
gate.head("Route")
header(given, state_network.reading(given), "views/rebuild.py", "**Take hold of what it saw →**")
st.write(
    "Each primary capsule votes for the pose of every digit. Routing by agreement (section 2 and "
    "Procedure 1 of the paper) finds the votes that belong together: where a capsule's vote agrees "
    "with a digit's pose, more of its output goes there in the next iteration. Play it, or drag."
)
player(given, state_route.choice(given))
st.subheader("All iterations at a glance", anchor=False)
st.caption(
    "The lengths at the network's own range 0 to 1, the entropy from 0 bits (each capsule serves "
    "one digit) to that of equal couplings. The numbers are in the CSV of the player above."
)
glance(given)
