"""The curves of routing, against plain loops."""

import numpy as np
import pytest
import torch

from capsnet import CapsNet
from capsnet.analysis.curves import (
    VerdictChange,
    agreement,
    coupling_change,
    logit_change,
    verdict_changes,
)
from tests.reference import routing

CAPSULES, DIGITS, DIM, ITERATIONS = 12, 4, 5, 4


@pytest.fixture(scope="module")
def routed():
    return routing(np.random.default_rng(0).normal(size=(CAPSULES, DIGITS, DIM)), ITERATIONS)


def test_logits_change_by_the_size_of_the_agreements_before(routed):
    changes = logit_change(routed["logits"])
    assert changes.shape == (ITERATIONS,) and changes[0] == 0
    for t in range(1, ITERATIONS):
        total = 0.0
        for i in range(CAPSULES):
            for j in range(DIGITS):
                total += abs(routed["agreements"][t - 1, i, j])
        assert changes[t] == pytest.approx(total / CAPSULES / DIGITS, rel=1e-12)


def test_coupling_change_is_the_share_that_changed_digits(routed):
    changes = coupling_change(routed["couplings"])
    assert changes.shape == (ITERATIONS,) and changes[0] == 0
    for t in range(1, ITERATIONS):
        gained = 0.0
        for i in range(CAPSULES):
            for j in range(DIGITS):
                gained += max(0, routed["couplings"][t, i, j] - routed["couplings"][t - 1, i, j])
        assert changes[t] == pytest.approx(gained / CAPSULES, rel=1e-12)


def test_a_capsule_that_changes_its_one_digit_moves_wholly():
    couplings = np.array([[[1.0, 0, 0]], [[0, 0, 1]]])
    assert list(coupling_change(couplings)) == [0, 1]


def test_agreement_is_the_coupled_mean_of_vote_times_pose(routed):
    agreed = agreement(routed["couplings"], routed["agreements"])
    assert agreed.shape == (ITERATIONS, DIGITS)
    for t in range(ITERATIONS):
        for j in range(DIGITS):
            total = weights = 0.0
            for i in range(CAPSULES):
                total += routed["couplings"][t, i, j] * routed["agreements"][t, i, j]
                weights += routed["couplings"][t, i, j]
            assert agreed[t, j] == pytest.approx(total / weights, rel=1e-12)


def test_agreement_is_zero_where_no_capsule_is_coupled():
    assert not agreement(np.zeros((1, 3, 2)), np.ones((1, 3, 2))).any()


def test_verdict_changes_name_the_iteration_and_both_digits():
    lengths = np.array([[0.5, 0.4, 0.1], [0.3, 0.6, 0.1], [0.2, 0.7, 0.1], [0.1, 0.2, 0.9]])
    assert verdict_changes(lengths) == [VerdictChange(2, 0, 1), VerdictChange(4, 1, 2)]


def test_a_verdict_that_stays_and_a_single_iteration_change_nothing():
    assert verdict_changes(np.array([[0.1, 0.9], [0.2, 0.8]])) == []
    assert verdict_changes(np.array([[0.1, 0.9]])) == []
    assert list(logit_change(np.zeros((1, 3, 2)))) == [0]
    assert list(coupling_change(np.zeros((1, 3, 2)))) == [0]


def test_curves_take_torch_tensors_of_any_network_and_keep_float32(small_config):
    torch.manual_seed(2)
    trace = CapsNet(small_config).trace(torch.rand(1, 2, 20, 20), 3)
    couplings = trace.couplings[:, 0]
    for curve, shape in [
        (logit_change(trace.logits[:, 0]), (3,)),
        (coupling_change(couplings), (3,)),
        (agreement(couplings, trace.agreements[:, 0]), (3, small_config.classes)),
    ]:
        assert curve.shape == shape and curve.dtype == np.float32
    assert verdict_changes(trace.lengths[:, 0]) is not None
