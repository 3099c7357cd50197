"""What the Route view gives to take away: files that are made when they are asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app import reproduce, state_network
from app.state_route import ITERATIONS
from capsnet.analysis import tables
from capsnet.analysis.export import trace_file
from capsnet.analysis.knockout import Cut, route_without
from capsnet.data import DataError, dataset_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.inputs import Floats, Input
    from app.state_route import Choice


@dataclass(frozen=True)
class File:
    """A file to take away.

    Args:
        label: What its button says.
        name: What it is called.
        kind: Its MIME type.
        make: Makes its contents; needs no visitor, as it is called outside any run.
    """

    label: str
    name: str
    kind: str
    make: Callable[[], bytes | str]


def files(given: Input, chosen: Choice) -> list[File]:
    """The trace and its tables; where capsules are cut, of the routing without them."""
    net, name = state_network.network(), _name(given, chosen)
    cut = Cut.parse(chosen.cut)
    config, names = net.model.config, net.model.class_names

    def trace() -> dict[str, Floats]:
        whole = state_network.trace_of(given, ITERATIONS, net)
        if not cut:
            return whole
        rest = route_without(whole["primary"], whole["votes"], cut.mask(config), ITERATIONS)
        return state_network.arrays(rest)

    def archive() -> bytes:
        path = f"checkpoints/{net.path.name}"
        return trace_file(trace(), given.image, config, names, checkpoint=path, cut=cut or None)

    return [
        File("The whole trace (.npz)", f"{name}.npz", "application/octet-stream", archive),
        File(
            "Iteration by iteration (.csv)",
            f"{name}-iterations.csv",
            "text/csv",
            lambda: tables.iterations_table(trace(), names),
        ),
        File(
            "All couplings (.csv)",
            f"{name}-couplings.csv",
            "text/csv",
            lambda: tables.couplings_table(trace(), names, config),
        ),
    ]


def script(given: Input, chosen: Choice) -> str:
    """The lines of Python that compute what is on screen."""
    net = state_network.network()
    digit, iteration = chosen.digit, chosen.iteration
    shown = reproduce.Shown(
        network=net.path.name,
        names=net.names,
        dataset=_dataset(net.test_set),
        archive=f"{_name(given, chosen)}.npz",
        iterations=ITERATIONS,
        iteration=min(net.model.config.iterations, ITERATIONS) if iteration is None else iteration,
        digit=state_network.reading(given).digit if digit is None else digit,
        weighted=chosen.weighted,
        capsule=chosen.capsule,
        cut=chosen.cut,
    )
    return reproduce.lines(given, shown)


def _dataset(title: str) -> str:
    """What `load_dataset` knows a test set by; empty where it does not, as with a folder."""
    try:
        return dataset_of(title)
    except DataError:
        return ""


def _name(given: Input, chosen: Choice) -> str:
    """How files about an input begin, as in the player's save.js."""
    title = re.sub(r"\W+", "-", given.title)
    return f"capsnet-routing-{title}{'-cut' if chosen.cut else ''}"
