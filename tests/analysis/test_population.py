"""Where the poses of real digits lie, against plain loops and known distributions."""

import math

import numpy as np
import pytest

from capsnet.analysis.population import (
    FAR,
    LEVELS,
    TAIL,
    percentile,
    pose_population,
    shares,
    standing,
)

CLASSES, DIM, IMAGES = 4, 3, 700
STRETCH = np.array([[3.0, 0.0, 0.0], [1.0, 0.5, 0.0], [0.0, 0.2, 0.1]])


@pytest.fixture(scope="module")
def digits():
    """Poses [N, J, D] and labels: class 2 is often misread, class 3 has no images."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, CLASSES - 1, IMAGES)
    poses = 0.02 * rng.normal(size=(IMAGES, CLASSES, DIM))
    poses[np.arange(IMAGES), labels] = 0.05 * rng.normal(size=(IMAGES, DIM)) @ STRETCH + [0.6, 0, 0]
    poses[(labels == 2) & (rng.random(IMAGES) < 0.3), 0] = [0.0, 0.0, 0.99]
    return poses, labels


@pytest.fixture(scope="module")
def population(digits):
    return pose_population(*digits)


def members(digits, digit):
    """The poses of the images of a class that are read as it, one by one."""
    found = []
    for pose, label in zip(*digits, strict=True):
        lengths = [math.sqrt(math.fsum(x * x for x in capsule)) for capsule in pose]
        if label == digit and lengths.index(max(lengths)) == digit:
            found.append([float(x) for x in pose[digit]])
    return found


def test_only_the_images_that_are_read_right_count(population, digits):
    for j in range(CLASSES):
        right = len(members(digits, j))
        assert population.count[j] == right
        assert population.misread[j] == (digits[1] == j).sum() - right
    assert population.misread[2] > 30


def test_means_and_deviations_are_those_of_a_plain_loop(population, digits):
    for j in range(CLASSES - 1):
        found = members(digits, j)
        for d in range(DIM):
            mean = math.fsum(v[d] for v in found) / len(found)
            variance = math.fsum((v[d] - mean) ** 2 for v in found) / len(found)
            assert population.mean[j, d] == pytest.approx(mean, abs=1e-12)
            assert population.deviation[j, d] == pytest.approx(math.sqrt(variance), abs=1e-12)
        lengths = [math.hypot(*v) for v in found]
        mean = math.fsum(lengths) / len(found)
        assert population.length_mean[j] == pytest.approx(mean, abs=1e-12)
        variance = math.fsum((x - mean) ** 2 for x in lengths) / len(found)
        assert population.length_deviation[j] == pytest.approx(math.sqrt(variance), abs=1e-12)


def test_a_percentile_is_the_share_of_digits_below(population, digits):
    found = members(digits, 1)
    for d in range(DIM):
        for value in np.linspace(-0.5, 1.5, 41):
            below = 100 * sum(v[d] < value for v in found) / len(found)
            # Between two percentiles that are kept the curve is straight.
            assert percentile(population.quantiles[1, d], value) == pytest.approx(below, abs=1.5)


def test_percentiles_reach_from_0_to_100_and_are_finest_at_the_ends(population, digits):
    assert LEVELS[0] == 0
    assert LEVELS[-1] == 100
    assert (np.diff(LEVELS) > 0).all()
    found = members(digits, 0)
    assert population.quantiles[0, 1, 0] == min(v[1] for v in found)
    assert population.quantiles[0, 1, -1] == max(v[1] for v in found)
    assert percentile(population.quantiles[0, 1], [-9, 9]).tolist() == [0, 100]


def test_shares_of_bins_are_a_histogram(population, digits):
    edges = np.linspace(-0.6, 1.8, 13)
    found = members(digits, 0)
    for low, high, share in zip(
        edges, edges[1:], shares(population.quantiles[0, 0], edges), strict=False
    ):
        counted = sum(low <= v[0] < high for v in found) / len(found)
        assert share == pytest.approx(counted, abs=0.02)
    assert shares(population.quantiles[0, 0], [-9, 9]).tolist() == [1]


def test_principal_axes_are_those_of_the_covariance(population, digits):
    for j in range(CLASSES - 1):
        found = members(digits, j)
        mean = [math.fsum(v[d] for v in found) / len(found) for d in range(DIM)]
        previous = math.inf
        for axis, spread in zip(population.axes[j], population.spreads[j], strict=True):
            assert math.hypot(*axis) == pytest.approx(1, abs=1e-12)
            assert max(axis, key=abs) > 0
            assert spread <= previous
            previous = spread
            for d in range(DIM):  # covariance · axis = spread² · axis
                turned = math.fsum(
                    (v[d] - mean[d]) * (v[k] - mean[k]) * axis[k] for v in found for k in range(DIM)
                ) / len(found)
                assert turned == pytest.approx(spread**2 * axis[d], abs=1e-12)
        assert population.explained[j].sum() == pytest.approx(1)
        total = population.spreads[j, 0] ** 2 / np.square(population.deviation[j]).sum()
        assert population.explained[j, 0] == pytest.approx(total)


def test_the_distance_is_mahalanobis(population, digits):
    found = np.array(members(digits, 0))
    inverse = np.linalg.inv(np.cov(found.T, bias=True))
    for pose in [*found[:5], [0.1, 0.2, 0.3]]:
        away = pose - found.mean(axis=0)
        assert population.distance(0, pose) == pytest.approx(math.sqrt(away @ inverse @ away))
    assert np.square(population.distance(0, found)).mean() == pytest.approx(DIM)


def test_scores_lead_back_to_the_pose(population, digits):
    poses = np.array(members(digits, 1)[:7])
    scores = population.scores(1, poses)
    assert scores.shape == (7, DIM)
    np.testing.assert_allclose(population.pose_at(1, scores), poses, atol=1e-12)
    np.testing.assert_allclose(population.pose_at(1, np.zeros(DIM)), population.mean[1])
    np.testing.assert_allclose(
        population.pose_at(1, [2, 0, 0]) - population.mean[1],
        2 * population.spreads[1, 0] * population.axes[1, 0],
    )


def test_percentiles_of_scores_are_those_of_the_digits_on_each_axis(population, digits):
    found = members(digits, 1)
    axes, spreads, mean = population.axes[1], population.spreads[1], population.mean[1]
    for axis, spread, quantiles in zip(axes, spreads, population.score_quantiles[1], strict=True):
        scores = sorted(
            math.fsum((x - m) * a for x, m, a in zip(v, mean, axis, strict=True)) / spread
            for v in found
        )
        for level, quantile in zip(LEVELS, quantiles, strict=True):
            place = level / 100 * (len(scores) - 1)
            low, high = scores[math.floor(place)], scores[math.ceil(place)]
            assert quantile == pytest.approx(low + (place % 1) * (high - low), abs=1e-9)


def test_the_mean_stands_in_the_middle(population):
    stands = standing(population, 0, population.mean[0])
    assert ((stands.percentiles > 30) & (stands.percentiles < 70)).all()
    assert stands.distance == 0
    assert stands.distance_percentile == 0
    assert not stands.off.any()
    assert not stands.far


def test_one_digit_in_a_hundred_is_off_in_a_dimension_and_as_a_whole(population, digits):
    found = members(digits, 0)
    stands = [standing(population, 0, pose) for pose in found]
    off = sum(s.off.mean() for s in stands) / len(found)
    assert off == pytest.approx(2 * TAIL / 100, abs=0.01)
    assert sum(s.far for s in stands) / len(found) == pytest.approx(1 - FAR / 100, abs=0.01)


def test_a_pose_can_be_off_with_every_dimension_usual():
    rng = np.random.default_rng(1)
    along = rng.normal(size=500)
    poses = np.stack([0.5 + 0.1 * along, 0.5 - 0.1 * along], axis=-1)
    poses += 0.001 * rng.normal(size=poses.shape)
    population = pose_population(poses[:, None], np.zeros(500, dtype=int))
    stands = standing(population, 0, [0.6, 0.6])
    assert not stands.off.any()
    assert stands.far
    assert stands.length_percentile > 99
    outside = standing(population, 0, [1.5, -0.5])
    assert outside.off.all()
    assert outside.distance_percentile == 100


def test_a_class_without_digits_is_unknown_and_warns_of_nothing(population):
    assert population.count[3] == 0
    assert np.isnan(population.quantiles[3]).all()
    stands = standing(population, 3, np.zeros(DIM))
    assert np.isnan(stands.percentiles).all()
    assert not stands.off.any()
    assert not stands.far


def test_one_digit_alone_has_a_population_without_width():
    population = pose_population(np.full((1, 1, DIM), 0.5), [0])
    assert population.spreads.tolist() == [[0, 0, 0]]
    assert population.distance(0, [0.5] * DIM) == 0
    assert standing(population, 0, [0.5, 0.5, 0.6]).off.tolist() == [False, False, True]


def test_shapes_and_labels_that_do_not_fit_are_told():
    with pytest.raises(ValueError, match="do not fit"):
        pose_population(np.zeros((3, 2, 4)), [0, 1])
    with pytest.raises(ValueError, match="0…1"):
        pose_population(np.zeros((2, 2, 4)), [0, 2])
