"""The Rebuild view, without a browser."""

from __future__ import annotations

import base64
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load
from streamlit.testing.v1 import AppTest

from app import samples, state
from app.inputs import Floats

MAIN = str(Path(state.__file__).with_name("main.py"))
SIZE = 16


def open_page(sent: object = None, **query: str) -> AppTest:
    app = AppTest.from_file(MAIN, default_timeout=90)
    app.switch_page("views/rebuild.py")
    for name, value in query.items():
        app.query_params[name] = value
    if sent is not None:
        app.session_state["sculptor"] = sent
    return app.run()


def sent_to(app: AppTest) -> dict[str, Any]:
    """What the sliders on the page were given."""
    protos = [element.proto for element in app.get("bidi_component")]
    (found,) = [proto for proto in protos if proto.component_name == "capsnet_sculptor"]
    return json.loads(found.json)


def floats(text: str) -> Floats:
    return np.frombuffer(base64.b64decode(text), np.float32)


def message(app: AppTest, **changes: object) -> dict[str, Any]:
    """What the sliders would send when dimension 3 of the winner was moved."""
    given = sent_to(app)
    moved = [0.0] * SIZE
    moved[2] = 0.2
    told = {"digit": given["winner"], "offsets": moved, "wide": False, "dimension": 2, "seq": 1}
    return {"pose": {**told, "input": given["input"], "network": given["network"], **changes}}


@pytest.fixture(scope="module")
def opened() -> AppTest:
    return open_page()


def test_the_page_opens_on_the_pose_of_the_winner(opened: AppTest) -> None:
    assert not opened.exception
    given = sent_to(opened)
    assert given["held"]["digit"] == given["winner"] == int(np.argmax(given["lengths"]))
    assert given["held"]["offsets"] == [0.0] * SIZE
    assert floats(given["poses"]).shape == (10 * SIZE,)
    assert given["again"]["words"].startswith(("reads ", "not sure"))
    assert "capsule" not in opened.query_params


def test_the_decoder_goes_to_the_browser_as_float16(opened: AppTest) -> None:
    protos = [element.proto for element in opened.get("bidi_component")]
    (weights,) = [p.bytes for p in protos if p.component_name == "capsnet_decoder"]
    shapes = {name: tensor.shape for name, tensor in load(weights).items()}
    assert shapes["0.weight"] == (160, 512)
    assert shapes["1.weight"] == (512, 1024)
    assert shapes["2.weight"] == (1024, 784)
    assert len(weights) < 3_000_000
    assert sent_to(opened)["network"].encode() in weights[:1000]


def test_an_edited_pose_is_decoded_and_read_again(opened: AppTest) -> None:
    before = sent_to(opened)
    far = [0.6 * (-1) ** k for k in range(SIZE)]
    app = open_page(message(opened, offsets=far, seq=3))
    assert not app.exception
    after = sent_to(app)
    assert after["held"]["offsets"] == far
    assert after["held"]["seq"] == 3
    assert after["again"]["pixels"] != before["again"]["pixels"]
    assert after["again"]["words"] != before["again"]["words"]
    assert after["poses"] == before["poses"]


def test_another_capsule_can_be_held(opened: AppTest) -> None:
    loser = (sent_to(opened)["winner"] + 1) % 10
    app = open_page(message(opened, digit=loser, offsets=[0.0] * SIZE))
    assert sent_to(app)["held"]["digit"] == loser
    assert app.query_params["capsule"] == str(loser)


def test_the_pose_is_in_the_link_and_a_link_brings_it_back(opened: AppTest) -> None:
    winner = sent_to(opened)["winner"]
    app = open_page(message(opened))
    assert app.query_params["pose"] == "3:200"
    assert app.query_params["capsule"] == str(winner)
    held = sent_to(open_page(capsule="4", pose="1:-50,16:120"))["held"]
    assert held["digit"] == 4
    assert held["offsets"] == [-0.05, *[0.0] * 14, 0.12]


def test_a_pose_survives_another_view_and_goes_with_its_input(opened: AppTest) -> None:
    app = open_page(message(opened))
    app.switch_page("views/draw.py").run()
    app.switch_page("views/rebuild.py").run()
    assert sent_to(app)["held"]["offsets"][2] == 0.2
    shelf = samples.load()
    app.session_state["input_sample"] = next(
        i for i in shelf.indices.tolist() if i != shelf.opening
    )
    app.run()
    assert not app.exception
    assert sent_to(app)["held"]["offsets"] == [0.0] * SIZE
    assert "pose" not in app.query_params


def test_a_malformed_message_is_passed_over(opened: AppTest) -> None:
    good = message(opened)["pose"]
    wrong: list[object] = [
        {**good, "offsets": [0.1] * 15},
        {**good, "offsets": [math.nan] * SIZE},
        {**good, "offsets": ["0.1"] * SIZE},
        {**good, "offsets": [99.0] * SIZE},
        {**good, "offsets": "0.1"},
        {**good, "digit": 10},
        {**good, "digit": "3"},
        {**good, "dimension": -1},
        {**good, "seq": None},
        {**good, "input": "another"},
        {"offsets": good["offsets"]},
        "words",
        [1, 2],
    ]
    app = open_page()
    for pose in wrong:
        app.session_state["sculptor"] = {"pose": pose}
        app.run()
        assert not app.exception, pose
        assert sent_to(app)["held"]["offsets"] == [0.0] * SIZE, pose


@pytest.mark.parametrize(
    "query",
    [
        {"capsule": "11"},
        {"capsule": "x", "pose": "1:2"},
        {"capsule": "1", "pose": "17:20"},
        {"capsule": "1", "pose": "3:"},
        {"capsule": "1", "pose": "3:999999"},
        {"capsule": "1", "pose": "3:" + "9" * 400},
        {"capsule": "1", "pose": "0:5"},
    ],
)
def test_a_damaged_link_opens_on_the_winner(query: dict[str, str]) -> None:
    app = open_page(**query)
    assert not app.exception
    given = sent_to(app)
    assert given["held"]["digit"] == given["winner"]
    assert given["held"]["offsets"] == [0.0] * SIZE
