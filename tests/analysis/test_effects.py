"""What directions do to pictures, against decoders that are known to do one thing."""

import dataclasses
import math

import numpy as np
import pytest

from capsnet.analysis.effects import (
    AHEAD,
    EXPLAINED,
    PER,
    STEPS,
    STRONG,
    Effects,
    measure_effects,
    single_effect,
)
from capsnet.analysis.strokes import PROPERTIES, measure
from tests.analysis.test_strokes import bar

NAMES = [one.name for one in PROPERTIES]
THICK, LEAN, NOTHING, MIXED = range(4)  # what the dimensions of `decode` do


def decode(poses, digit):
    """A bar: thicker with one dimension, leaning with another, with one thicker and shifted."""
    return np.stack(
        [
            bar(3 + 6 * v[THICK] + 8 * v[MIXED], 18, slant=80 * v[LEAN], x0=16 * v[MIXED])
            for v in poses
        ]
    )


@pytest.fixture(scope="module")
def poses():
    rng = np.random.default_rng(0)
    return [0.02 * rng.normal(size=(6, 4)), np.zeros((0, 4))]


@pytest.fixture(scope="module")
def effects(poses):
    return measure_effects(decode, poses)


def at(effects, name, digit=0):
    return effects[digit][..., NAMES.index(name)]


def test_the_steps_are_the_papers():
    expected = [-0.25, -0.2, -0.15, -0.1, -0.05, 0, 0.05, 0.1, 0.15, 0.2, 0.25]
    assert list(STEPS) == pytest.approx(expected)


def test_known_slopes_are_recovered(effects):
    assert at(effects.slope, "thickness")[THICK] == pytest.approx(0.6, abs=0.1)
    assert at(effects.slope, "width")[THICK] == pytest.approx(0.6, abs=0.05)
    assert at(effects.slope, "slant")[LEAN] == pytest.approx(8, abs=0.2)
    assert at(effects.slope, "x")[MIXED] == pytest.approx(1.6, abs=0.05)
    assert at(effects.same, "slant")[LEAN] == 1
    assert at(effects.spread, "slant")[LEAN] < 0.2
    assert effects.slope[0, NOTHING] == pytest.approx(np.zeros(len(NAMES)), abs=1e-9)


def test_slopes_are_those_of_a_plain_least_squares_line(effects, poses):
    for p in range(len(NAMES)):
        slopes = []
        for pose in poses[0]:
            values = [
                float(measure(decode([pose + step * np.eye(4)[LEAN]], 0))[0, p]) for step in STEPS
            ]
            mean = math.fsum(values) / len(values)
            slope = math.fsum(s * (v - mean) for s, v in zip(STEPS, values, strict=True))
            slopes.append(PER * slope / math.fsum(s * s for s in STEPS))
        mean = math.fsum(slopes) / len(slopes)
        assert effects.slope[0, LEAN, p] == pytest.approx(mean, abs=1e-6)
        spread = math.sqrt(math.fsum((s - mean) ** 2 for s in slopes) / len(slopes))
        assert effects.spread[0, LEAN, p] == pytest.approx(spread, abs=1e-6)
        same = sum(s * mean > 0 for s in slopes) / len(slopes)
        if abs(mean) > 1e-6:
            assert effects.same[0, LEAN, p] == pytest.approx(same)


def test_the_change_is_the_mean_square_over_digits_pixels_and_steps(effects, poses):
    squares = []
    for pose in poses[0]:
        unmoved = decode([pose], 0)[0]
        for step in STEPS:
            if abs(step) > 1e-9:
                moved = decode([pose + step * np.eye(4)[THICK]], 0)[0]
                squares.append(float(((moved - unmoved) ** 2).mean()))
    assert effects.change[0, THICK] == pytest.approx(math.fsum(squares) / len(squares))
    assert effects.change[0, NOTHING] == 0
    assert effects.by_change(0)[-1] == NOTHING
    assert effects.by_change(0)[0] == MIXED


def test_strength_compares_the_whole_sweep_with_a_usual_difference(effects):
    scale = PROPERTIES[NAMES.index("slant")].scale
    expected = at(effects.slope, "slant")[LEAN] * 5 / scale
    assert at(effects.strength, "slant")[LEAN] == pytest.approx(expected)


def test_a_dimension_that_does_one_thing_is_named_after_it(effects):
    assert single_effect(effects, 0, THICK).property.name == "thickness"
    assert single_effect(effects, 0, LEAN).words() == "leans right, 8° per 0.1"
    other = dataclasses.replace(effects, slope=-effects.slope)
    assert single_effect(other, 0, LEAN).words("σ") == "leans left, 8° per σ"
    assert single_effect(made({"thickness": 4}), 0, 0).words() == "thicker, 0.56 px per 0.1"
    assert single_effect(made({"holes": -2.5}), 0, 0).words() == "fewer holes, 0.18 per 0.1"


def test_a_dimension_that_does_nothing_or_two_things_has_no_name(effects):
    assert single_effect(effects, 0, NOTHING) is None
    assert single_effect(effects, 0, MIXED) is None


def made(slope, same=1.0):
    """Effects with known strengths: a dict of a name and how strong."""
    slopes = np.zeros((1, 1, len(NAMES)))
    for name, strength in slope.items():
        k = NAMES.index(name)
        slopes[0, 0, k] = strength * PROPERTIES[k].scale * PER / (STEPS[-1] - STEPS[0])
    alike = np.full(slopes.shape, same)
    zero = np.zeros((1, 1))
    return Effects(np.array([9]), slopes, 0 * slopes, alike, zero, zero.astype(int))


def test_a_name_needs_strength_agreement_and_a_lead():
    strong, weak = 1.01 * STRONG, 0.99 * STRONG
    assert single_effect(made({"slant": strong}), 0, 0).property.name == "slant"
    assert single_effect(made({"slant": weak}), 0, 0) is None
    assert single_effect(made({"slant": strong}, same=0.85), 0, 0) is None
    assert single_effect(made({"slant": 3.1 * AHEAD, "width": -3}), 0, 0) is not None
    assert single_effect(made({"slant": 2.9 * AHEAD, "width": -3}), 0, 0) is None


def test_kin_do_not_compete_and_ink_names_nothing():
    assert single_effect(made({"thickness": 3, "ink": 4}), 0, 0).property.name == "thickness"
    assert single_effect(made({"holes": 3, "ends": -2.9}), 0, 0).property.name == "holes"
    assert single_effect(made({"ink": 4}), 0, 0) is None


def test_a_picture_that_changes_far_more_than_the_effect_explains_has_no_name():
    effects = made({"thickness": 2})
    for share, named in ((0.99, True), (1.01, False)):
        change = np.full((1, 1), (share * EXPLAINED * 2) ** 2)
        found = single_effect(dataclasses.replace(effects, change=change), 0, 0)
        assert (found is not None) == named


def test_a_class_without_digits_has_no_effects(effects):
    assert effects.count.tolist() == [6, 0]
    assert np.isnan(effects.slope[1]).all()
    assert single_effect(effects, 1, THICK) is None


def test_empty_pictures_are_counted_and_left_out():
    def fading(poses, digit):
        return np.stack([bar(3, 18) * (0.47 + v[0]) for v in poses])  # none at -0.25

    def faint(poses, digit):
        return np.zeros((len(poses), 28, 28))

    given = [np.zeros((3, 2))]
    effects = measure_effects(fading, given)
    assert effects.empty.tolist() == [[3, 0]]
    assert np.isfinite(effects.slope[0, 0]).all()
    assert effects.slope[0, 0, NAMES.index("ink")] == pytest.approx(5.4, rel=0.02)
    effects = measure_effects(faint, given)
    assert effects.empty.tolist() == [[33, 33]]
    assert np.isnan(effects.slope).all()
    assert single_effect(effects, 0, 0) is None


def test_other_directions_can_be_moved_along(poses):
    directions = np.zeros((2, 1, 4))
    directions[:, 0, [THICK, LEAN]] = [0.6, 0.8]
    effects = measure_effects(decode, poses, directions)
    assert effects.slope.shape == (2, 1, len(NAMES))
    assert at(effects.slope, "slant")[0] == pytest.approx(6.4, abs=0.3)
    with pytest.raises(ValueError, match="no capsule"):
        measure_effects(decode, [])
