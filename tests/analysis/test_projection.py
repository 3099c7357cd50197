"""The plane of the votes and their concentration, against plain loops."""

import math
from pathlib import Path

import numpy as np
import pytest
import torch

import capsnet
from capsnet import CapsNet
from capsnet.analysis.projection import concentration, project, vote_basis
from capsnet.routing import trace_routing
from tests.reference import routing

CAPSULES, DIGITS, DIM, ITERATIONS = 40, 3, 5, 4
CHECKPOINTS = Path(capsnet.__file__).parents[1] / "checkpoints"


@pytest.fixture(scope="module")
def votes():
    rng = np.random.default_rng(0)
    return rng.normal(size=(CAPSULES, DIGITS, DIM)) + rng.normal(size=(DIGITS, DIM))


@pytest.fixture(scope="module")
def routed(votes):
    return routing(votes, ITERATIONS)


@pytest.fixture(scope="module")
def basis(votes, routed):
    return vote_basis(votes, routed["poses"])


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def test_axes_of_each_digit_are_unit_vectors_at_right_angles(basis):
    assert basis.axes.shape == (DIGITS, 2, DIM)
    for x, y in basis.axes:
        assert dot(x, x) == pytest.approx(1, abs=1e-12)
        assert dot(y, y) == pytest.approx(1, abs=1e-12)
        assert dot(x, y) == pytest.approx(0, abs=1e-12)


def test_x_is_the_agreement_with_the_last_pose(basis, votes, routed):
    for j in range(DIGITS):
        pose = routed["poses"][-1, j]
        for i in range(CAPSULES):
            expected = dot(votes[i, j], pose) / math.hypot(*pose)
            assert basis.points[j, i, 0] == pytest.approx(expected, abs=1e-12)


def test_last_pose_lies_on_the_positive_x_axis_as_long_as_it_is(basis, routed):
    for j in range(DIGITS):
        x, y = basis.pose_points[j, -1]
        assert (x, y) == pytest.approx((math.hypot(*routed["poses"][-1, j]), 0), abs=1e-12)


def test_no_other_y_axis_shows_more_of_the_poses_walk(basis, routed):
    for j in range(DIGITS):
        first = basis.axes[j, 0]
        shown = sum(y**2 for _, y in basis.pose_points[j])
        for turn in np.random.default_rng(1).normal(size=(200, DIM)):
            other = turn - dot(turn, first) * first
            other /= math.hypot(*other)
            assert sum(dot(pose, other) ** 2 for pose in routed["poses"][:, j]) <= shown + 1e-12
        farthest = max((y for _, y in basis.pose_points[j]), key=abs)
        assert farthest > 0


def test_points_and_shares_agree_with_plain_loops(basis, votes):
    for j in range(DIGITS):
        total = sum(dot(votes[i, j], votes[i, j]) for i in range(CAPSULES))
        for axis in range(2):
            along = [dot(votes[i, j], basis.axes[j, axis]) for i in range(CAPSULES)]
            np.testing.assert_allclose(basis.points[j, :, axis], along, atol=1e-12)
            expected = sum(x**2 for x in along) / total
            assert basis.explained[j, axis] == pytest.approx(expected, rel=1e-12)


def test_pose_shown_is_the_smallest_share_of_a_pose_in_the_plane(basis, routed):
    for j in range(DIGITS):
        shares = [
            math.hypot(*basis.pose_points[j, t]) / math.hypot(*routed["poses"][t, j])
            for t in range(ITERATIONS)
        ]
        assert basis.pose_shown[j] == pytest.approx(min(shares), rel=1e-12)


def test_poses_that_walk_in_a_plane_lie_wholly_in_it_and_tell_the_logits(votes):
    flat = votes.copy()
    flat[..., 2:] = 0  # then all poses lie in the first two dimensions
    routed = routing(flat, ITERATIONS)
    basis = vote_basis(flat, routed["poses"])
    np.testing.assert_allclose(basis.pose_shown, 1)
    for j in range(DIGITS):
        walked = basis.pose_points[j, :-1].sum(axis=0)
        logits = [dot(point, walked) for point in basis.points[j]]
        np.testing.assert_allclose(logits, routed["logits"][-1, :, j], atol=1e-12)


def test_a_pose_that_goes_straight_leaves_y_to_the_votes(votes):
    pose = np.zeros((1, DIGITS, DIM))
    pose[..., 0] = 0.5
    basis = vote_basis(votes, pose)
    for j in range(DIGITS):
        rest = votes[:, j, 1:]
        assert basis.explained[j, 1] == pytest.approx(
            np.linalg.eigvalsh(rest.T @ rest)[-1] / np.square(votes[:, j]).sum()
        )
        np.testing.assert_allclose(basis.pose_points[j, 0], [0.5, 0], atol=1e-12)


@pytest.mark.parametrize("dim", [1, 2, DIM])
def test_silent_votes_all_lie_at_the_origin(dim):
    silent = np.zeros((CAPSULES, DIGITS, dim))
    basis = vote_basis(silent, np.zeros((ITERATIONS, DIGITS, dim)))
    assert not basis.points.any() and not basis.pose_points.any() and not basis.explained.any()
    np.testing.assert_array_equal(basis.pose_shown, 1)
    assert np.isfinite(basis.axes).all()


def test_votes_of_one_dimension_have_no_y(votes):
    line = votes[..., :1]
    basis = vote_basis(line, routing(line, ITERATIONS)["poses"])
    assert not basis.points[..., 1].any()
    np.testing.assert_allclose(basis.explained, [[1, 0]] * DIGITS)


def test_another_inputs_votes_are_drawn_in_the_same_plane(basis, votes):
    np.testing.assert_array_equal(project(votes[:7], basis.axes), basis.points[:, :7])


def test_concentration_is_the_mean_cosine_weighted_by_what_each_vote_adds(votes, routed):
    concentrated = concentration(routed["couplings"], votes)
    assert concentrated.shape == (ITERATIONS, DIGITS)
    for t in range(ITERATIONS):
        for j in range(DIGITS):
            pose, total, weights = routed["poses"][t, j], 0.0, 0.0
            for i in range(CAPSULES):
                length = math.hypot(*votes[i, j])
                cosine = dot(votes[i, j], pose) / length / math.hypot(*pose)
                total += routed["couplings"][t, i, j] * length * cosine
                weights += routed["couplings"][t, i, j] * length
            assert concentrated[t, j] == pytest.approx(total / weights, rel=1e-12)


def test_concentration_is_one_for_equal_votes_and_zero_for_opposed_or_silent_ones():
    couplings = np.full((1, 2, 3), 1 / 3)
    votes = np.array([[[1.0, 2], [1, 2], [0, 0]], [[1, 2], [-1, -2], [0, 0]]])
    np.testing.assert_allclose(concentration(couplings, votes), [[1, 0, 0]], atol=1e-15)


def test_torch_tensors_are_taken_and_float32_is_kept(small_config):
    torch.manual_seed(2)
    model = CapsNet(small_config)
    trace = model.trace(torch.rand(1, 2, 20, 20), 3)
    basis = vote_basis(trace.votes[0], trace.poses[:, 0])
    assert basis.points.shape == (4, small_config.primary_capsules, 2)
    assert basis.points.dtype == basis.explained.dtype == np.float32
    assert concentration(trace.couplings[:, 0], trace.votes[0]).dtype == np.float32


def test_same_votes_in_another_order_lie_in_the_same_plane(votes):
    tensor = torch.from_numpy(votes)[None]
    poses = trace_routing(tensor[..., 0], tensor, ITERATIONS).poses[:, 0]
    order = np.random.default_rng(3).permutation(CAPSULES)
    basis, shuffled = vote_basis(votes, poses), vote_basis(votes[order], poses)
    np.testing.assert_allclose(shuffled.points, basis.points[:, order], atol=1e-12)


@pytest.fixture(scope="module", params=["mnist", "digits"])
def real(request, images):
    """Ten digits routed by a bundled network: the trace, and the verdict on each."""
    model = capsnet.load_checkpoint(CHECKPOINTS / f"{request.param}.safetensors")
    trace = model.trace(images[:10], 10)
    return trace, trace.lengths[model.config.iterations - 1].argmax(dim=1).tolist()


def test_votes_for_the_verdict_agree_and_those_for_other_digits_do_not(real):
    trace, verdicts = real
    for n, verdict in enumerate(verdicts):
        concentrated = concentration(trace.couplings[:, n], trace.votes[n])
        others = np.delete(concentrated, verdict, axis=1)
        assert concentrated[2, verdict] > 0.1 and others[2].max() < 0.07
        assert (np.diff(concentrated[:, verdict]) > 0).all()  # routing listens to those that agree


def test_plane_of_the_verdict_holds_its_whole_pose_and_tells_the_logits(real):
    trace, verdicts = real
    for n, verdict in enumerate(verdicts):
        basis = vote_basis(trace.votes[n], trace.poses[:, n])
        assert basis.pose_shown[verdict] > 0.98
        assert basis.explained[verdict].sum() > 0.35
        walked = basis.pose_points[verdict, :-1].sum(axis=0)
        seen = np.corrcoef(basis.points[verdict] @ walked, trace.logits[-1, n, :, verdict])
        assert seen[0, 1] > 0.999
