"""What is measured in pictures, against pictures drawn with known strokes."""

import math

import numpy as np
import pytest
from scipy import ndimage
from skimage.measure import euler_number

from capsnet.analysis.strokes import INK, PROPERTIES, _to_paper, measure

NAMES = [one.name for one in PROPERTIES]
FINER = 8  # pictures are drawn in so many points a pixel and side, and averaged: soft edges


def picture(inside):
    """[28, 28] of what is inside at x, y: pixels right of and below the centre."""
    line = (np.arange(28 * FINER) + 0.5) / FINER - 14
    drawn = inside(line[None, :], line[:, None]) * np.ones((28 * FINER, 28 * FINER))
    return drawn.reshape(28, FINER, 28, FINER).mean(axis=(1, 3))


def bar(width, height, slant=0.0, x0=0.0, y0=0.0):
    lean = math.tan(math.radians(slant))
    return picture(
        lambda x, y: (abs(x - x0 + lean * (y - y0)) <= width / 2) & (abs(y - y0) <= height / 2)
    )


def ring(radius, thickness):
    return picture(lambda x, y: abs(np.hypot(x, y) - radius) <= thickness / 2)


def of(image):
    return dict(zip(NAMES, measure(image[None])[0], strict=True))


@pytest.mark.parametrize("thickness", [1.5, 2.0, 2.6, 3.0, 3.7, 5.0])
def test_thickness_is_that_of_the_stroke(thickness):
    assert of(ring(7, thickness))["thickness"] == pytest.approx(thickness, abs=0.25)
    for slant in (0, 10, 30):
        upright = thickness / math.cos(math.radians(slant))
        assert of(bar(upright, 20, slant))["thickness"] == pytest.approx(thickness, abs=0.75)


def test_a_pixel_more_of_stroke_is_measured_as_about_a_pixel():
    given = np.arange(1.5, 5, 0.25)
    measured = [of(ring(7, thickness))["thickness"] for thickness in given]
    assert np.polyfit(given, measured, 1)[0] == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("slant", [-30, -10, 0, 5, 20])
def test_slant_is_that_of_the_bar_in_degrees_and_leans_right_when_positive(slant):
    assert of(bar(3, 20, slant))["slant"] == pytest.approx(slant, abs=0.3)


def test_slant_of_something_symmetrical_is_0():
    assert of(ring(7, 3))["slant"] == pytest.approx(0, abs=1e-6)
    assert of(bar(20, 3))["slant"] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(("width", "height"), [(3, 20), (7.25, 11.5), (12.75, 4)])
def test_width_and_height_are_those_of_the_box_around_the_ink(width, height):
    found = of(bar(width, height))
    assert found["width"] == pytest.approx(width, abs=0.3)
    assert found["height"] == pytest.approx(height, abs=0.3)
    assert found["ink"] == pytest.approx(width * height, rel=0.05)


def test_ink_that_reaches_the_edge_has_its_whole_width():
    found = of(np.ones((28, 28)))
    assert (found["width"], found["height"], found["ink"]) == (28, 28, 784)
    assert found["holes"] == 0


def test_position_is_that_of_the_centre_of_mass():
    found = of(bar(4, 8, x0=3, y0=-2))
    assert found["x"] == pytest.approx(3, abs=0.02)
    assert found["y"] == pytest.approx(-2, abs=0.02)


def test_loops_are_holes_and_free_strokes_have_ends():
    eight = np.maximum(
        picture(lambda x, y: abs(np.hypot(x, y - 5) - 4) <= 1),
        picture(lambda x, y: abs(np.hypot(x, y + 4) - 4) <= 1),
    )
    six = np.maximum(
        picture(lambda x, y: abs(np.hypot(x, y - 5) - 4) <= 1),
        picture(lambda x, y: (abs(x + 4) <= 1) & (y <= 5) & (y >= -10)),
    )
    plus = np.maximum(bar(2, 20), bar(20, 2))
    for image, holes, ends in [
        (bar(2, 20), 0, 2),
        (ring(7, 2), 1, 0),
        (eight, 2, 0),
        (six, 1, 1),
        (plus, 0, 4),
    ]:
        found = of(image)
        assert (found["holes"], found["ends"]) == (holes, ends)


def test_holes_of_real_digits_follow_from_eulers_number(images):
    chosen = images[:60, 0].numpy()
    holes = measure(chosen)[:, NAMES.index("holes")]
    for image, found in zip(chosen, holes, strict=True):
        finer = ndimage.zoom(np.pad(image, 1), 2, order=1, grid_mode=True, mode="grid-constant")
        ink = finer >= INK * image.max()
        pieces = ndimage.label(ink, np.ones((3, 3)))[1]
        assert found == pieces - euler_number(ink, connectivity=2)


def test_moments_are_those_of_a_plain_loop(images):
    for image in images[:5, 0].numpy().astype(float):
        found = of(image)
        points = [(x - 13.5, y - 13.5, image[y, x]) for y in range(28) for x in range(28)]
        ink = math.fsum(w for *_, w in points)
        mx = math.fsum(x * w for x, _, w in points) / ink
        my = math.fsum(y * w for _, y, w in points) / ink
        xy = math.fsum((x - mx) * (y - my) * w for x, y, w in points)
        yy = math.fsum((y - my) ** 2 * w for _, y, w in points)
        expected = (ink, mx, my, math.degrees(math.atan(-xy / yy)))
        assert tuple(found[k] for k in ("ink", "x", "y", "slant")) == pytest.approx(expected)


def test_distances_from_the_paper_are_those_of_scipy(images):
    ink = np.pad(np.concatenate([*(images[:8, 0].numpy() > 0.3), np.ones((28, 28), bool)], 1), 1)
    points = np.flatnonzero(ink)
    expected = ndimage.distance_transform_edt(ink).flat[points]
    np.testing.assert_allclose(_to_paper(ink, points), expected)


def test_pictures_are_measured_alike_alone_and_together(images):
    chosen = np.concatenate([images[:20, 0].numpy(), np.zeros((1, 28, 28)), np.ones((1, 28, 28))])
    together = measure(chosen)
    for image, found in zip(chosen, together, strict=True):
        np.testing.assert_allclose(measure(image[None])[0], found, rtol=1e-6, atol=1e-6)


def test_a_faint_picture_has_thin_strokes_and_is_otherwise_the_same():
    strong, faint = of(ring(7, 3)), of(0.5 * ring(7, 3))
    for name in NAMES:
        factor = 0.5 if name in ("thickness", "ink") else 1
        assert faint[name] == pytest.approx(factor * strong[name], abs=1e-5)


def test_lines_thinner_than_a_pixel_are_measured_by_how_faint_they_are():
    for thickness in (0.4, 0.6, 0.8):
        assert of(ring(7, thickness))["thickness"] == pytest.approx(thickness, abs=0.3)


def test_a_picture_without_ink_has_no_measures():
    broken = bar(3, 20)
    broken[0, 0] = np.nan
    found = measure(np.stack([np.zeros((28, 28)), np.full((28, 28), 0.24), broken]))
    assert np.isnan(found).all()
    assert measure(np.zeros((0, 28, 28))).shape == (0, len(PROPERTIES))


def test_a_speck_is_measured_too():
    speck = np.zeros((28, 28))
    speck[0, 27] = 1
    found = of(speck)
    assert (found["ink"], found["holes"], found["x"], found["y"]) == (1, 0, 13.5, -13.5)
    assert np.isfinite(list(found.values())).all()
