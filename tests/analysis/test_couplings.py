"""Coupling maps, entropies and routing switched off, against plain loops."""

import math

import numpy as np
import pytest
import torch

from capsnet.analysis.couplings import (
    coupling_entropy,
    coupling_maps,
    entropy_summary,
    uniform_routing,
)
from capsnet.routing import trace_routing

TYPES, GRID, DIGITS, DIM, ITERATIONS = 3, 6, 10, 4, 4
CAPSULES = TYPES * GRID * GRID


@pytest.fixture(scope="module")
def trace():
    torch.manual_seed(0)
    votes = torch.randn(1, CAPSULES, DIGITS, DIM, dtype=torch.float64)
    return trace_routing(votes[..., 0], votes, ITERATIONS)


@pytest.fixture(scope="module")
def couplings(trace):
    return trace.couplings[:, 0].numpy()


@pytest.fixture(scope="module")
def votes(trace):
    return trace.votes[0].numpy()


@pytest.mark.parametrize("weighted", [True, False])
def test_maps_are_the_mean_over_the_types_of_a_place(couplings, votes, weighted):
    maps = coupling_maps(couplings, votes, GRID, weighted=weighted)
    assert maps.shape == (ITERATIONS, DIGITS, GRID, GRID)
    for t in range(ITERATIONS):
        for j in range(DIGITS):
            for row in range(GRID):
                for column in range(GRID):
                    total = weights = 0.0
                    for kind in range(TYPES):
                        i = kind * GRID * GRID + row * GRID + column
                        weight = math.hypot(*votes[i, j]) if weighted else 1.0
                        total += weight * couplings[t, i, j]
                        weights += weight
                    assert maps[t, j, row, column] == pytest.approx(total / weights, rel=1e-12)


def test_first_iteration_maps_are_uniform(couplings, votes):
    np.testing.assert_allclose(coupling_maps(couplings, votes, GRID)[0], 1 / DIGITS)


def test_plain_maps_of_all_digits_add_up_to_one_at_each_place(couplings, votes):
    maps = coupling_maps(couplings, votes, GRID, weighted=False)
    np.testing.assert_allclose(maps.sum(axis=1), 1)


def test_a_silent_capsule_does_not_count_in_a_weighted_map():
    couplings = np.full((1, 2 * GRID * GRID, 2), 0.5)
    couplings[0, 0] = 0.9, 0.1
    votes = np.ones((2 * GRID * GRID, 2, DIM))
    votes[GRID * GRID] = 0  # the other type at the first place
    maps = coupling_maps(couplings, votes, GRID)
    assert maps[0, 0, 0, 0] == pytest.approx(0.9)
    assert coupling_maps(couplings, votes, GRID, weighted=False)[0, 0, 0, 0] == pytest.approx(0.7)


def test_maps_of_silent_votes_are_plain(couplings, votes):
    silent = coupling_maps(couplings, np.zeros_like(votes), GRID)
    np.testing.assert_allclose(silent, coupling_maps(couplings, votes, GRID, weighted=False))


def test_maps_refuse_capsules_that_fill_no_grid(couplings, votes):
    with pytest.raises(ValueError, match="5 × 5"):
        coupling_maps(couplings, votes, 5)


def test_maps_take_torch_tensors_and_keep_float32(trace):
    maps = coupling_maps(trace.couplings[:, 0].float(), trace.votes[0].float(), GRID)
    assert isinstance(maps, np.ndarray) and maps.dtype == np.float32


def test_entropy_agrees_with_a_plain_loop(couplings):
    entropy = coupling_entropy(couplings)
    assert entropy.shape == (ITERATIONS, CAPSULES)
    for t in range(ITERATIONS):
        for i in range(CAPSULES):
            expected = -sum(c * math.log2(c) for c in couplings[t, i])
            assert entropy[t, i] == pytest.approx(expected, rel=1e-12)


def test_entropy_is_zero_for_one_digit_and_log2_of_the_digits_for_all():
    certain = np.eye(DIGITS)[[3]]
    assert coupling_entropy(certain) == pytest.approx(0, abs=0)
    assert coupling_entropy(np.full((1, DIGITS), 0.1)) == pytest.approx(math.log2(10))


def test_summary_brackets_the_mean(couplings):
    summary = entropy_summary(couplings)
    assert summary.uniform == pytest.approx(3.3219, abs=1e-4)
    np.testing.assert_allclose(summary.mean, coupling_entropy(couplings).mean(axis=1))
    for t in range(ITERATIONS):
        ranked = sorted(coupling_entropy(couplings)[t])
        below, above = ranked[int(0.1 * CAPSULES) - 1], ranked[int(0.1 * CAPSULES) + 1]
        assert below <= summary.low[t] <= above
        assert summary.low[t] <= summary.high[t] <= summary.uniform + 1e-12


def test_routing_off_sums_all_votes_alike(votes):
    lengths = uniform_routing(votes)
    assert lengths.shape == (DIGITS,)
    for j in range(DIGITS):
        s = [sum(votes[i, j, d] / DIGITS for i in range(CAPSULES)) for d in range(DIM)]
        norm = math.hypot(*s)
        assert lengths[j] == pytest.approx(norm**2 / (1 + norm**2), rel=1e-12)


def test_routing_off_is_the_first_iteration(trace, votes):
    np.testing.assert_allclose(uniform_routing(votes), trace.lengths[0, 0].numpy())


def test_silent_votes_have_length_zero(votes):
    assert not uniform_routing(np.zeros_like(votes)).any()
