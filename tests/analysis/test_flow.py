"""The flow from places and types to digits, against plain loops."""

import math

import numpy as np
import pytest
import torch

from capsnet import CapsNet
from capsnet.analysis.flow import flow
from capsnet.analysis.projection import concentration
from tests.reference import routing

TYPES, GRID, DIGITS, DIM, ITERATIONS = 3, 2, 4, 5, 3
PLACES = GRID * GRID
CAPSULES = TYPES * PLACES


@pytest.fixture(scope="module")
def votes():
    return np.random.default_rng(0).normal(size=(CAPSULES, DIGITS, DIM))


@pytest.fixture(scope="module")
def couplings(votes):
    return routing(votes, ITERATIONS)["couplings"]


@pytest.fixture(scope="module")
def flowing(couplings, votes):
    return flow(couplings, votes, GRID)


def test_flow_is_the_coupled_length_of_the_votes_of_a_place_or_type(flowing, couplings, votes):
    by_place = np.zeros((ITERATIONS, PLACES, DIGITS))
    by_type = np.zeros((ITERATIONS, TYPES, DIGITS))
    for t in range(ITERATIONS):
        for kind in range(TYPES):
            for row in range(GRID):
                for column in range(GRID):
                    place = row * GRID + column
                    i = kind * PLACES + place
                    for j in range(DIGITS):
                        sent = couplings[t, i, j] * math.hypot(*votes[i, j])
                        by_place[t, place, j] += sent
                        by_type[t, kind, j] += sent
    np.testing.assert_allclose(flowing.by_place, by_place, rtol=1e-12)
    np.testing.assert_allclose(flowing.by_type, by_type, rtol=1e-12)


def test_places_and_types_send_the_same_in_all_to_each_digit(flowing):
    np.testing.assert_allclose(flowing.by_place.sum(axis=1), flowing.by_type.sum(axis=1))


def test_flow_times_concentration_is_the_length_of_what_arrives(flowing, couplings, votes):
    arrived = flowing.by_type.sum(axis=1) * concentration(couplings, votes)
    for t in range(ITERATIONS):
        for j in range(DIGITS):
            s = sum(couplings[t, i, j] * votes[i, j] for i in range(CAPSULES))
            assert arrived[t, j] == pytest.approx(math.hypot(*s), rel=1e-12)


def test_silent_votes_send_nothing(couplings, votes):
    silent = flow(couplings, np.zeros_like(votes), GRID)
    assert not silent.by_place.any() and not silent.by_type.any()


def test_flow_refuses_capsules_that_fill_no_grid(couplings, votes):
    with pytest.raises(ValueError, match="5 × 5"):
        flow(couplings, votes, 5)


def test_flow_takes_torch_tensors_of_any_network_and_keeps_float32(small_config):
    torch.manual_seed(2)
    trace = CapsNet(small_config).trace(torch.rand(1, 2, 20, 20), 3)
    flowing = flow(trace.couplings[:, 0], trace.votes[0], small_config.grid)
    assert flowing.by_place.shape == (3, small_config.places, small_config.classes)
    assert flowing.by_type.shape == (3, small_config.primary_types, small_config.classes)
    assert flowing.by_place.dtype == flowing.by_type.dtype == np.float32
