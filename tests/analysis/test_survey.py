"""What a set of images says about routing, against plain loops over images and capsules."""

import math

import numpy as np
import pytest
import torch

from capsnet.analysis.survey import BINS, DEAD, DECIDED, sign_test, survey_routing
from capsnet.routing import trace_routing

IMAGES, CAPSULES, DIGITS, DIM, ITERATIONS, TRAINED = 23, 12, 4, 3, 5, 3
LABELS = torch.arange(IMAGES) % (DIGITS - 1)  # the last class has no images


def traced(primary, votes):
    return trace_routing(primary, votes, ITERATIONS)


@pytest.fixture(scope="module")
def whole():
    """One trace of all images: capsules of all lengths, votes that route decidedly."""
    torch.manual_seed(0)
    primary = torch.randn(IMAGES, CAPSULES, 2, dtype=torch.float64)
    primary *= torch.rand(IMAGES, CAPSULES, 1) / primary.norm(dim=-1, keepdim=True)
    primary[:, 0] *= 0.045 / primary[:, 0].norm(dim=-1, keepdim=True)  # dead in every image
    primary[:, 1] = torch.tensor([0.3, 0.41])  # says the same of every image
    votes = 2 * torch.randn(IMAGES, CAPSULES, DIGITS, DIM, dtype=torch.float64)
    return traced(primary, votes)


@pytest.fixture(scope="module")
def survey(whole):
    parts = [slice(0, 1), slice(1, 10), slice(10, IMAGES)]
    traces = (traced(whole.primary[part], whole.votes[part]) for part in parts)
    return survey_routing(zip(traces, (LABELS[part] for part in parts), strict=True), TRAINED)


def test_batches_do_not_matter(survey, whole):
    at_once = survey_routing([(whole, LABELS)], TRAINED)
    for name in survey.__dataclass_fields__:
        np.testing.assert_allclose(getattr(survey, name), getattr(at_once, name), atol=1e-7)


def test_verdicts_are_counted_image_by_image(survey, whole):
    lengths = whole.lengths.numpy()
    for t in range(ITERATIONS):
        errors = changed = better = worse = 0
        longest = second = 0.0
        for n in range(IMAGES):
            label = int(LABELS[n])
            ranked = sorted((lengths[t, n, j], j) for j in range(DIGITS))
            now = ranked[-1][1]
            then = max((lengths[TRAINED - 1, n, j], j) for j in range(DIGITS))[1]
            longest += ranked[-1][0] / IMAGES
            second += ranked[-2][0] / IMAGES
            errors += now != label
            changed += now != then
            better += now != then and now == label
            worse += now != then and then == label
        assert survey.errors[t] == errors
        assert (survey.changed[t], survey.better[t], survey.worse[t]) == (changed, better, worse)
        assert survey.longest[t] == pytest.approx(longest)
        assert survey.second[t] == pytest.approx(second)
    assert survey.changed[TRAINED - 1] == 0
    assert survey.changed.sum() > survey.better.sum() > 0
    assert survey.count == IMAGES


def test_changes_explain_the_errors(survey):
    trained = survey.errors[TRAINED - 1]
    np.testing.assert_array_equal(survey.errors, trained - survey.better + survey.worse)


def test_evenness_agrees_with_a_plain_loop(survey, whole):
    c, votes = whole.couplings.numpy(), whole.votes.numpy()
    for t in range(ITERATIONS):
        of_images, weighted, largest, largest_weighted, decided = [], 0.0, 0.0, 0.0, 0
        for n in range(IMAGES):
            loud = [
                sum(math.hypot(*votes[n, i, j]) for j in range(DIGITS)) for i in range(CAPSULES)
            ]
            bits = [-sum(x * math.log2(x) for x in c[t, n, i]) for i in range(CAPSULES)]
            most = [max(c[t, n, i]) for i in range(CAPSULES)]
            of_images.append(sum(bits) / CAPSULES)
            weighted += sum(w * h for w, h in zip(loud, bits, strict=True)) / sum(loud)
            largest += sum(most) / CAPSULES
            largest_weighted += sum(w * m for w, m in zip(loud, most, strict=True)) / sum(loud)
            decided += sum(m > DECIDED for m in most)
        mean = sum(of_images) / IMAGES
        spread = math.sqrt(sum((h - mean) ** 2 for h in of_images) / IMAGES)
        assert survey.entropy[t] == pytest.approx(mean)
        assert survey.entropy_spread[t] == pytest.approx(spread, abs=1e-7)
        assert survey.entropy_weighted[t] == pytest.approx(weighted / IMAGES)
        assert survey.largest[t] == pytest.approx(largest / IMAGES)
        assert survey.largest_weighted[t] == pytest.approx(largest_weighted / IMAGES)
        assert survey.decided[t] == pytest.approx(decided / IMAGES / CAPSULES)
    assert survey.entropy[0] == pytest.approx(math.log2(DIGITS))
    assert survey.decided[-1] > 0


def test_each_primary_capsule_is_described(survey, whole):
    u, votes = whole.primary.numpy(), whole.votes.numpy()
    for i in range(CAPSULES):
        lengths = [math.hypot(*u[n, i]) for n in range(IMAGES)]
        mean = sum(lengths) / IMAGES
        assert survey.length[i] == pytest.approx(mean)
        spread = math.sqrt(sum((x - mean) ** 2 for x in lengths) / IMAGES)
        assert survey.length_spread[i] == pytest.approx(spread, abs=1e-7)
        assert survey.dead[i] == pytest.approx(sum(x < DEAD for x in lengths) / IMAGES)
        centre = [sum(u[n, i, d] for n in range(IMAGES)) / IMAGES for d in range(2)]
        moved = sum(math.dist(u[n, i], centre) ** 2 for n in range(IMAGES))
        whole_energy = sum(x * x for x in lengths)
        assert survey.variation[i] == pytest.approx(moved / whole_energy, abs=1e-12)
        said = [math.hypot(*votes[n, i, j]) for n in range(IMAGES) for j in range(DIGITS)]
        assert survey.vote_length[i] == pytest.approx(sum(said) / len(said))
    assert survey.dead[0] == 1
    assert survey.variation[1] == pytest.approx(0, abs=1e-12)


def test_every_length_falls_into_its_bin(survey, whole):
    lengths = whole.primary.norm(dim=-1).flatten().tolist()
    for k in range(BINS):
        low, high = k / BINS, (k + 1) / BINS
        assert survey.length_counts[k] == sum(low <= x < high for x in lengths)
    assert survey.length_counts.sum() == IMAGES * CAPSULES


def test_couplings_to_the_digit_that_is_there_are_averaged_over_its_images(survey, whole):
    c = whole.couplings[TRAINED - 1].numpy()
    for k in range(DIGITS - 1):
        members = [n for n in range(IMAGES) if LABELS[n] == k]
        assert survey.class_counts[k] == len(members)
        for i in range(CAPSULES):
            mean = sum(c[n, i, k] for n in members) / len(members)
            variance = sum((c[n, i, k] - mean) ** 2 for n in members) / len(members)
            assert survey.own_mean[k, i] == pytest.approx(mean)
            assert survey.own_variance[k, i] == pytest.approx(variance, abs=1e-12)


def test_a_class_without_images_has_no_mean(survey):
    assert survey.class_counts[DIGITS - 1] == 0
    assert np.isnan(survey.own_mean[DIGITS - 1]).all()
    assert np.isnan(survey.own_variance[DIGITS - 1]).all()


def test_departure_from_equal_couplings_is_static_and_between_and_within_classes(survey, whole):
    c = whole.couplings[TRAINED - 1].numpy()
    static = between = within = departure = 0.0
    for i in range(CAPSULES):
        for j in range(DIGITS):
            mean = sum(c[n, i, j] for n in range(IMAGES)) / IMAGES
            static += (mean - 1 / DIGITS) ** 2
            for k in range(DIGITS - 1):
                members = [c[n, i, j] for n in range(IMAGES) if LABELS[n] == k]
                of_class = sum(members) / len(members)
                between += len(members) / IMAGES * (of_class - mean) ** 2
                within += sum((x - of_class) ** 2 for x in members) / IMAGES
            departure += sum((c[n, i, j] - 1 / DIGITS) ** 2 for n in range(IMAGES)) / IMAGES
    size = CAPSULES * DIGITS
    assert survey.static == pytest.approx(static / size)
    assert survey.between == pytest.approx(between / size)
    assert survey.within == pytest.approx(within / size)
    assert survey.departure == pytest.approx(departure / size)


def test_routing_that_is_the_same_for_all_images_is_static_alone(whole):
    same = traced(whole.primary[:1].expand(6, -1, -1), whole.votes[:1].expand(6, -1, -1, -1))
    survey = survey_routing([(same, LABELS[:6])], TRAINED)
    assert survey.static > 1e-3
    assert survey.between == pytest.approx(0, abs=1e-12)
    assert survey.within == pytest.approx(0, abs=1e-12)


def test_silent_capsules_are_dead_and_count_alike(whole):
    silent = traced(torch.zeros_like(whole.primary), torch.zeros_like(whole.votes))
    survey = survey_routing([(silent, LABELS)], TRAINED)
    assert (survey.dead == 1).all()
    assert not survey.variation.any()
    np.testing.assert_allclose(survey.entropy_weighted, math.log2(DIGITS))


def test_no_images_and_short_traces_are_refused(whole):
    with pytest.raises(ValueError, match="no image"):
        survey_routing([], TRAINED)
    with pytest.raises(ValueError, match="trained with 9 iterations, the traces have 5"):
        survey_routing([(whole, LABELS)], 9)


def test_the_sign_test_counts_the_tosses_that_are_as_uneven():
    for better, worse in [(0, 0), (3, 3), (5, 1), (0, 6), (2, 4)]:
        n = better + worse
        tosses = [bin(toss).count("1") for toss in range(2**n)]
        uneven = sum(abs(2 * heads - n) >= abs(better - worse) for heads in tosses)
        assert sign_test(better, worse) == pytest.approx(uneven / 2**n)
