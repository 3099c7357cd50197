"""The evidence about routing: its cache, session key and query parameter (see `state`)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import streamlit as st

from app import networks, state_link, state_network
from capsnet.survey import SurveyError, how_to_make, load_survey, survey_path

if TYPE_CHECKING:
    from capsnet.analysis.survey import RoutingSurvey

Topic = Literal["verdicts", "capsules", "couplings"]
CapsuleMap = Literal["variation", "length", "dead"]

_LOOK = "evidence_look"
_Q_LOOK = "evidence"


@dataclass(frozen=True)
class Surveyed:
    """What a survey found of the chosen network, if there is one.

    Args:
        routing: Of the test set as it is.
        moved: Of the test set turned, sheared and scaled.
        problem: Why there is none; empty where there is.
        command: What makes one.
        name: What its file is called.
        file: The file; empty where there is none.
    """

    routing: RoutingSurvey | None
    moved: RoutingSurvey | None
    problem: str
    command: str
    name: str
    file: bytes = b""


@dataclass(frozen=True)
class Look:
    """Which figures the visitor looks at.

    Args:
        topic: Which of them; None is none, as drawing them takes seconds.
        shown: What the colour of a capsule tells; None is whatever tells most.
        digit: Whose couplings are shown.
    """

    topic: Topic | None = None
    shown: CapsuleMap | None = None
    digit: int = 0

    @classmethod
    def linked(cls, text: str, classes: int) -> Look:
        """The look that a link names; what makes no sense counts as not chosen."""
        topic, _, detail = text.partition("-")
        for known in get_args(Topic):
            if topic == known:
                digits = {str(digit): digit for digit in range(classes)}
                shown = {name: name for name in get_args(CapsuleMap)}
                return cls(known, shown.get(detail), digits.get(detail, 0))
        return cls()

    @property
    def link(self) -> str:
        """What the link says of it; nothing where nothing was chosen."""
        if self.topic is None:
            return ""
        detail = {"capsules": self.shown or "", "couplings": str(self.digit)}.get(self.topic, "")
        return f"{self.topic}-{detail}".removesuffix("-")


def surveyed() -> Surveyed:
    """What is known of the network that this visitor looks through."""
    net = state_network.network()
    path = survey_path(net.path)
    return _surveyed(path, net.key, net.path, net.test_set, networks.stamp_of(path))


@st.cache_resource(max_entries=16, show_spinner=False)
def _surveyed(path: Path, key: str, checkpoint: Path, data: str, stamp: networks.Stamp) -> Surveyed:
    """The survey in a file; `stamp` makes a changed file another entry."""
    inside = checkpoint.is_relative_to(networks.REPOSITORY)
    # Where else it lies on the server is not the visitor's business.
    command = how_to_make(
        checkpoint.relative_to(networks.REPOSITORY) if inside else checkpoint.name,
        data,
    )
    try:
        routing, moved = load_survey(path, key), load_survey(path, key, "moved")
        return Surveyed(routing, moved, "", command, path.name, path.read_bytes())
    except SurveyError as error:
        problem = str(error).replace(str(path), path.name)
        return Surveyed(None, None, problem, command, path.name)


def look(classes: int) -> Look:
    """What the visitor looks at, as chosen here or in the link."""
    if _LOOK not in st.session_state or state_link.went_back():
        st.session_state[_LOOK] = Look.linked(st.query_params.get(_Q_LOOK, ""), classes)
    found: Look = st.session_state[_LOOK]
    if found.digit >= classes:  # of another network
        found = replace(found, digit=0)
    state_link.say({_Q_LOOK: found.link})
    return found


def look_at(found: Look) -> None:
    """Remember what the visitor looks at and put it into the link."""
    st.session_state[_LOOK] = found
    state_link.say({_Q_LOOK: found.link})
