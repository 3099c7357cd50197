import numpy as np
import pytest

from capsnet.analysis.doubt import Doubt, choose_doubt, longest_and_margin, rates


def lengths(*pairs):
    """Lengths [N, 10] whose longest and second are these."""
    rows = np.full((len(pairs), 10), 0.01)
    for row, (longest, second) in zip(rows, pairs, strict=True):
        row[3], row[7] = longest, second
    return rows


def test_the_margin_is_what_the_longest_has_over_the_second():
    longest, margin = longest_and_margin(lengths((0.9, 0.2), (0.4, 0.4)))
    assert longest.tolist() == [0.9, 0.4]
    assert margin == pytest.approx([0.7, 0])


def test_a_reading_is_sure_where_one_capsule_is_long_and_alone_in_it():
    readings = lengths((0.9, 0.2), (0.9, 0.75), (0.45, 0.01), (0.5, 0.35))
    assert Doubt(0.5, 0.1).sure(readings).tolist() == [True, True, False, True]
    assert Doubt(0.5, 0.2).sure(readings).tolist() == [True, False, False, False]


def test_the_thresholds_part_digits_from_the_rest_where_they_can():
    digits = lengths(*[(0.9, 0.1)] * 50)
    others = lengths((0.9, 0.8), (0.4, 0.01), (0.6, 0.5))
    doubt = choose_doubt([digits], others)
    assert doubt.sure(digits).all()
    assert not doubt.sure(others).any()
    assert doubt == Doubt(0.0, 0.4)  # the lowest that do it: 0.4 - 0.01 is below this margin


def test_no_set_of_digits_is_doubted_more_than_allowed():
    random = np.random.default_rng(0)
    digits = [np.sort(random.beta(6, 2, (500, 10)) * scale) for scale in (1, 0.8)]
    others = random.beta(6, 2, (400, 10))
    for doubted in (0.0, 0.03, 0.2):
        doubt = choose_doubt(digits, others, doubted)
        shares = [doubt.sure(part).mean() for part in digits]
        assert min(shares) >= 1 - doubted
        for stricter in (
            Doubt(doubt.length + 0.01, doubt.margin),
            Doubt(doubt.length, doubt.margin + 0.01),
        ):  # it would doubt too many digits, or no more of the others
            few = min(stricter.sure(part).mean() for part in digits) < 1 - doubted
            assert few or stricter.sure(others).mean() == doubt.sure(others).mean()


def test_rates_tell_who_is_sure_and_who_is_wrong_in_it():
    readings = lengths((0.9, 0.1), (0.9, 0.1), (0.9, 0.1), (0.3, 0.1))
    labels = np.array([3, 3, 7, 7])
    assert rates(Doubt(0.5, 0.1), readings, labels) == {
        "count": 4,
        "sure": 0.75,
        "sure_and_wrong": 0.25,
    }
    assert "sure_and_wrong" not in rates(Doubt(0.5, 0.1), readings)
