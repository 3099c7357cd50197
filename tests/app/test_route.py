"""The Route view as a script: what the player is given, and what the link keeps."""

from __future__ import annotations

from typing import Any

import pytest

from app.state_route import Choice
from capsnet import CapsNetConfig
from tests.app.visit import open_app, sent_to

NOTHING = Choice()


def open_route(**query: str):
    app = open_app("views/route.py", **query)
    assert not app.exception
    return app


@pytest.fixture(scope="module")
def player() -> dict[str, Any]:
    return sent_to(open_route(), "routing_player")


def test_the_player_knows_the_network_and_the_input(player: dict[str, Any]) -> None:
    assert (player["trained"], player["grid"], player["stride"], player["extent"]) == (3, 6, 2, 17)
    assert len(player["image"]) == 784
    assert player["names"] == [str(digit) for digit in range(10)]


def test_nothing_is_chosen_at_first(player: dict[str, Any]) -> None:
    assert player["opening"] == {**vars(NOTHING)}


def test_a_link_opens_what_it_names() -> None:
    app = open_route(digit="4", rival="9", iteration="7", plain="1", capsule="417")
    opening = sent_to(app, "routing_player")["opening"]
    assert opening == vars(Choice(4, 9, 7, False, 417))
    assert app.query_params["digit"] == "4"
    assert app.query_params["capsule"] == "417"


def test_a_link_with_nonsense_opens_as_if_it_named_nothing() -> None:
    app = open_route(digit="12", rival="²", iteration="x", plain="yes", capsule="1152")
    opening = sent_to(app, "routing_player")["opening"]
    assert opening == vars(NOTHING)
    assert "digit" not in app.query_params
    (problem,) = app.warning
    for part in ("digit=12", "rival=²", "iteration=x", "plain=yes", "capsule=1152"):
        assert part in problem.value


def test_a_link_that_can_be_followed_is_not_complained_about() -> None:
    assert not open_route(digit="4", iteration="7", plain="1", cut="p14.t3").warning


@pytest.mark.parametrize(
    ("sent", "taken"),
    [
        ({"digit": 4, "iteration": 7, "weighted": False}, Choice(4, None, 7, False)),
        ({"digit": None, "iteration": 10}, Choice(iteration=10)),
        ({"rival": 3, "capsule": 1151}, Choice(rival=3, capsule=1151)),
        ({"digit": 10, "iteration": 7}, None),
        ({"digit": 4, "iteration": 0}, None),
        ({"digit": "4", "iteration": 1}, None),
        ({"digit": 4, "iteration": True}, None),
        ({"capsule": 1152}, None),
        ({"capsule": -1}, None),
        ("7", None),
    ],
)
def test_only_a_message_that_makes_sense_is_taken(sent: object, taken: Choice | None) -> None:
    assert Choice.checked(sent, CapsNetConfig()) == taken


def test_a_choice_survives_its_link() -> None:
    chosen = Choice(4, 9, 7, False, 417)
    assert Choice.linked(chosen.link(), CapsNetConfig()) == chosen
