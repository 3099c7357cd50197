"""Drawings in links: how they are written, and what opening one shows."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app import links, samples, state
from app.drawing import Drawing
from capsnet.preprocessing.drawing import from_strokes
from tests.app.visit import MAIN, open_app, sent_to

SEVEN = [[[300, 200, 50], [700, 200, 50], [620, 450, 50], [450, 850, 50]]]
PLAIN = [[point[:2] for point in SEVEN[0]]]
# What the first version of this app made of SEVEN.
OLD_LINK = "eNpjucEygXkBG8N8xi_Ml5kWsAEAKx4FLA"


def wandering(points: int, step: float, seed: int = 0) -> list[list[int]]:
    """A line that winds about on the pad."""
    random = np.random.default_rng(seed)
    angle = np.cumsum(random.normal(0, 0.3, points))
    line = np.cumsum(np.stack([np.cos(angle), np.sin(angle)], axis=1) * step, axis=0)
    return np.abs(line % (2 * links.GRID) - links.GRID).round().astype(int).tolist()


# --- the text ---------------------------------------------------------------------------------


@pytest.mark.parametrize("drawn", [[], [[[5, 5]]], PLAIN, [wandering(n, 20) for n in (1, 40, 200)]])
def test_a_link_keeps_a_drawing_exactly(drawn: list[list[list[int]]]) -> None:
    assert links.shorten(drawn)[1] == 0
    assert links.decode(links.encode(drawn)) == drawn


def test_links_of_the_first_version_still_open() -> None:
    assert links.decode(OLD_LINK) == PLAIN


def test_a_busy_drawing_keeps_the_points_that_matter_and_looks_the_same() -> None:
    busy = [wandering(5000, 14)]
    text, strays = links.shorten(busy)
    assert len(text) <= links.MAX_LINK
    assert 0 < strays < state.STRAYS_UNSEEN
    opened = links.decode(text)
    assert opened[0][0] == busy[0][0] and opened[0][-1] == busy[0][-1]
    np.testing.assert_allclose(from_strokes(opened), from_strokes(busy), atol=0.15)


@pytest.mark.parametrize(
    "drawn",
    [
        [np.random.default_rng(0).integers(0, links.GRID + 1, (links.MAX_POINTS, 2)).tolist()],
        [[point] for point in np.random.default_rng(0).integers(0, 1024, (3000, 2)).tolist()],
    ],
    ids=["scribble", "dots"],
)
def test_every_drawing_has_a_link_and_how_far_it_strays_is_told(drawn: list) -> None:
    text, strays = links.shorten(drawn)
    assert len(text) <= links.MAX_LINK
    assert links.decode(text)
    assert strays > state.STRAYS_UNSEEN


@pytest.mark.parametrize(
    "text",
    [
        "no drawing",
        "A" * 100_000,
        links.encode(SEVEN)[:-6],
        links._text([[[0, 0]] * (links.MAX_POINTS + 1)]),
        links._text([[[0, 0]], []]),
        links._text([[[links.GRID + 1, 0]]]),
    ],
)
def test_a_damaged_link_is_refused_in_words(text: str) -> None:
    with pytest.raises(links.LinkError, match="The drawing in this link is"):
        links.decode(text)


# --- in the app -------------------------------------------------------------------------------


def test_strokes_in_the_session_give_a_verdict_steps_and_a_link() -> None:
    app = AppTest.from_file(MAIN, default_timeout=90)
    app.session_state["input_kind"] = "strokes"
    app.session_state["input_drawing"] = Drawing(ops=SEVEN)
    app.run()
    assert not app.exception
    given = sent_to(app, "reading")
    assert not given["blank"]
    assert given["names"][given["digit"]] == "7"
    assert [step["title"] for step in given["steps"]] == ["As drawn", "Scaled", "Centred"]
    assert [step["side"] for step in given["steps"]] == [1023, 20, 28]
    assert links.decode(app.query_params["strokes"]) == PLAIN


def test_a_link_brings_the_drawing_back() -> None:
    app = open_app(strokes=OLD_LINK)
    assert sent_to(app, "pad")["ops"] == PLAIN
    assert sent_to(app, "pad")["other"] is None


def test_a_link_holds_a_sample_over_a_drawing() -> None:
    opening = str(samples.load().opening)
    app = open_app(sample=opening, strokes=OLD_LINK)
    assert sent_to(app, "pad")["ops"] == PLAIN
    assert sent_to(app, "pad")["other"] is not None
    assert sent_to(app, "reading")["label"] is not None
    assert [app.query_params[name] for name in ("sample", "strokes")] == [opening, OLD_LINK]


@pytest.mark.parametrize(
    "query",
    [
        {"strokes": "no drawing"},
        {"strokes": OLD_LINK[:-6]},
        {"sample": "12345678"},
        {"sample": "seven"},
        {"sample": "9" * 5000},
        {"sample": "²"},
    ],
)
def test_a_corrupt_link_is_noted_and_the_opening_sample_shown(query: dict[str, str]) -> None:
    app = open_app(**query)
    assert not app.exception
    assert "Here is a sample instead." in app.warning[0].value
    assert sent_to(app, "reading")["label"] is not None


def test_a_message_that_is_no_drawing_changes_nothing_and_is_told() -> None:
    def page() -> None:
        import streamlit as st

        from app import state

        state.open_link()
        state.take_drawing({"ops": [[[1, 2], [900, 800]]], "redo": [], "seq": 1, "finished": True})
        before = state.drawing()
        state.take_drawing({"ops": [[[None, 2]]], "redo": [], "seq": 2, "finished": True})
        st.text(state.drawing().strokes == before.strokes)
        st.text(state.current_input().blank)
        st.text(state.drawing_note())

    app = AppTest.from_function(page, default_timeout=90).run()
    assert not app.exception
    kept, blank, note = (text.value for text in app.text)
    assert (kept, blank) == ("True", "False")
    assert "all else is as it was" in note


def test_a_drawing_too_busy_for_its_link_is_said_to_be() -> None:
    app = AppTest.from_file(MAIN, default_timeout=90)
    app.session_state["input_kind"] = "strokes"
    drawn = np.random.default_rng(0).integers(0, links.GRID + 1, (4000, 2)).tolist()
    app.session_state["input_drawing"] = Drawing(ops=[drawn])
    app.run()
    assert "simplified copy" in sent_to(app, "pad")["note"]
    assert not sent_to(app, "reading")["blank"]
