"""What the Route view shows of a routing, and the file that brings it to the browser."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from safetensors.numpy import load

from app.routings import Routing
from capsnet import CapsNet
from capsnet.routing import RoutingTrace

GRID = 6


@pytest.fixture(scope="module")
def trace(paper_model: CapsNet, images: torch.Tensor) -> RoutingTrace:
    return paper_model.trace(images[:1])


@pytest.fixture(scope="module")
def routed(trace: RoutingTrace) -> Routing:
    arrays = {name: getattr(trace, name)[0].numpy() for name in ("primary", "votes")}
    for name in ("logits", "couplings", "agreements", "poses", "lengths"):
        arrays[name] = getattr(trace, name)[:, 0].numpy()
    return Routing.of("network-input", arrays, GRID)


def test_iteration_one_couples_evenly_and_is_routing_off(routed: Routing) -> None:
    np.testing.assert_allclose(routed.weighted[0], 0.1, rtol=1e-5)
    np.testing.assert_allclose(routed.off, routed.lengths[0], atol=1e-5)
    assert routed.entropy[0] == pytest.approx(np.log2(10), abs=1e-5)


def test_plain_couplings_of_a_place_add_up_to_one(routed: Routing) -> None:
    np.testing.assert_allclose(routed.plain.sum(axis=1), 1, rtol=1e-5)


def test_logits_follow_from_votes_and_poses(routed: Routing, trace: RoutingTrace) -> None:
    earlier = np.cumsum(routed.poses, axis=0)[:-1]  # Σ_{τ<t} v(τ)
    logits = np.einsum("ijd,tjd->tij", routed.votes, earlier)
    np.testing.assert_allclose(logits, trace.logits[1:, 0], atol=1e-4)


def test_the_file_holds_every_array_under_its_name(routed: Routing) -> None:
    arrays = load(routed.file())
    assert arrays["votes"].shape == (1152, 10, 16)
    assert {array.dtype for array in arrays.values()} == {np.dtype("float32")}
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, getattr(routed, name))


def test_other_sizes_are_routed_as_well(small_config) -> None:
    model = CapsNet(small_config).eval()
    found = model.trace(torch.rand(1, 2, 20, 20), iterations=3)
    arrays = {name: getattr(found, name)[0].numpy() for name in ("primary", "votes")}
    for name in ("logits", "couplings", "agreements", "poses", "lengths"):
        arrays[name] = getattr(found, name)[:, 0].numpy()
    routed = Routing.of("small", arrays, small_config.grid)
    assert routed.flow_types.shape == (3, small_config.primary_types, small_config.classes)
