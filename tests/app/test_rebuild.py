"""The Rebuild view, without a browser."""

from __future__ import annotations

import base64
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from app import networks, samples, state_link
from app.inputs import Floats
from capsnet import CapsNet, CapsNetConfig, save_checkpoint
from tests.app.visit import open_app, sent_to
from tests.browser.library import network

REBUILD = "views/rebuild.py"
SIZE = 16
SHELF = samples.load()
TINY = CapsNetConfig(
    conv_channels=4, primary_types=2, primary_dim=3, digit_dim=4, decoder_hidden=(5, 6)
)


def sculptor(app: AppTest) -> dict[str, Any]:
    """What the panels on the page were given."""
    assert not app.exception
    return sent_to(app, "sculptor")


def floats(text: str) -> Floats:
    return np.frombuffer(base64.b64decode(text), np.float32)


def moved(*dimensions: int, by: float = 0.2) -> list[float]:
    """Offsets of a pose that was moved in these dimensions."""
    return [by if k in dimensions else 0.0 for k in range(SIZE)]


def send(app: AppTest, offsets: list[float] | None = None, **changes: object) -> AppTest:
    """Let the page send that the winner's pose was moved so, or what `changes` say instead."""
    given = sculptor(app)
    told = {
        **given["held"],
        "edits": {str(given["winner"]): offsets or moved(2)},
        "seq": given["again"]["seq"] + 1,
        "input": given["input"],
        "network": given["network"],
        **changes,
    }
    app.session_state["sculptor"] = {"pose": told}
    return app.run()


def look_at(app: AppTest, sample: int) -> AppTest:
    """Look at another sample of the shelf."""
    app.session_state["input_kind"], app.session_state["input_sample"] = "sample", {"MNIST": sample}
    return app.run()


def another(app: AppTest) -> int:
    """A sample that is not looked at."""
    return int(next(i for i in SHELF.indices if i != sculptor(app)["sample"]))


@pytest.fixture
def page() -> AppTest:
    """The page as it opens."""
    return open_app(REBUILD)


def test_the_page_opens_on_the_pose_of_the_winner(page: AppTest) -> None:
    given = sculptor(page)
    assert given["held"]["digit"] == given["winner"] == int(np.argmax(given["lengths"]))
    assert given["held"]["edits"] == {}
    assert floats(given["poses"]).shape == (10 * SIZE,)
    assert given["again"]["words"].startswith(("reads ", "not sure"))
    assert given["atlas_problem"] == ""
    assert {"capsule", "pose", "sliders", "journey"}.isdisjoint(page.query_params)
    assert not page.warning


def test_the_network_goes_to_the_browser_under_the_key_that_the_page_names(page: AppTest) -> None:
    protos = [element.proto for element in page.get("bidi_component")]
    (file,) = [p.bytes for p in protos if p.component_name == "capsnet_network"]
    assert sculptor(page)["network"].encode() in file[:100_000]


def test_a_moved_pose_is_drawn_and_read_again(page: AppTest) -> None:
    before = sculptor(page)
    digit = before["winner"]
    far = [0.6 * (-1) ** k for k in range(SIZE)]
    after = sculptor(send(page, far))
    assert after["held"]["edits"] == {str(digit): far}
    assert after["again"]["seq"] == before["again"]["seq"] + 1
    assert after["poses"] == before["poses"]

    poses = torch.from_numpy(floats(before["poses"]).reshape(1, 10, SIZE).copy())
    readings = []
    for offsets in (torch.zeros(SIZE), torch.tensor(far)):
        held = poses.clone()
        held[0, digit] += offsets
        with torch.inference_mode():
            picture = network().decode(held, digit)
            readings.append((picture, network()(picture)))
    (_, plain), (picture, again) = readings
    told = after["again"]
    np.testing.assert_allclose(floats(told["pixels"]), picture.flatten(), atol=1e-5)
    np.testing.assert_allclose(told["lengths"], again.lengths[0], atol=1e-4)
    np.testing.assert_allclose(floats(told["pose"]), again.poses[0, digit], atol=1e-4)
    np.testing.assert_allclose(floats(told["plain"]), plain.poses[0, digit], atol=1e-4)
    assert told["digit"] == int(again.lengths[0].argmax())


def test_every_capsule_keeps_what_was_done_to_it(page: AppTest) -> None:
    winner = sculptor(page)["winner"]
    loser = (winner + 1) % 10
    edits = {str(winner): moved(2), str(loser): moved(4, by=-0.1)}
    app = send(page, digit=loser, edits=edits)
    assert sculptor(app)["held"]["digit"] == loser
    assert sculptor(app)["held"]["edits"] == edits
    assert app.query_params["capsule"] == str(loser)
    assert app.query_params["pose"] == "5:-100"


def test_the_pose_is_in_the_link_and_a_link_brings_it_back(page: AppTest) -> None:
    winner = sculptor(page)["winner"]
    app = send(page)
    assert app.query_params["pose"] == "3:200"
    assert app.query_params["capsule"] == str(winner)
    held = sculptor(open_app(REBUILD, capsule="4", pose="1:-50,16:120"))["held"]
    assert held["digit"] == 4
    assert held["edits"] == {"4": [-0.05, *[0.0] * 14, 0.12]}


def test_poses_survive_another_view_and_come_back_with_their_input(page: AppTest) -> None:
    app = send(page)
    first = sculptor(app)
    app.switch_page("views/draw.py").run()
    app.switch_page(REBUILD).run()
    assert sculptor(app)["held"]["edits"] == first["held"]["edits"]

    look_at(app, another(app))
    assert sculptor(app)["held"]["edits"] == {}
    assert "pose" not in app.query_params
    send(app, moved(7))
    assert app.query_params["pose"] == "8:200"

    look_at(app, first["sample"])
    assert sculptor(app)["held"]["edits"] == first["held"]["edits"]
    assert app.query_params["pose"] == "3:200"


def test_sliders_and_journey_stay_set_up_for_another_input(page: AppTest) -> None:
    journey = {"to": f"sample-{another(page)}", "turning": True}
    send(page, reach="population", basis="axes", order="change", journey=journey)
    held = sculptor(look_at(page, another(page)))["held"]
    assert (held["reach"], held["basis"], held["order"]) == ("population", "axes", "change")
    assert held["journey"] == journey
    assert held["edits"] == {}
    assert page.query_params["sliders"] == "population-axes-change"


def test_the_browsers_back_brings_back_the_pose_of_the_link(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = send(page)
    before = sculptor(app)["revision"]
    send(app, moved(2, 5))
    assert app.query_params["pose"] == "3:200,6:200"
    assert sculptor(app)["revision"] == before

    app.query_params["pose"] = "3:200"
    monkeypatch.setattr(state_link, "went_back", lambda: True)
    app.run()
    monkeypatch.undo()
    assert sculptor(app)["held"]["edits"] == {str(sculptor(app)["winner"]): moved(2)}
    assert sculptor(app)["revision"] > before  # by which the open page takes it

    app.run()  # what was sent before is no news
    assert app.query_params["pose"] == "3:200"


def test_back_to_before_anything_was_held_keeps_what_is_held(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = send(page)
    before = sculptor(app)
    del app.query_params["pose"], app.query_params["capsule"]
    app.query_params["sample"] = str(before["sample"])
    monkeypatch.setattr(state_link, "went_back", lambda: True)
    app.run()
    assert sculptor(app)["held"]["edits"] == before["held"]["edits"]
    assert sculptor(app)["revision"] == before["revision"]
    assert "pose" not in app.query_params  # a new step would shut the way back


def test_a_link_to_one_capsule_leaves_what_was_done_to_the_others(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = send(page)
    winner = sculptor(app)["winner"]
    loser = (winner + 1) % 10
    app.query_params["capsule"], app.query_params["pose"] = str(loser), "3:200"
    monkeypatch.setattr(state_link, "went_back", lambda: True)
    app.run()
    assert sculptor(app)["held"]["edits"] == {str(winner): moved(2), str(loser): moved(2)}


def test_a_message_about_another_input_or_network_is_passed_over(page: AppTest) -> None:
    for about in ({"input": "another"}, {"network": "another"}):
        app = send(page, moved(2), **about)
        assert sculptor(app)["held"]["edits"] == {}, about


def test_a_malformed_message_is_passed_over(page: AppTest) -> None:
    winner = str(sculptor(page)["winner"])
    wrong: list[dict[str, object]] = [
        {"edits": {winner: [0.1] * 15}},
        {"edits": {winner: [math.nan] * SIZE}},
        {"edits": {winner: ["0.1"] * SIZE}},
        {"digit": 10},
        {"dimension": -1},
        {"seq": None},
        {"reach": "far"},
        {"journey": "sample-449"},
    ]
    for damage in wrong:
        assert sculptor(send(page, **damage))["held"]["edits"] == {}, damage
    for pose in ("words", [1, 2], {"edits": {winner: moved(2)}}):
        page.session_state["sculptor"] = {"pose": pose}
        assert sculptor(page.run())["held"]["edits"] == {}, pose


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"capsule": "11"}, "capsule=11"),
        ({"capsule": "x", "pose": "1:2"}, "capsule=x, pose=1:2"),
        ({"pose": "17:20"}, "pose=17:20"),
        ({"pose": "3:" + "9" * 400}, "pose=3:999999999999999999"),
        ({"sliders": "wide-far"}, "sliders=wide-far"),
        ({"journey": "sample-99999"}, "journey=sample-99999"),
        ({"journey": "pinned"}, "journey=pinned"),
    ],
    ids=str,
)
def test_a_link_to_what_there_is_not_opens_on_the_winner_and_says_so(
    query: dict[str, str], told: str
) -> None:
    app = open_app(REBUILD, **query)
    given = sculptor(app)
    assert given["held"]["digit"] == given["winner"]
    assert given["held"]["edits"] == {}
    assert given["held"]["journey"]["to"] == ""
    assert [warning.value for warning in app.warning] == [
        f"The link asks for what there is not here: {told}."
    ]
    assert not send(app).warning  # something was moved: the link is another one
    assert not app.exception


def test_a_network_without_a_survey_works_and_says_how_to_make_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundled = networks.REPOSITORY / "checkpoints" / "mnist.safetensors"
    shutil.copy(bundled, tmp_path / "mine.safetensors")
    monkeypatch.setenv(networks.CHECKPOINT_VARIABLE, str(tmp_path))
    problem = sculptor(open_app(REBUILD))["atlas_problem"]
    assert "mine.survey.npz" in problem
    assert "python -m capsnet.survey" in problem
    assert str(tmp_path / "mine.survey.npz") not in problem


def test_a_network_of_another_size_can_be_held_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(0)
    save_checkpoint(tmp_path / "tiny.safetensors", CapsNet(TINY))
    monkeypatch.setenv(networks.CHECKPOINT_VARIABLE, str(tmp_path / "tiny.safetensors"))
    app = open_app(REBUILD, capsule="3", pose="4:100,5:100")
    assert sculptor(app)["held"]["edits"] == {}
    assert app.warning[0].value.endswith("pose=4:100,5:100.")
    app = send(app, [0.0, 0.0, 0.3, 0.0])
    assert list(sculptor(app)["held"]["edits"].values()) == [[0.0, 0.0, 0.3, 0.0]]
    assert floats(sculptor(app)["again"]["pose"]).shape == (4,)
