"""Two inputs in the Route view: what a link pins, and what the player is told of both."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from app import networks
from app.samples import load
from capsnet import load_checkpoint
from tests.app.visit import open_app, sent_to


def floats(text: str, *shape: int) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), dtype="<f4").reshape(shape)


@pytest.fixture(scope="module")
def pair() -> dict[str, Any]:
    app = open_app("views/route.py", sample="162", pinned="8224")
    assert not app.exception
    assert app.query_params["pinned"] == "8224"
    return sent_to(app, "routing_player")["pair"]


@pytest.fixture(scope="module")
def traces() -> list[Any]:
    """The library's own traces of the pinned and of the current sample."""
    model = load_checkpoint(networks.REPOSITORY / "checkpoints" / "digits.safetensors")
    shelf = load()
    pixels = [shelf.images[shelf.place(index)].astype(np.float32) / 255 for index in (8224, 162)]
    return [model.trace(torch.from_numpy(image)[None, None]) for image in pixels]


def test_the_pinned_inputs_lengths_are_those_of_its_own_routing(
    pair: dict[str, Any], traces: list[Any]
) -> None:
    lengths = traces[0].lengths[:, 0].numpy()
    np.testing.assert_allclose(floats(pair["lengths"], 10, 10), lengths, atol=1e-4)
    assert pair["title"] == "MNIST test image 8224"
    assert f"{lengths[2].max():.2f}" in pair["words"]


def test_likeness_is_the_correlation_of_the_couplings_over_the_capsules(
    pair: dict[str, Any], traces: list[Any]
) -> None:
    there, here = (trace.couplings[:, 0].numpy() for trace in traces)
    correlation = floats(pair["correlation"], 10, 10)
    for t in (1, 2, 9):
        expected = np.corrcoef(there[t, :, 5], here[t, :, 5])[0, 1]
        assert correlation[t, 5] == pytest.approx(expected, abs=1e-3)
    assert np.isnan(correlation[0]).all()
    apart = np.abs(there - here).mean(axis=1)
    np.testing.assert_allclose(floats(pair["difference"], 10, 10), apart, atol=1e-5)


def test_what_is_usual_is_measured_on_the_shelf(pair: dict[str, Any]) -> None:
    usual = pair["usual"]
    assert usual["count"] == len(load().indices)
    low, middle, high = usual["same"]
    assert -1 <= low < middle < high <= 1
    assert middle > usual["other"][1]


def test_two_samples_of_each_digit_are_offered(pair: dict[str, Any]) -> None:
    assert sorted(pair["samples"]["labels"]) == sorted([*range(10), *range(10)])


def test_nothing_is_pinned_at_first() -> None:
    app = open_app("views/route.py")
    assert "pair" not in sent_to(app, "routing_player")
    assert "pinned" not in app.query_params


@pytest.mark.parametrize("text", ["1", "x", "-162", "0162"])
def test_a_link_that_pins_what_is_not_on_the_shelf_pins_nothing(text: str) -> None:
    app = open_app("views/route.py", pinned=text)
    assert not app.exception
    assert "pair" not in sent_to(app, "routing_player")
    assert "pinned" not in app.query_params


def test_an_input_beside_itself_is_not_compared() -> None:
    app = open_app("views/route.py", sample="162", pinned="162")
    pair = sent_to(app, "routing_player")["pair"]
    assert pair["same"]
    assert "lengths" not in pair


def swap_an_upload() -> None:
    """As a script: pin an uploaded picture, look at a sample, swap the two."""
    import io

    import numpy as np
    import streamlit as st
    from PIL import Image

    from app import state, state_pair

    state.open_link()
    state_pair.pinned()
    picture = io.BytesIO()
    ink = 255 * state.sample_input(162).pixels
    Image.fromarray((255 - ink).astype(np.uint8)).resize((280, 280)).save(picture, "PNG")
    state.set_upload(picture.getvalue(), "five.png")
    key = state.current_input().key
    for wish in ({"do": "pin"}, {"do": "look", "sample": 5616}, {"do": "swap"}, {"do": "fly"}, 7):
        state_pair.take(state.current_input(), wish)
    now, kept = state.current_input(), state_pair.pinned()
    st.session_state["seen"] = (now.title, now.key == key, kept and kept.sample)
    st.session_state["moved"] = (state_pair.moved(), state_pair.moved())


def test_a_pinned_upload_comes_back_whole_by_swapping() -> None:
    app = AppTest.from_function(swap_an_upload, default_timeout=90).run()
    assert not app.exception
    assert app.session_state["seen"] == ("five.png", True, 5616)
    assert app.session_state["moved"] == (True, False)
