"""What is held, as a page sends it and as a link says it."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.held import FARTHEST, PARAMETERS, Held, Journey, View

CLASSES, SIZE = 10, 16
STILL = (0.0,) * SIZE
MESSAGE: dict[str, Any] = {
    "digit": 4,
    "edits": {"4": [0.1] * SIZE, "7": [-0.25, *[0.0] * 15]},
    "dimension": 2,
    "seq": 3,
    "reach": "population",
    "basis": "axes",
    "order": "change",
    "journey": {"to": "sample-449", "turning": True},
}

offsets = st.integers(-20_000, 20_000).map(lambda n: n / 10_000)
views = st.builds(
    View,
    st.sampled_from(["paper", "wide", "population"]),
    st.sampled_from(["dimensions", "axes"]),
    st.sampled_from(["number", "change"]),
)
destinations = st.integers(0, 9999).map("sample-{}".format) | st.just("pinned")
journeys = st.builds(Journey, destinations, st.booleans()) | st.just(Journey())
digits = st.integers(0, CLASSES - 1)
poses = st.lists(offsets, min_size=SIZE, max_size=SIZE).map(tuple)


def linked(query: dict[str, str], digit: int = 5) -> Held:
    return Held.linked(query, CLASSES, SIZE, digit)


def left_out(query: dict[str, str]) -> str:
    return linked(query).left_out(query, 5, SIZE)


def test_a_message_says_all_that_is_held() -> None:
    found = Held.checked(MESSAGE, CLASSES, SIZE)
    assert found == Held(
        digit=4,
        edits={4: (0.1,) * SIZE, 7: (-0.25, *[0.0] * 15)},
        dimension=2,
        view=View("population", "axes", "change"),
        journey=Journey("sample-449", True),
        seq=3,
    )
    assert found.offsets(SIZE) == (0.1,) * SIZE


def test_a_message_with_a_digit_alone_holds_the_networks_pose_as_usual() -> None:
    assert Held.checked({"digit": 9}, CLASSES, SIZE) == Held(9)
    assert Held(9).offsets(SIZE) == STILL


def test_a_capsule_that_did_not_move_is_not_kept_as_moved() -> None:
    found = Held.checked({"digit": 4, "edits": {"4": [0] * SIZE, "1": [1] * SIZE}}, CLASSES, SIZE)
    assert found is not None
    assert found.edits == {1: (1.0,) * SIZE}


@pytest.mark.parametrize(
    "damage",
    [
        {"digit": CLASSES},
        {"digit": -1},
        {"digit": "4"},
        {"digit": True},
        {"digit": None},
        {"dimension": SIZE},
        {"dimension": 1.0},
        {"seq": -1},
        {"edits": [[0.1] * SIZE]},
        {"edits": {"4": [0.1] * (SIZE - 1)}},
        {"edits": {"4": ["0.1"] * SIZE}},
        {"edits": {"4": [math.nan] * SIZE}},
        {"edits": {"4": [math.inf] * SIZE}},
        {"edits": {"4": [FARTHEST + 0.01] * SIZE}},
        {"edits": {"4": 0.1}},
        {"edits": {"04": [0.1] * SIZE}},
        {"edits": {"11": [0.1] * SIZE}},
        {"edits": {4: [0.1] * SIZE}},
        {"reach": "far"},
        {"basis": "axis"},
        {"basis": ["axes"]},
        {"order": None},
        {"journey": "sample-449"},
        {"journey": {"to": "sample-x"}},
        {"journey": {"to": "elsewhere"}},
    ],
    ids=str,
)
def test_a_damaged_message_holds_nothing(damage: dict[str, object]) -> None:
    assert Held.checked({**MESSAGE, **damage}, CLASSES, SIZE) is None


@pytest.mark.parametrize("sent", [None, "words", 7, [1, 2], {}])
def test_what_is_no_message_holds_nothing(sent: object) -> None:
    assert Held.checked(sent, CLASSES, SIZE) is None


@given(digits, poses, views, journeys, digits)
def test_a_link_brings_back_what_it_was_made_of(
    digit: int, moved: tuple[float, ...], view: View, journey: Journey, winner: int
) -> None:
    told = Held(digit, {digit: moved}, view=view, journey=journey).link(winner, SIZE)
    found = Held.linked(told, CLASSES, SIZE, winner)
    assert found.digit == digit
    assert found.offsets(SIZE) == pytest.approx(moved, abs=1e-9)
    assert (found.view, found.journey) == (view, journey)
    assert found.left_out(told, winner, SIZE) == ""


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(PARAMETERS, st.text(max_size=40))))
def test_any_link_holds_something_that_can_be_linked_again(query: dict[str, str]) -> None:
    found = linked(query)
    assert 0 <= found.digit < CLASSES
    assert all(abs(x) <= FARTHEST for x in found.offsets(SIZE))
    again = linked(found.link(5, SIZE))
    assert (again.digit, again.view, again.journey) == (found.digit, found.view, found.journey)
    assert again.offsets(SIZE) == pytest.approx(found.offsets(SIZE), abs=6e-6)


def test_a_link_names_dimensions_from_1_and_moves_them_by_thousandths() -> None:
    found = linked({"capsule": "4", "pose": "3:200,16:-35.5"})
    assert found.digit == 4
    assert found.offsets(SIZE) == pytest.approx([0, 0, 0.2, *[0.0] * 12, -0.0355])
    assert found.link(5, SIZE)["pose"] == "3:200,16:-35.5"


def test_the_link_says_nothing_where_nothing_was_chosen() -> None:
    assert Held(5).link(5, SIZE) == dict.fromkeys(PARAMETERS, "")
    assert Held(4).link(5, SIZE)["capsule"] == "4"


@pytest.mark.parametrize(
    "pose", ["x", "3", "3:", "0:5", "17:20", "3:nan", "3:inf", "3:2001", "3:" + "9" * 5000, "3:1:2"]
)
def test_a_pose_that_makes_no_sense_is_left_out_and_told(pose: str) -> None:
    assert linked({"capsule": "4", "pose": pose}).offsets(SIZE) == STILL
    assert left_out({"capsule": "4", "pose": pose}) == (
        f"The link asks for what there is not here: pose={pose[:20]}."
    )


def test_the_pose_of_a_capsule_that_there_is_not_is_left_out_with_it() -> None:
    query = {"capsule": "11", "pose": "3:200"}
    assert linked(query) == Held(5)
    assert left_out(query) == ("The link asks for what there is not here: capsule=11, pose=3:200.")


def test_other_parts_of_a_link_that_there_are_not_are_told_too() -> None:
    query = {"sliders": "population-far", "journey": "sample--1"}
    assert linked(query) == Held(5)
    assert left_out(query) == (
        "The link asks for what there is not here: sliders=population-far, journey=sample--1."
    )


def test_a_link_that_names_the_winner_leaves_nothing_out() -> None:
    assert left_out({"capsule": "5"}) == ""
    assert left_out({}) == ""


def test_a_view_is_linked_by_what_differs_from_the_usual() -> None:
    assert View().link == ""
    assert View("population", "axes").link == "population-axes"
    assert View.linked("axes-population") == View("population", "axes")
    assert View.linked("wide-population") is None
    assert View.linked("widest") is None


def test_a_journey_is_linked_by_where_it_leads() -> None:
    assert Journey("sample-449", True).link == "sample-449-turning"
    assert Journey("", True).link == ""
    assert Journey.linked("pinned-turning") == Journey("pinned", True)
    assert Journey("sample-449").sample == 449
    for text in ("sample-", "sample-x", "sample-٣", "sample-007", "sample-123456", "turning", "-"):
        assert Journey.linked(text) is None, text


def test_another_input_keeps_how_things_are_set_up_but_no_pose() -> None:
    held = Held(4, {4: (0.1,) * SIZE}, 2, View("wide"), Journey("sample-449"), seq=8)
    assert held.of_another_input(7) == Held(7, view=View("wide"), journey=Journey("sample-449"))
