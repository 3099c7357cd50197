"""Ways between poses."""

import math

import numpy as np
import pytest

from capsnet.analysis.journeys import nearby, straight, turning
from capsnet.analysis.population import pose_population

SHARES = np.linspace(0, 1, 6)


@pytest.fixture
def ends():
    rng = np.random.default_rng(0)
    return rng.normal(size=(2, 16)) * [[0.2], [0.3]]


@pytest.mark.parametrize("way", [straight, turning])
def test_a_way_begins_and_ends_at_the_poses(way, ends):
    found = way(*ends, SHARES)
    assert found.shape == (6, 16)
    np.testing.assert_allclose(found[[0, -1]], ends, atol=1e-12)


def test_the_straight_way_goes_evenly(ends):
    steps = np.diff(straight(*ends, SHARES), axis=0)
    np.testing.assert_allclose(steps, np.tile((ends[1] - ends[0]) / 5, (5, 1)), atol=1e-12)


def test_the_turning_way_changes_angle_and_length_evenly(ends):
    found = turning(*ends, SHARES)
    first, last = (math.hypot(*pose) for pose in ends)
    whole = math.acos(float(ends[0] @ ends[1]) / (first * last))
    for share, pose in zip(SHARES, found, strict=True):
        length = math.hypot(*pose)
        assert length == pytest.approx((1 - share) * first + share * last)
        cosine = float(pose @ ends[0]) / (length * first)
        assert math.acos(min(1, cosine)) == pytest.approx(share * whole, abs=1e-6)


def test_poses_of_one_length_keep_it_when_turning_and_lose_it_on_the_straight_way(ends):
    units = ends / np.linalg.norm(ends, axis=1, keepdims=True)
    assert np.linalg.norm(turning(*units, SHARES), axis=1) == pytest.approx(np.ones(6))
    assert np.linalg.norm(straight(*units, [0.5])) < 0.9


def test_where_no_arc_is_shortest_the_turning_way_is_straight():
    pose = np.array([0.6, 0.0, 0.0])
    for other in (-pose, 0 * pose):
        np.testing.assert_allclose(turning(pose, other, SHARES), straight(pose, other, SHARES))
    np.testing.assert_allclose(turning(pose, 2 * pose, SHARES), straight(pose, 2 * pose, SHARES))


def test_poses_nearby_are_as_usual_as_real_ones():
    rng = np.random.default_rng(1)
    poses = rng.normal(size=(2000, 1, 3)) * [0.3, 0.1, 0.02] + [0.5, 0.2, 0]
    population = pose_population(poses, np.zeros(2000, dtype=int))
    pose = poses[0, 0]
    np.testing.assert_allclose(nearby(population, 0, pose, rng, 0), pose)
    for _ in range(20):
        pose = nearby(population, 0, pose, rng)  # from one to the next
    walked = []
    for _ in range(1500):
        pose = nearby(population, 0, pose, rng, 0.8)
        walked.append(pose)
    np.testing.assert_allclose(np.mean(walked, axis=0), population.mean[0], atol=0.03)
    np.testing.assert_allclose(np.std(walked, axis=0), population.deviation[0], rtol=0.15)


def test_bad_reach_and_unknown_classes_are_told():
    population = pose_population(np.ones((1, 2, 3)) * [[[1], [0.5]]], [0])
    with pytest.raises(ValueError, match="reach"):
        nearby(population, 0, [1, 1, 1], np.random.default_rng(0), 1.5)
    with pytest.raises(ValueError, match="class 1"):
        nearby(population, 1, [1, 1, 1], np.random.default_rng(0))
