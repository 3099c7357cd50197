"""The Route view as a script: what the player is given, and what the link keeps."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app import state
from app.components.routing_player import checked
from app.state_route import Choice

MAIN = str(Path(state.__file__).with_name("main.py"))
TIMEOUT = 90


def open_route(**query: str) -> AppTest:
    app = AppTest.from_file(MAIN, default_timeout=TIMEOUT).run()
    app.switch_page("views/route.py")
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def sent_to(app: AppTest, component: str) -> dict[str, Any]:
    """What a component on the page was given."""
    elements = app.get("bidi_component")
    found = [e.proto for e in elements if e.proto.component_name == f"capsnet_{component}"]
    return json.loads(found[0].json)


def floats(text: str, *shape: int) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), dtype="<f4").reshape(shape)


@pytest.fixture(scope="module")
def player() -> dict[str, Any]:
    return sent_to(open_route(), "routing_player")


def test_the_player_gets_the_whole_routing_at_once(player: dict[str, Any]) -> None:
    assert (player["iterations"], player["trained"]) == (10, 3)
    assert (player["grid"], player["types"], player["stride"], player["extent"]) == (6, 32, 2, 17)
    lengths = floats(player["lengths"], 10, 10)
    assert (lengths >= 0).all() and (lengths < 1).all()
    assert player["opening"] == {"digit": None, "iteration": None, "weighted": True}


def test_iteration_one_couples_evenly_and_is_routing_off(player: dict[str, Any]) -> None:
    np.testing.assert_allclose(floats(player["weighted"], 10, 10, 36)[0], 0.1, rtol=1e-5)
    first = floats(player["lengths"], 10, 10)[0]
    np.testing.assert_allclose(floats(player["off"], 10), first, atol=1e-5)
    assert floats(player["entropy"], 10)[0] == pytest.approx(np.log2(10), abs=1e-5)


def test_plain_couplings_of_a_place_add_up_to_one(player: dict[str, Any]) -> None:
    plain = floats(player["plain"], 10, 10, 36)
    np.testing.assert_allclose(plain.sum(axis=1), 1, rtol=1e-5)


def test_iteration_three_is_what_the_network_answers() -> None:
    app = open_route()
    lengths = floats(sent_to(app, "routing_player")["lengths"], 10, 10)
    assert f"{lengths[2].max():.2f}" in sent_to(app, "header")["words"]


def test_the_page_has_its_title_and_both_figures() -> None:
    app = open_route()
    assert app.title[0].value == "Route"
    assert len(app.get("plotly_chart")) == 2


def test_a_link_opens_the_digit_and_iteration_it_names() -> None:
    app = open_route(digit="4", iteration="7", plain="1")
    opening = sent_to(app, "routing_player")["opening"]
    assert opening == {"digit": 4, "iteration": 7, "weighted": False}
    assert app.query_params["digit"] == "4"


def test_a_link_with_nonsense_opens_as_if_it_named_nothing() -> None:
    app = open_route(digit="12", iteration="x", plain="yes")
    opening = sent_to(app, "routing_player")["opening"]
    assert opening == {"digit": None, "iteration": None, "weighted": True}
    assert "digit" not in app.query_params


@pytest.mark.parametrize(
    ("sent", "taken"),
    [
        ({"digit": 4, "iteration": 7, "weighted": False}, Choice(4, 7, False)),
        ({"digit": None, "iteration": 10}, Choice(None, 10, True)),
        ({"digit": 10, "iteration": 7}, None),
        ({"digit": 4, "iteration": 0}, None),
        ({"digit": "4", "iteration": 1}, None),
        ({"digit": 4, "iteration": True}, None),
        ("7", None),
    ],
)
def test_only_a_message_that_makes_sense_is_taken(sent: object, taken: Choice | None) -> None:
    assert checked(sent, iterations=10, classes=10) == taken
