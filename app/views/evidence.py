"""Does routing help? What was published, and what the whole test set says of this network."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from app import state_network, state_survey, wording
from app.evidence import about_capsules, about_couplings, about_verdicts, claims
from app.figures.survey import capsules_figure, coupling_figures, strength_figure, verdicts_figure
from app.samples import MNIST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capsnet.analysis.survey import RoutingSurvey

TOPICS = {
    "verdicts": "Verdicts",
    "capsules": "Dead capsules",
    "couplings": "Couplings",
}
MAPS = {"dead": "How often dead", "length": "Length", "variation": "Variation"}


def evidence() -> None:
    """The claims, each with what was measured here, then the figures behind the measurements."""
    found, net = state_survey.surveyed(), state_network.network()
    st.subheader("Does routing help? The evidence", anchor=False)
    st.write(
        "Whether routing by agreement is worth its cost is disputed. Here is what was published on "
        "both sides, and next to it what this very network does over the whole test set of "
        f"{net.test_set}, with one to ten iterations."
    )
    for claim in claims(found.routing, found.moved, wording.kind(net.names)):
        with st.container(border=True):
            st.markdown(f"**{claim.title}**")
            published, here = st.columns(2, gap="medium")
            sources = " · ".join(source.link for source in claim.sources)
            published.markdown(f"{claim.says} ({sources})")
            here.markdown(f"*This network.* {claim.here or 'Not measured yet.'}")
    if found.routing is None:
        st.info(f"The test set was not surveyed: {found.problem}. This command does it:")
        st.code(found.command, language="bash")
    else:
        figures(found.routing)
        st.download_button(
            "The numbers of this survey (.npz)", found.file, found.name, on_click="ignore"
        )


@st.fragment
def figures(survey: RoutingSurvey) -> None:
    """The figures of one topic; reruns alone, and computes only what is looked at."""
    net = state_network.network()
    names, grid, noun = net.names, net.model.config.grid, wording.kind(net.names)
    mnist = net.test_set == MNIST  # as the paper's networks were tested on
    kind: Literal["light", "dark"] = "dark" if st.context.theme.type == "dark" else "light"
    look = state_survey.look(len(names))
    choose("Pictures of the whole test set", TOPICS, look, "topic", required=False)
    if look.topic == "verdicts":
        left, right = st.columns(2, gap="medium")
        left.plotly_chart(
            verdicts_figure(survey, kind, paper=mnist),
            key="survey_verdicts",
            alt="Errors and changed verdicts on the test set per routing iteration",
        )
        right.plotly_chart(
            strength_figure(survey, noun, kind),
            key="survey_strength",
            alt=f"Lengths of {noun} capsules and largest couplings per routing iteration",
        )
        st.caption(about_verdicts(survey, noun, paper=mnist))
    elif look.topic == "capsules":
        shown = look.shown or ("dead" if survey.dead.any() else "variation")
        choose("What the colour tells", MAPS, replace(look, shown=shown), "shown")
        left, right = st.columns([3, 2], gap="medium", vertical_alignment="center")
        left.plotly_chart(
            capsules_figure(survey, shown, grid, kind),
            key="survey_capsules",
            alt=f"{MAPS[shown]}: a small map of the places for each type of primary capsule",
        )
        right.caption(about_capsules(survey, grid))
    elif look.topic == "couplings":
        choose(f"Images of the {noun}", dict(enumerate(names)), look, "digit")
        name = names[look.digit]
        mean, spread = coupling_figures(survey, look.digit, name, grid, kind)
        left, right = st.columns(2, gap="medium")
        left.plotly_chart(mean, key="survey_mean", alt=f"Mean coupling of each capsule to {name}")
        right.plotly_chart(
            spread, key="survey_spread", alt=f"Spread of the coupling of each capsule to {name}"
        )
        st.caption(about_couplings(survey, look.digit, name))


def choose(
    label: str,
    options: Mapping[Any, str],
    look: state_survey.Look,
    field: str,
    *,
    required: bool = True,
) -> None:
    """Let the visitor choose one field of a look; none of them only where it is not required."""
    key = f"evidence_{field}"
    st.session_state[key] = getattr(look, field)
    st.segmented_control(
        label,
        list(options),
        format_func=lambda option: options[option],
        required=required,
        key=key,
        on_change=lambda: state_survey.look_at(replace(look, **{field: st.session_state[key]})),
    )
