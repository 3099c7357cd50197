"""What an input is routed to without some of its capsules."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from app.cuts import Aftermath, aftermath
from app.inputs import Input, Reading
from app.routings import Routing
from capsnet import CapsNet, CapsNetConfig
from capsnet.analysis.knockout import Cut
from tests.reference import routing

ITERATIONS = 4
CUT = Cut(capsules=frozenset({1}), places=frozenset({2}), types=frozenset({2}))


@pytest.fixture(scope="module")
def case(small_config: CapsNetConfig) -> tuple[Routing, Aftermath]:
    """A small network's routing of an image, and the same without the capsules of CUT."""
    torch.manual_seed(3)
    model = CapsNet(small_config).eval()
    model.W.data.mul_(30)
    image = torch.rand(1, 2, 20, 20)
    found = model.trace(image, ITERATIONS)
    arrays = {name: getattr(found, name)[0].numpy() for name in ("primary", "votes")}
    for name in ("logits", "couplings", "agreements", "poses", "lengths"):
        arrays[name] = getattr(found, name)[:, 0].numpy()
    routed = Routing.of("small", arrays, small_config.grid)
    blank = np.zeros((20, 20), np.float32)
    before = Reading(routed.lengths[1], routed.poses[1], blank[None], (0, 0), ("a", "b", "c", "d"))
    given = Input("upload", image.numpy(), "noise")

    def decode(poses: torch.Tensor, digit: int) -> np.ndarray:
        assert poses.shape == (1, 4, 7)
        return given.pixels + np.float32(digit)

    return routed, aftermath(CUT, given, routed, before, small_config, decode)


def test_lengths_are_those_of_a_loop_over_the_capsules_that_are_left(
    case: tuple[Routing, Aftermath], small_config: CapsNetConfig
) -> None:
    routed, after = case
    left = ~CUT.mask(small_config)
    poses = routing(routed.votes[left].astype(np.float64), ITERATIONS)["poses"]
    np.testing.assert_allclose(after.lengths, np.linalg.norm(poses, axis=-1), atol=1e-5)
    assert after.count == (~left).sum()
    assert after.cut == "c1.p2.t2"


def test_the_verdict_is_that_of_the_trained_number_of_iterations(
    case: tuple[Routing, Aftermath], small_config: CapsNetConfig
) -> None:
    _, after = case
    np.testing.assert_array_equal(after.reading.lengths, after.lengths[small_config.iterations - 1])
    assert after.reading.names == ("a", "b", "c", "d")


def test_both_candidates_are_redrawn_with_their_squared_errors(
    case: tuple[Routing, Aftermath],
) -> None:
    _, after = case
    reading = after.reading
    expected = [400 * reading.digit**2, 400 * reading.second**2]
    np.testing.assert_allclose(reading.errors, expected, rtol=1e-5)
    assert reading.reconstructions.shape == (2, 20, 20)


def test_a_capsule_that_is_not_there_cannot_be_cut(
    case: tuple[Routing, Aftermath], small_config: CapsNetConfig
) -> None:
    routed, after = case
    given = Input("upload", np.zeros((1, 1, 20, 20), np.float32), "nothing")
    with pytest.raises(ValueError, match="type 3"):
        aftermath(
            Cut(types=frozenset({3})),
            given,
            routed,
            after.reading,
            small_config,
            lambda poses, digit: given.pixels,
        )
