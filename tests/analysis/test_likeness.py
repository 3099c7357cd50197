"""How alike two routings are, against plain loops."""

import math

import numpy as np
import pytest
import torch

from capsnet.analysis.likeness import likeness, usual_likeness
from capsnet.routing import trace_routing

CAPSULES, DIGITS, DIM, ITERATIONS = 12, 5, 4, 3


def couplings_of(seed):
    torch.manual_seed(seed)
    votes = torch.randn(1, CAPSULES, DIGITS, DIM, dtype=torch.float64)
    return trace_routing(votes[..., 0], votes, ITERATIONS).couplings[:, 0].numpy()


@pytest.fixture(scope="module")
def pair():
    return couplings_of(0), couplings_of(1)


def test_correlation_and_difference_agree_with_plain_loops(pair):
    one, other = pair
    found = likeness(one, other)
    assert found.correlation.shape == found.difference.shape == (ITERATIONS, DIGITS)
    for t in range(1, ITERATIONS):
        for j in range(DIGITS):
            xs, ys = one[t, :, j].tolist(), other[t, :, j].tolist()
            x, y = sum(xs) / CAPSULES, sum(ys) / CAPSULES
            product = sum((p - x) * (q - y) for p, q in zip(xs, ys, strict=True))
            spread = math.sqrt(sum((p - x) ** 2 for p in xs) * sum((q - y) ** 2 for q in ys))
            assert found.correlation[t, j] == pytest.approx(product / spread, rel=1e-9)
            apart = sum(abs(p - q) for p, q in zip(xs, ys, strict=True)) / CAPSULES
            assert found.difference[t, j] == pytest.approx(apart, rel=1e-9)


def test_an_input_is_routed_like_itself(pair):
    found = likeness(pair[0], pair[0])
    np.testing.assert_allclose(found.correlation[1:], 1)
    assert not found.difference.any()


def test_even_couplings_have_no_correlation_and_do_not_differ(pair):
    found = likeness(*pair)
    assert np.isnan(found.correlation[0]).all()
    assert not found.difference[0].any()
    even = np.full((ITERATIONS, CAPSULES, DIGITS), np.float32(0.1))
    assert np.isnan(likeness(even, even).correlation).all()


def test_one_iteration_alone_gives_the_same_numbers(pair):
    found = likeness(pair[0][2], pair[1][2])
    np.testing.assert_allclose(found.correlation, likeness(*pair).correlation[2])


def test_torch_tensors_are_taken_and_float32_stays(pair):
    found = likeness(*(torch.from_numpy(one).float() for one in pair))
    assert found.correlation.dtype == found.difference.dtype == np.float32


def test_routings_of_different_networks_cannot_be_compared(pair):
    with pytest.raises(ValueError, match="cannot be compared"):
        likeness(pair[0], pair[1][:, 1:])


def test_usual_likeness_compares_each_input_with_each_other():
    couplings = np.stack([couplings_of(seed)[2] for seed in range(4)])
    digits = [1, 3, 1, 4]
    same, other = [], []
    for a in range(4):
        for b in range(a + 1, 4):
            found = likeness(couplings[a], couplings[b]).correlation
            if digits[a] == digits[b]:
                same.append(found[digits[a]])
            else:
                other += [found[digits[a]], found[digits[b]]]
    usual = usual_likeness(couplings, digits)
    np.testing.assert_allclose(np.sort(usual.same), np.sort(same))
    np.testing.assert_allclose(np.sort(usual.other), np.sort(other))
