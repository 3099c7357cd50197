"""Cuts in the Route view: what a link says, and what the player is told."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from app import networks
from app.samples import load
from app.state_route import Choice
from capsnet import CapsNetConfig, load_checkpoint
from capsnet.analysis.knockout import Cut, route_without
from tests.app.visit import open_app, sent_to

CUT = "c791.p5.t21"
CONFIG = CapsNetConfig()


def floats(text: str, *shape: int) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), dtype="<f4").reshape(shape)


@pytest.fixture(scope="module")
def player() -> dict[str, Any]:
    app = open_app("views/route.py", sample="162", cut="t21.p5.c791")
    assert not app.exception
    assert app.query_params["cut"] == CUT
    return sent_to(app, "routing_player")


def test_a_cut_in_the_link_is_answered_with_the_librarys_own_routing(
    player: dict[str, Any],
) -> None:
    model = load_checkpoint(networks.REPOSITORY / "checkpoints" / "digits.safetensors")
    shelf = load()
    image = torch.from_numpy(shelf.images[shelf.place(162)].astype(np.float32) / 255)[None, None]
    trace = model.trace(image)
    mask = Cut.parse(CUT).mask(model.config)
    without = route_without(trace.primary[0], trace.votes[0], mask, 10)
    told = player["cut"]
    assert (told["cut"], told["count"]) == (CUT, int(mask.sum()))
    np.testing.assert_allclose(
        floats(told["lengths"], 10, 10), without.lengths[:, 0].numpy(), atol=1e-4
    )
    redrawn = model.decode(without.poses[2])[0, 0].detach().numpy()
    np.testing.assert_allclose(floats(told["after"]["image"], 28, 28), redrawn, atol=1e-3)
    error = ((redrawn - image[0, 0].numpy()) ** 2).sum()
    assert told["after"]["error"] == pytest.approx(error, rel=1e-3)


def test_the_verdicts_before_and_after_are_in_the_networks_own_words(
    player: dict[str, Any],
) -> None:
    told = player["cut"]
    assert told["before"]["words"].startswith("reads 5, length 0.9")
    longest = floats(told["lengths"], 10, 10)[2].max()
    assert f"{longest:.2f}" in told["after"]["words"] or "not sure" in told["after"]["words"]


def test_the_player_keeps_the_cut(player: dict[str, Any]) -> None:
    assert player["opening"]["cut"] == CUT


@pytest.mark.parametrize("text", ["t32", "p36", "c1152", "x1", "c1,c2", "c01", "t1..p2"])
def test_a_link_to_capsules_that_are_not_there_cuts_nothing(text: str) -> None:
    assert Choice.linked({"cut": text, "digit": "4"}, CONFIG) == Choice(4)


@pytest.mark.parametrize("sent", ["t32", 3, None, ["t3"]])
def test_a_message_with_no_cut_in_it_is_passed_over(sent: object) -> None:
    assert Choice.checked({"digit": 4, "cut": sent}, CONFIG) is None


def test_a_cut_stays_when_the_input_changes() -> None:
    chosen = Choice(digit=4, capsule=7, iteration=2, cut="t3")
    assert chosen.of_another_input() == Choice(iteration=2, cut="t3")


def test_a_cut_that_another_network_does_not_have_counts_as_not_chosen() -> None:
    small = replace(CONFIG, primary_types=8)
    assert Choice.checked({"cut": "t21"}, small) is None
