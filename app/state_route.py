"""What the Route view keeps: its cache, session keys and query parameters (see `state`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from app import state, state_network
from capsnet.analysis.couplings import coupling_maps, entropy_summary, uniform_routing

if TYPE_CHECKING:
    from app.inputs import Floats, Input

ITERATIONS = 10
_VIEW = "route_view"
_Q_DIGIT, _Q_ITERATION, _Q_PLAIN = "digit", "iteration", "plain"


@dataclass(frozen=True)
class Routing:
    """How one input was routed, as the view shows it: T iterations, J digits.

    Args:
        key: Names the input and the network.
        weighted: Couplings at each place, weighted by the votes' lengths, [T, J, grid, grid].
        plain: The same, every capsule counting alike.
        lengths: ‖v_j‖, [T, J].
        off: ‖v_j‖ with routing switched off, [J].
        entropy: Mean over the primary capsules, bits, [T].
        entropy_low: Its 10 % quantile, [T].
        entropy_high: Its 90 % quantile, [T].
        trained: The iterations r that the network was trained with.
        types: Primary capsules at each place.
        stride: Pixels from place to place.
        extent: Pixels that a place sees, in each direction.
    """

    key: str
    weighted: Floats
    plain: Floats
    lengths: Floats
    off: Floats
    entropy: Floats
    entropy_low: Floats
    entropy_high: Floats
    trained: int
    types: int
    stride: int
    extent: int


@dataclass(frozen=True)
class Choice:
    """What the visitor looks at.

    Args:
        digit: The digit whose couplings are shown; None is the network's verdict.
        iteration: 1…ITERATIONS; None is where nothing was chosen yet.
        weighted: Whether the maps are weighted by the votes' lengths.
    """

    digit: int | None = None
    iteration: int | None = None
    weighted: bool = True


def routing(given: Input) -> Routing:
    """How an input is routed."""
    net = state_network.network()
    config = net.model.config
    key = f"{net.key}-{given.key}"
    return Routing(
        **_routing(key, config.grid, given),
        key=key,
        trained=config.iterations,
        types=config.primary_types,
        stride=config.primary_stride,
        extent=config.conv_kernel + config.primary_kernel - 1,
    )


@st.cache_data(max_entries=256, show_spinner=False)
def _routing(key: str, grid: int, _given: Input) -> dict[str, Floats]:
    """The arrays of `Routing`; `key` names network and input in the cache."""
    trace = state_network.trace_of(_given, ITERATIONS)
    couplings, votes = trace["couplings"], trace["votes"]
    entropy = entropy_summary(couplings)
    return {
        "weighted": coupling_maps(couplings, votes, grid, weighted=True),
        "plain": coupling_maps(couplings, votes, grid, weighted=False),
        "lengths": trace["lengths"],
        "off": uniform_routing(votes),
        "entropy": entropy.mean,
        "entropy_low": entropy.low,
        "entropy_high": entropy.high,
    }


def choice(given: Input) -> Choice:
    """What the visitor chose to look at, here or in the link; a digit is chosen for one input."""
    if _VIEW not in st.session_state:
        st.session_state[_VIEW] = (given.key, _linked())
    key, chosen = st.session_state[_VIEW]
    if key != given.key:
        chosen = Choice(None, chosen.iteration, chosen.weighted)
    choose(given, chosen)
    return chosen


def choose(given: Input, chosen: Choice) -> None:
    """Remember what the visitor looks at and put it into the link."""
    st.session_state[_VIEW] = (given.key, chosen)
    state.say_in_link(
        {
            _Q_DIGIT: "" if chosen.digit is None else str(chosen.digit),
            _Q_ITERATION: str(chosen.iteration or ""),
            _Q_PLAIN: "" if chosen.weighted else "1",
        }
    )


def _linked() -> Choice:
    """The choice in the link; what is not a number in its range counts as not chosen."""

    def number(name: str, values: range) -> int | None:
        numbers = {str(value): value for value in values}
        return numbers.get(st.query_params.get(name, ""))

    classes = state_network.network().model.config.classes
    return Choice(
        digit=number(_Q_DIGIT, range(classes)),
        iteration=number(_Q_ITERATION, range(1, ITERATIONS + 1)),
        weighted=number(_Q_PLAIN, range(1, 2)) is None,
    )
