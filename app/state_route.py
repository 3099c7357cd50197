"""What the Route view keeps: its cache, session keys and query parameters (see `state`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import streamlit as st

from app import state_cut, state_link, state_network, state_pair
from app.components import kit
from app.routings import Routing

if TYPE_CHECKING:
    from app.inputs import Input
    from capsnet.config import CapsNetConfig

ITERATIONS = 10
_VIEW = "route_view"
_REVISION = "route_revision"
_PROBLEM = "route_link_problem"
# Query parameters, by the field of `Choice` that each says.
_PARAMETERS = {
    "digit": "digit",
    "rival": "rival",
    "iteration": "iteration",
    "weighted": "plain",
    "capsule": "capsule",
    "cut": "cut",
}


@dataclass(frozen=True)
class Choice:
    """What the visitor looks at.

    Args:
        digit: The digit whose couplings are shown; None is the network's verdict.
        rival: The digit it is compared with; None is the longest other one.
        iteration: 1…ITERATIONS; None is where nothing was chosen yet.
        weighted: Whether the maps are weighted by the votes' lengths.
        capsule: The primary capsule that is opened; None is the one that tells the digit most.
        cut: The capsules that are silenced, as `Cut` writes them; empty where none are.
    """

    digit: int | None = None
    rival: int | None = None
    iteration: int | None = None
    weighted: bool = True
    capsule: int | None = None
    cut: str = ""

    @classmethod
    def checked(cls, sent: object, config: CapsNetConfig) -> Choice | None:
        """What the player sent, or None where it makes no sense."""
        if not isinstance(sent, Mapping):
            return None
        ranges = {
            "digit": range(config.classes),
            "rival": range(config.classes),
            "iteration": range(1, ITERATIONS + 1),
            "capsule": range(config.primary_capsules),
        }
        numbers = {name: sent.get(name) for name in ranges}
        for name, value in numbers.items():
            if value is not None and (type(value) is not int or value not in ranges[name]):
                return None
        cut = state_cut.checked(sent.get("cut", ""), config)
        if cut is None:
            return None
        return cls(weighted=bool(sent.get("weighted", True)), cut=cut, **numbers)

    @classmethod
    def linked(cls, query: Mapping[str, str], config: CapsNetConfig) -> Choice:
        """The choice in a link; what makes no sense for the network counts as not chosen."""
        cut = state_cut.checked(query.get(_PARAMETERS["cut"], ""), config)
        found = cls(weighted=query.get(_PARAMETERS["weighted"]) != "1", cut=cut or "")
        for name in ("digit", "rival", "iteration", "capsule"):
            text = query.get(_PARAMETERS[name], "")
            if text.isascii() and text.isdecimal() and len(text) < 6:
                found = cls.checked({**asdict(found), name: int(text)}, config) or found
        return found

    def link(self) -> dict[str, str]:
        """The query parameters that say it; empty ones where nothing was chosen."""
        numbers = (self.digit, self.rival, self.iteration, self.capsule)
        names = ("digit", "rival", "iteration", "capsule")
        said = {
            _PARAMETERS[name]: "" if number is None else str(number)
            for name, number in zip(names, numbers, strict=True)
        }
        plain = "" if self.weighted else "1"
        return {**said, _PARAMETERS["weighted"]: plain, _PARAMETERS["cut"]: self.cut}

    def left_out(self, query: Mapping[str, str]) -> str:
        """What a link says that this choice, read from it, could not take up; empty if nothing."""
        said = self.link()
        names = [name for name in said if query.get(name) and not said[name]]
        parts = ", ".join(f"{name}={query[name][:20]}" for name in names)
        return (
            f"This network has nothing by the name that the link gives: {parts}." if names else ""
        )

    def of_another_input(self) -> Choice:
        """What stays of it when the input changes: digits and capsules are chosen for one input.

        A cut stays, so that one sees what the same capsules do for another input.
        """
        return Choice(iteration=self.iteration, weighted=self.weighted, cut=self.cut)


def routing(given: Input) -> Routing:
    """How an input is routed, in all that the view shows."""
    key = f"{state_network.network().key}-{given.key}"
    return _routing(key, given)


def routing_file(given: Input) -> bytes:
    """The same for the browser: see `Routing.file`."""
    routed = routing(given)
    return _routing_file(routed.key, routed)


@st.cache_resource(max_entries=32, show_spinner=False)
def _routing(key: str, _given: Input) -> Routing:
    """`key` names network and input in the cache; shared by all visitors, so leave it as it is."""
    grid = state_network.network().model.config.grid
    return Routing.of(key, state_network.trace_of(_given, ITERATIONS), grid)


@st.cache_resource(max_entries=32, show_spinner=False)
def _routing_file(key: str, _routed: Routing) -> bytes:
    return _routed.file()


def answers(given: Input, chosen: Choice) -> dict[str, object]:
    """What only the network can say to a choice, for the player.

    Returns:
        weights: Of the opened capsule i, {"capsule": i, "values": W_ij [8, classes, 16] as text}:
            its votes are û_j|i = u_i W_ij (eq. 2).
        cut: What the cut does to the input; see `state_cut.answer`.
        pair: How the pinned input is routed beside this one; see `state_pair.answer`.
    """
    capsule = opened(given, chosen)
    values = state_network.network().model.W[capsule].detach().float().numpy()
    told: dict[str, object] = {"weights": {"capsule": capsule, "values": kit.floats(values)}}
    if chosen.cut:
        told["cut"] = state_cut.answer(given, routing(given), chosen.cut)
    if pinned := state_pair.pinned():
        told["pair"] = state_pair.answer(
            pinned, given, (routing(pinned), routing(given)), ITERATIONS
        )
    return told


def opened(given: Input, chosen: Choice) -> int:
    """The primary capsule that is open: the chosen one, else the one that gives its digit most."""
    if chosen.capsule is not None:
        return chosen.capsule
    routed = routing(given)
    trained = min(state_network.network().model.config.iterations, ITERATIONS)
    answer = int(routed.lengths[trained - 1].argmax())
    return routed.loudest(answer if chosen.digit is None else chosen.digit, trained)


def choice(given: Input) -> Choice:
    """What the visitor chose to look at, here or in the link; a digit is chosen for one input."""
    config = state_network.network().model.config
    if _VIEW not in st.session_state or state_link.went_back():
        query = st.query_params.to_dict()
        linked = Choice.linked(query, config)
        st.session_state[_VIEW] = (given.key, linked)
        st.session_state[_REVISION] = revision() + 1
        st.session_state[_PROBLEM] = linked.left_out(query)
    key, chosen = st.session_state[_VIEW]
    if key != given.key:
        chosen = chosen.of_another_input()
    chosen = Choice.checked(asdict(chosen), config) or Choice()  # the network may be another one
    choose(given, chosen)
    return chosen


def revision() -> int:
    """Rises when what is looked at changed by other means than the player."""
    return st.session_state.get(_REVISION, 0)


def link_problem() -> str:
    """What of the link was passed over, until something is chosen; mostly empty."""
    return st.session_state.get(_PROBLEM, "")


def take_choice(given: Input, sent: object) -> None:
    """Take up what the player sent; what makes no sense is passed over."""
    chosen = Choice.checked(sent, state_network.network().model.config)
    if chosen is not None:
        st.session_state[_PROBLEM] = ""
        choose(given, chosen)


def choose(given: Input, chosen: Choice) -> None:
    """Remember what the visitor looks at and put it into the link."""
    st.session_state[_VIEW] = (given.key, chosen)
    state_link.say(chosen.link())
