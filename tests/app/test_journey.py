"""The journey of the Rebuild view, without a browser."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from app import samples, state, state_pair
from app.held import Journey
from capsnet.model import CapsNet
from tests.app.visit import open_app, sent_to
from tests.browser.library import network

REBUILD = "views/rebuild.py"
SHELF = samples.load()
OFFERED = SHELF.usual(state_pair.SAMPLES)
DIMENSIONS = 16


def open_page(**query: str) -> AppTest:
    app = open_app(REBUILD, **query)
    assert not app.exception
    return app


def sculptor(app: AppTest) -> dict[str, Any]:
    """What the page's panels were given."""
    return sent_to(app, "sculptor")


def readings(app: AppTest) -> dict[str, Any]:
    """What the network reads, that comes a moment later."""
    return sent_to(app, "readings")


def lead(app: AppTest, **journey: object) -> AppTest:
    """Let the page send that the journey leads elsewhere."""
    given = sculptor(app)
    told = {**given["held"], "journey": journey, "seq": given["again"]["seq"] + 1}
    app.session_state["sculptor"] = {
        "pose": {**told, "input": given["input"], "network": given["network"]}
    }
    app.run()
    assert not app.exception
    return app


def pin(app: AppTest, sample: int) -> AppTest:
    """Pin a sample and look at the one that was looked at again."""
    app.session_state["pinned_input"] = state.sample_input(sample)
    return app.run()


def offered(label: int, place: int = 0) -> int:
    """One of the samples that a journey can lead to."""
    return int(OFFERED.indices[OFFERED.labels == label][place])


def longest(model: CapsNet, image: torch.Tensor) -> tuple[int, list[float]]:
    """The longest capsule of an image [1, 1, 28, 28], and its pose."""
    with torch.inference_mode():
        out = model(image)
    digit = int(out.lengths.argmax())
    return digit, out.poses[0, digit].double().tolist()


def sample_image(index: int) -> torch.Tensor:
    pixels = SHELF.images[SHELF.place(index)].astype(np.float32) / 255
    return torch.from_numpy(pixels)[None, None]


def plain_frames(start: int, end: int, *, turns: bool) -> list[tuple[int, float]]:
    """What the network reads at every tenth of the way, number by number."""
    model = network()
    (first, a), (last, b) = (longest(model, sample_image(index)) for index in (start, end))
    ways = {(first, k): [x, 0.0] for k, x in enumerate(a)}
    for k, x in enumerate(b):
        ways.setdefault((last, k), [0.0, 0.0])[1] = x
    long_a, long_b = (math.sqrt(sum(x * x for x in pose)) for pose in (a, b))
    angle = math.acos(sum(x * y for x, y in ways.values()) / (long_a * long_b))
    found = []
    for step in range(11):
        t = step / 10
        full = torch.zeros(1, 10, DIMENSIONS)
        for (digit, k), (x, y) in ways.items():
            if turns:
                length = (1 - t) * long_a + t * long_b
                u, v = (math.sin(s * angle) / math.sin(angle) for s in (1 - t, t))
                full[0, digit, k] = length * (u * x / long_a + v * y / long_b)
            else:
                full[0, digit, k] = (1 - t) * x + t * y
        with torch.inference_mode():
            picture = model.decoder(full.flatten(1)).view(1, 1, 28, 28)
            lengths = model(picture).lengths[0]
        found.append((int(lengths.argmax()), float(lengths.max())))
    return found


@pytest.mark.parametrize("turns", [False, True])
@pytest.mark.parametrize("target", [offered(5, 1), offered(3)])
def test_the_network_reads_the_pictures_of_the_way(target: int, turns: bool) -> None:
    start = offered(5)
    link = f"sample-{target}" + ("-turning" if turns else "")
    frames = readings(open_page(sample=str(start), journey=link))["frames"]
    plain = plain_frames(start, target, turns=turns)
    assert [one["digit"] for one in frames] == [digit for digit, _ in plain]
    np.testing.assert_allclose(
        [one["length"] for one in frames], [length for _, length in plain], atol=2e-3
    )


def test_a_way_between_two_digits_passes_what_the_network_is_not_sure_of() -> None:
    frames = readings(open_page(sample=str(offered(5)), journey=f"sample-{offered(3)}"))["frames"]
    sure = [one["sure"] for one in frames]
    assert sure[0] and sure[-1] and not all(sure)


def test_a_journey_that_leads_nowhere_has_no_frames() -> None:
    app = open_page()
    assert sculptor(app)["pinned"] is None
    assert readings(app)["frames"] is None
    assert "journey" not in app.query_params


def test_the_link_holds_where_the_journey_leads() -> None:
    app = lead(open_page(), to=f"sample-{offered(3)}", turning=True)
    assert app.query_params["journey"] == f"sample-{offered(3)}-turning"
    app = lead(app, to="", turning=True)
    assert "journey" not in app.query_params


def test_a_link_to_a_pinned_sample_holds_the_journey_there() -> None:
    app = lead(pin(open_page(), offered(3)), to="pinned", turning=False)
    assert app.query_params["journey"] == "pinned"
    again = open_page(pinned=str(offered(3)), journey="pinned")
    assert sculptor(again)["held"]["journey"] == {"to": "pinned", "turning": False}
    assert readings(again)["frames"] == readings(app)["frames"]


def test_a_journey_goes_with_the_visitor_to_another_input() -> None:
    app = lead(open_page(), to=f"sample-{offered(3)}", turning=True)
    app.session_state["input_sample"] = {"MNIST": offered(7)}
    app.run()
    assert sculptor(app)["held"]["journey"] == {"to": f"sample-{offered(3)}", "turning": True}
    assert readings(app)["frames"][0]["digit"] == 7


@pytest.mark.parametrize(
    "link",
    [
        f"sample-{next(i for i in SHELF.indices.tolist() if i not in OFFERED.indices)}",
        "sample-123456789",
        "sample-",
        "sample-0162",
        "pinned",  # where nothing is
        "somewhere",
        "-turning",
    ],
)
def test_a_link_to_what_is_not_offered_is_told(link: str) -> None:
    app = open_page(journey=link)
    assert [link[:20] in warning.value for warning in app.warning] == [True]
    assert sculptor(app)["held"]["journey"]["to"] == ""
    assert readings(app)["frames"] is None


def test_journeys_of_no_known_kind_are_none() -> None:
    assert Journey.linked("sample-162-turning") == Journey("sample-162", turning=True)
    assert Journey.linked("") == Journey()
    for text in ("sample-x", "sample-٣", "-turning", "pinned-", "turning"):
        assert Journey.linked(text) is None, text
