"""What the network reads in the pictures of a sweep."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from app import state_network
from app.state_sweep import STEPS, Sweep
from tests.app.visit import open_app, sent_to

PAGE = "views/rebuild.py"
SIZE = 16


def text(poses: Any) -> str:
    return base64.b64encode(np.asarray(poses, dtype="<f4").tobytes()).decode()


def wish(**changes: object) -> dict[str, Any]:
    """What the page sends for a grid of two rows."""
    random = np.random.default_rng(0)
    poses = random.uniform(-0.4, 0.4, (2, STEPS, SIZE))
    return {"digit": 3, "poses": text(poses), "click": 7, "seq": 0, **changes}


def asked(app: AppTest, question: dict[str, Any], **message: object) -> Any:
    """What the page is answered."""
    given = sent_to(app, "sculptor")
    about = {"input": given["input"], "network": given["network"]}
    app.session_state["sculptor"] = {"sweep": {**about, **question}, **message}
    app.run()
    assert not app.exception
    return sent_to(app, "readings")["sweep"]


@pytest.fixture(scope="module")
def opened() -> AppTest:
    return open_app(PAGE)


def test_nothing_is_read_before_the_page_asks(opened: AppTest) -> None:
    assert sent_to(opened, "readings")["sweep"] is None


def test_the_verdicts_are_those_of_the_library(opened: AppTest) -> None:
    question = wish()
    answer = asked(opened, question)
    poses = np.frombuffer(base64.b64decode(question["poses"]), "<f4").reshape(-1, SIZE)
    full = torch.zeros(len(poses), 10, SIZE)
    full[:, 3] = torch.from_numpy(poses.copy())
    net = state_network.network()
    with torch.inference_mode():
        lengths = torch.cat(
            [net.model(net.model.decode(one[None], 3)).lengths for one in full]
        ).numpy()
    assert answer["click"] == 7
    assert np.array(answer["digits"]).shape == (2, STEPS)
    np.testing.assert_array_equal(np.ravel(answer["digits"]), lengths.argmax(axis=1))
    np.testing.assert_allclose(np.ravel(answer["lengths"]), lengths.max(axis=1), atol=1e-3)
    doubt = net.model.metrics["doubt"]
    ordered = np.sort(lengths, axis=1)
    sure = (ordered[:, -1] >= doubt["length"]) & (
        ordered[:, -1] - ordered[:, -2] >= doubt["margin"]
    )
    np.testing.assert_array_equal(np.ravel(answer["sure"]), sure)


def test_a_question_from_before_the_hand_moved_or_about_another_input_is_passed_over() -> None:
    app = open_app(PAGE)
    given = sent_to(app, "sculptor")
    pose = {"digit": 3, "seq": 2, "input": given["input"], "network": given["network"]}
    assert asked(app, wish(seq=1), pose=pose) is None
    assert asked(app, wish(seq=2), pose=pose) is not None
    assert asked(app, wish(seq=2, input="another")) is None
    assert asked(app, wish(seq=2, network="another")) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"digit": 10},
        {"digit": "3"},
        {"digit": True},
        {"click": None},
        {"seq": -1},
        {"poses": None},
        {"poses": ""},
        {"poses": "no base64 §"},
        {"poses": text(np.zeros((STEPS, SIZE - 1)))},
        {"poses": text(np.zeros((SIZE + 1, STEPS, SIZE)))},
        {"poses": text(np.full((1, STEPS, SIZE), np.nan))},
        {"poses": text(np.full((1, STEPS, SIZE), 1.5))},
    ],
    ids=str,
)
def test_what_makes_no_sense_is_not_read(changes: dict[str, object]) -> None:
    assert Sweep.checked(wish(), 10, SIZE) is not None
    assert Sweep.checked({**wish(), **changes}, 10, SIZE) is None
    for sent in (None, "words", [1, 2]):
        assert Sweep.checked(sent, 10, SIZE) is None
