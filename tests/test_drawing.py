"""Strokes become digits that lie and look as MNIST's do."""

import numpy as np
import pytest
import torch

from capsnet.preprocessing import drawing
from capsnet.preprocessing.drawing import DrawingError, from_strokes, stroke_steps
from tests.pictures import (
    DIGITS,
    MNIST_CENTRE,
    centre_of_mass,
    ink_sides,
    pixels,
    rms,
)


@pytest.mark.parametrize("strokes", DIGITS)
def test_centre_of_mass_of_a_drawing_is_where_mnist_has_it(strokes):
    assert np.abs(centre_of_mass(from_strokes(strokes)) - MNIST_CENTRE).max() < 0.1


@pytest.mark.parametrize(
    "tap", [[(-400, 100)], [(700, 900), (702, 903)], [(-500, 400), (-460, 420)]]
)
def test_a_tap_far_off_the_digit_does_not_make_it_small(tap):
    seven = [np.array([(0, 0), (200, 0), (80, 300)])]
    assert torch.equal(from_strokes([*seven, np.array(tap)]), from_strokes(seven))
    steps = stroke_steps([*seven, np.array(tap)])
    assert (len(steps.drawn), len(steps.scaled)) == (2, 1)


def test_a_dot_beside_the_digit_and_a_short_stroke_far_off_belong_to_it():
    seven = [np.array([(0, 0), (200, 0), (80, 300)])]
    for other in ([(240, 300)], [(400, 0), (400, 60)]):
        assert len(stroke_steps([*seven, np.array(other)]).scaled) == 2


@pytest.mark.parametrize("strokes", DIGITS)
def test_a_drawing_fills_a_box_of_20_pixels_and_its_soft_edge(strokes):
    image = from_strokes(strokes)
    assert 19 <= max(ink_sides(image, 0.5)) <= 21
    assert max(ink_sides(image)) <= 22


@pytest.mark.parametrize("scale", [1e-6, 0.37, 80.0, 1e9])
@pytest.mark.parametrize("shift", [(0, 0), (-700, 250)])
def test_scale_and_position_of_the_drawing_do_not_matter(scale, shift):
    for strokes in DIGITS[::5]:
        moved = [(stroke + shift) * scale for stroke in strokes]
        assert torch.allclose(from_strokes(moved), from_strokes(strokes), atol=1e-3)


def test_the_aspect_ratio_is_kept():
    height, width = ink_sides(from_strokes([[(0, 0), (100, 0), (100, 50), (0, 50), (0, 0)]]), 0.5)
    assert width == pytest.approx(20, abs=1) and height == pytest.approx(11.25, abs=1)


@pytest.mark.parametrize("length", [1e-3, 1, 1e6])
def test_a_line_is_as_thick_at_any_size_of_the_drawing(length):
    ink = pixels(from_strokes([[(0, 0), (length, 0)]]))
    assert ink.sum(axis=0)[10:18] == pytest.approx(drawing.THICKNESS, abs=0.1)


def test_ink_is_as_much_and_as_soft_as_that_of_mnist():
    ink = np.stack([pixels(from_strokes(strokes)) for strokes in DIGITS])
    # Means over MNIST's 60,000 training digits.
    assert ink.sum(axis=(1, 2)).mean() == pytest.approx(102.4, rel=0.07)
    assert (ink > 0.5).sum() / (ink > 0).sum() == pytest.approx(0.692, abs=0.03)


def test_thickness_can_be_chosen():
    masses = [from_strokes(DIGITS[0], thickness=thickness).sum() for thickness in (1.5, 2.5, 3.5)]
    assert masses == sorted(masses) and masses[0] < 0.6 * masses[2]


@pytest.mark.parametrize("tap", [[[(3, 4)]], [[(3, 4)] * 9], [[(3, 4)], [(3, 4)]], [[(-1e8, 0)]]])
def test_a_tap_gives_a_dot_in_the_middle(tap):
    image = from_strokes(tap)
    assert max(ink_sides(image)) <= 4 and pixels(image)[14, 14] == 1
    assert centre_of_mass(image) == pytest.approx(MNIST_CENTRE)


def test_taps_beside_each_other_stay_apart():
    ink = pixels(from_strokes([[(0, 0)], [(50, 0)]]))
    assert ink[14, 5] == 1 and ink[14, 23] == 1 and ink[:, 9:20].sum() == 0


@pytest.mark.parametrize("strokes", [[[(0, 0), (0, 5e-324)]], [[(-1.7e308, 0), (1.7e308, 9e307)]]])
def test_the_smallest_and_largest_numbers_make_a_line(strokes):
    assert max(ink_sides(from_strokes(strokes), 0.5)) in (19, 20, 21)


def test_repeated_points_change_nothing():
    repeated = [np.repeat(stroke, 3, axis=0) for stroke in DIGITS[3]]
    assert torch.allclose(from_strokes(repeated), from_strokes(DIGITS[3]), atol=1e-6)


def test_pressure_empty_strokes_and_the_kind_of_numbers_do_not_matter():
    whole = [stroke.astype(np.int16) for stroke in DIGITS[7]]
    pressed = [np.column_stack([stroke, np.linspace(0, 1, len(stroke))]) for stroke in whole]
    nested = [[], *(stroke.tolist() for stroke in whole), np.empty((0, 2))]
    for same in (whole, pressed, nested, tuple(whole), iter(whole)):
        assert torch.equal(from_strokes(same), from_strokes(DIGITS[7]))


def test_thousands_of_points_cost_no_more_than_the_path_is_long(monkeypatch):
    drawn = []
    draw = drawing.draw
    monkeypatch.setattr(drawing, "draw", lambda p, *rest: drawn.append(len(p)) or draw(p, *rest))
    angle = np.linspace(0, 2 * np.pi, 50_000)
    dense = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    fine, coarse = from_strokes([dense]), from_strokes([dense[::500]])
    assert max(drawn) < 300
    assert rms(fine, coarse) < 0.01
    from_strokes([np.random.default_rng(0).normal(size=(50_000, 2))])
    assert max(drawn) < 10_000


def test_ink_stays_inside_the_image_however_its_weight_lies():
    heavy_end = [
        [(0, 0), (0, 3), (3, 3), (3, 0), (1, 0), (1, 2), (2, 2), (2, 1)],
        [(3, 1), (40, 1)],
    ]
    points = np.concatenate(stroke_steps(heavy_end, thickness=1).centred)
    assert points.min() > 0.5 and points.max() < 27.5


def test_drawing_does_not_change_its_input():
    strokes = [stroke.copy() for stroke in DIGITS[0]]
    steps = stroke_steps(strokes)
    for step in (steps.drawn, steps.scaled, steps.centred):
        for array in step:
            array += 1
    assert all(np.array_equal(a, b) for a, b in zip(strokes, DIGITS[0], strict=True))


def test_the_steps_end_with_the_image():
    steps = stroke_steps(DIGITS[12])
    assert torch.equal(steps.image, from_strokes(DIGITS[12]))
    assert np.array_equal(steps.drawn[0], DIGITS[12][0])
    scaled = np.concatenate(steps.scaled)
    assert np.ptp(scaled, axis=0).max() == pytest.approx(20 - drawing.THICKNESS)
    assert np.ptp(np.concatenate(steps.centred) - scaled, axis=0) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("strokes", "words"),
    [
        ([], "nothing drawn"),
        ([[], []], "nothing drawn"),
        ([[(0, float("nan"))]], "not finite"),
        ([[(0, 1), (float("inf"), 2)]], "not finite"),
        ([(1, 2), (3, 4)], "list of"),
        ([np.zeros((5, 4))], "list of"),
        ([np.zeros((2, 2, 2))], "list of"),
        ([[(1, 2), (3,)]], "list of"),
        ([[("a", "b")]], "list of"),
        ([np.array([[1j, 2]])], "list of"),
        (None, "list of"),
        ([np.zeros((100_001, 2))], "100,000 points"),
    ],
)
def test_what_is_not_a_drawing_is_refused_in_words(strokes, words):
    with pytest.raises(DrawingError, match=words):
        from_strokes(strokes)


@pytest.mark.parametrize("thickness", [0, -1, 9, float("nan")])
def test_a_thickness_out_of_range_is_refused(thickness):
    with pytest.raises(DrawingError, match=r"0\.5 to 8"):
        from_strokes(DIGITS[0], thickness=thickness)
