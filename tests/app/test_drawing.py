"""The pad's messages, whatever they hold, and the history of a drawing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app import drawing, links
from app.drawing import Drawing
from capsnet.preprocessing.drawing import DrawingError, from_strokes

SEVEN = [[300, 200, 50], [700, 200, 50], [620, 450, 50], [450, 850, 50]]


def message(*ops: Any) -> dict[str, Any]:
    return {"ops": list(ops), "redo": [], "seq": 1, "finished": True}


def test_a_drawing_is_taken_as_it_was_sent() -> None:
    value = drawing.taken(message(SEVEN, None, SEVEN) | {"redo": [SEVEN], "seq": 9})
    assert value == Drawing([SEVEN, None, SEVEN], [SEVEN], 9)
    assert value.strokes == [SEVEN]


@pytest.mark.parametrize(
    "sent",
    [
        None,
        7,
        "drawing",
        [],
        {},
        {"ops": [], "redo": [], "seq": None},
        {"ops": [], "redo": [], "seq": float("inf")},
        {"ops": 3, "redo": [], "seq": 1},
        message([]),
        message(5),
        message("stroke"),
        message({"x": 1}),
        message([[1]]),
        message([[1, 2, 3, 4]]),
        message([[1, 2], [3]]),
        message([["x", "y"]]),
        message([[float("nan"), 1]]),
        message([[1, float("inf")]]),
        message([[10**400, 1]]),
        message([[[1, 2], [3, 4]]]),
        message(SEVEN, [[None, 5]]),
        message(*[[[1, 1]]] * (links.MAX_POINTS + 1)),
    ],
)
def test_what_is_no_drawing_is_refused_in_words(sent: Any) -> None:
    with pytest.raises(DrawingError, match="all else is as it was"):
        drawing.taken(sent)


def test_points_off_the_pad_are_moved_to_its_edge() -> None:
    value = drawing.taken(message([[-5, 1e9, -1], [3.4, 2000, 900]]))
    assert value.ops == [[[0, 1023, 0], [3, 1023, 100]]]


def test_a_million_points_are_thinned_and_read_the_same() -> None:
    angle = np.linspace(0, 2 * np.pi, 1_000_000)
    circle = np.stack([511 + 300 * np.cos(angle), 511 + 400 * np.sin(angle)], axis=1)
    (stroke,) = drawing.taken(message(circle.tolist())).strokes
    assert len(stroke) <= links.MAX_POINTS + 1
    assert stroke[-1] == circle[-1].round().tolist()
    np.testing.assert_allclose(from_strokes([stroke]), from_strokes([circle[::20]]), atol=0.05)


def test_the_pen_off_the_pad_parts_a_stroke_that_is_undone_as_one() -> None:
    parted = [[900, 100], [1023, 100], None, [1023, 800], [500, 800]]
    value = drawing.taken(message(parted))
    assert value.ops == [parted]
    assert value.strokes == [parted[:2], parted[3:]]


def test_undoing_a_clear_brings_the_strokes_back() -> None:
    cleared = Drawing(ops=[SEVEN, None])
    assert cleared.strokes == []
    assert Drawing(ops=cleared.ops[:-1]).strokes == [SEVEN]


def test_an_earlier_link_is_a_step_of_the_history_and_another_one_is_drawn_on_top() -> None:
    one, two = [[1, 1], [9, 9]], [[5, 5], [7, 7]]
    now = Drawing([SEVEN, None, one])
    assert now.went_to([[point[:2] for point in SEVEN]]) == Drawing([SEVEN], [one, None])
    assert now.went_to([one]).ops == now.ops
    assert now.went_to([two]) == Drawing([SEVEN, None, one, None, two])
    assert Drawing().went_to([two]) == Drawing([two])
