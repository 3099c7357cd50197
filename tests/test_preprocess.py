"""Strokes and pictures become digits that lie and look as MNIST's do."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image, ImageDraw

from capsnet import drawing
from capsnet.preprocess import (
    DrawingError,
    from_image,
    from_strokes,
    picture_steps,
    stroke_steps,
)

DATA = Path(__file__).parent / "data"
DIGITS = [
    [np.array(stroke, dtype=float) for stroke in digit["strokes"]]
    for digit in json.loads((DATA / "pen_strokes.json").read_text())
]
MNIST_CENTRE = 14.0  # index of the pixel that MNIST's centres of mass lie around


def pixels(image):
    """The 28 × 28 pixels of a batch of one."""
    assert image.shape == (1, 1, 28, 28) and image.dtype == torch.float32
    assert image.min() >= 0 and image.max() <= 1
    return image[0, 0].numpy()


def centre_of_mass(image):
    ink, index = pixels(image), np.arange(28)
    return np.array([ink.sum(1) @ index, ink.sum(0) @ index]) / ink.sum()


def ink_sides(image, level=0.0):
    rows, columns = np.nonzero(pixels(image) > level)
    return np.ptp(rows) + 1, np.ptp(columns) + 1


def rms(a, b):
    return float((a - b).square().mean().sqrt())


def mnist_digits():
    """Some MNIST digits, uint8; drawn ones lie the same way where the slice is not there."""
    if (DATA / "mnist_slice.npz").exists():
        return np.load(DATA / "mnist_slice.npz")["test_images"][:200]
    return drawn_digits()


def drawn_digits():
    return np.stack([(pixels(from_strokes(digit)) * 255).astype(np.uint8) for digit in DIGITS])


def picture(strokes, side=300, width=5, ink=20, paper=235):
    """Strokes drawn as a drawing program would, in the middle of an RGB picture."""
    image = Image.new("RGB", (side, side), (paper,) * 3)
    points = np.concatenate(strokes)
    scale = 0.6 * side / np.ptp(points, axis=0).max()
    for stroke in strokes:
        placed = (stroke - points.min(axis=0)) * scale + 0.2 * side
        ImageDraw.Draw(image).line(list(map(tuple, placed)), (ink,) * 3, width, joint="curve")
    return image


# Strokes


@pytest.mark.parametrize("strokes", DIGITS)
def test_centre_of_mass_of_a_drawing_is_where_mnist_has_it(strokes):
    assert np.abs(centre_of_mass(from_strokes(strokes)) - MNIST_CENTRE).max() < 0.1


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


# Pictures


def test_mnist_digits_pass_unchanged():
    for digit in (*mnist_digits(), *drawn_digits()):
        expected = torch.from_numpy(digit).float()[None, None] / 255
        assert torch.equal(from_image(digit), expected)
        assert torch.equal(from_image(Image.fromarray(digit)), expected)


def test_polarity_channels_and_alpha_do_not_matter():
    for digit in mnist_digits()[:20]:
        full = np.full_like(digit, 255)
        for same in (
            255 - digit,
            digit[:, :, None],
            np.stack([digit] * 3, axis=-1),
            np.stack([255 - digit] * 3 + [full], axis=-1),
            np.stack([0 * digit, digit], axis=-1),  # black ink on nothing
            np.stack([full, digit], axis=-1),  # white ink on nothing
            Image.fromarray(255 - digit).convert("P"),
        ):
            assert torch.equal(from_image(same), from_image(digit))


@pytest.mark.parametrize("ink, paper", [(20, 235), (235, 20), (120, 200), (150, 100)])
@pytest.mark.parametrize("side", [60, 300, 1500])
def test_a_picture_of_a_drawing_looks_like_the_drawing(side, ink, paper):
    for strokes in DIGITS[::6]:
        image = from_image(picture(strokes, side, max(1, side // 60), ink, paper))
        assert rms(image, from_strokes(strokes)) < 0.12


@pytest.mark.parametrize("width", [1, 3, 8, 20, 40])
def test_thin_lines_come_out_as_thick_as_those_of_mnist(width):
    image = from_image(picture(DIGITS[0], width=width))
    assert image.sum() > 0.85 * from_strokes(DIGITS[0]).sum() and image.max() > 0.9


@pytest.mark.parametrize("strokes", DIGITS[::4])
def test_a_picture_is_centred_and_fills_the_box(strokes):
    image = from_image(picture(strokes))
    assert np.abs(centre_of_mass(image) - MNIST_CENTRE).max() < 0.2
    assert 19 <= max(ink_sides(image, 0.5)) <= 21


def test_a_small_digit_in_the_corner_of_a_large_picture_is_found():
    page = Image.new("RGB", (900, 700), (230, 228, 220))
    page.paste(picture(DIGITS[4], 120, 4, paper=229), (20, 500))
    assert rms(from_image(page), from_strokes(DIGITS[4])) < 0.15


def test_shadow_grain_and_specks_are_not_ink():
    rng = np.random.default_rng(0)
    for strokes in DIGITS[::6]:
        photo = np.asarray(picture(strokes, ink=60, paper=200).convert("L"), dtype=float)
        photo *= np.linspace(0.55, 1.1, 300)  # light from the right
        photo[200:] *= 0.8  # the edge of a shadow
        photo += rng.normal(0, 5, photo.shape)
        photo[12:14, 30:32] = photo[280:282, 150:152] = 30
        photo = photo.clip(0, 255).astype(np.uint8)
        assert rms(from_image(photo), from_strokes(strokes)) < 0.15


def test_a_dark_rim_around_the_paper_is_not_ink():
    photo = np.asarray(picture(DIGITS[2]).convert("L")).copy()
    clean = from_image(photo)
    photo[:8] = photo[:, :8] = 60
    assert rms(from_image(photo), clean) < 0.05


def test_a_photo_is_turned_upright(tmp_path):
    upright = picture(DIGITS[9])
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held on its side: turn a quarter to the right
    upright.transpose(Image.Transpose.ROTATE_90).save(tmp_path / "photo.png", exif=exif)
    with Image.open(tmp_path / "photo.png") as photo:
        assert torch.equal(from_image(photo), from_image(upright))


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I", "I;16", "F"])
def test_every_kind_of_picture_is_read(mode):
    grey = picture(DIGITS[5], ink=0, paper=255).convert("L")
    if mode == "I;16":
        converted = Image.fromarray(np.asarray(grey).astype(np.uint16) * 257)
    else:
        converted = grey.convert(mode)
    assert rms(from_image(converted), from_image(grey)) < 0.02


@pytest.mark.parametrize("shape", [(8, 8), (8, 3000), (11, 9), (6000, 6000)])
def test_the_smallest_and_largest_pictures_are_read(shape):
    photo = np.full(shape, 250, np.uint8)
    height, width = shape
    photo[height // 4 : -(height // 4), width // 2 - height // 8 : width // 2 + height // 8] = 10
    assert ink_sides(from_image(photo), 0.5)[0] in (19, 20, 21)


def test_reading_a_picture_does_not_change_it():
    photo = picture(DIGITS[1])
    before = photo.tobytes()
    array = np.asarray(photo).copy()
    from_image(photo)
    from_image(array)
    assert photo.tobytes() == before == array.tobytes()


def test_the_steps_of_a_picture_end_with_the_image():
    photo = picture(DIGITS[1])
    steps = picture_steps(photo)
    assert torch.equal(steps.image, from_image(photo))
    assert steps.grey.shape == steps.ink.shape == (300, 300)
    assert steps.grey[0, 0] == pytest.approx(235 / 255) and steps.ink[0, 0] == 0


def noisy_paper():
    return np.random.default_rng(0).normal(200, 8, (200, 300)).clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("image", "words"),
    [
        (np.full((40, 50), 200, np.uint8), "no digit"),
        (np.zeros((28, 28), np.uint8), "no digit"),
        (np.zeros((30, 30, 4), np.uint8), "no digit"),
        (np.linspace(40, 220, 300).astype(np.uint8)[None].repeat(200, axis=0), "no digit"),
        (noisy_paper(), "no digit"),
        (np.zeros((7, 30), np.uint8), "too small"),
        (np.zeros((0, 30), np.uint8), "too small"),
        (np.broadcast_to(np.uint8(0), (8000, 6000)), "48 megapixels"),
        (np.zeros((30, 30)), "uint8"),
        (np.zeros((30, 30, 5), np.uint8), "1 to 4"),
        (np.zeros(30, np.uint8), "height × width"),
        (Image.fromarray(np.full((30, 30), np.nan, np.float32)), "damaged"),
        ("digit.png", "not a picture but a str"),
    ],
)
def test_what_holds_no_digit_is_refused_in_words(image, words):
    with pytest.raises(DrawingError, match=words):
        from_image(image)


def test_a_damaged_file_is_refused_in_words(tmp_path):
    picture(DIGITS[0]).save(tmp_path / "whole.png")
    whole = (tmp_path / "whole.png").read_bytes()
    (tmp_path / "half.png").write_bytes(whole[: len(whole) // 2])
    with Image.open(tmp_path / "half.png") as half, pytest.raises(DrawingError, match="damaged"):
        from_image(half)


@pytest.mark.parametrize("side", [200, 500, 1000])
def test_a_line_of_one_pixel_does_not_break(side):
    line = np.full((side, side), 255, np.uint8)
    line[side // 10 : -side // 10, side // 2] = 0
    assert pixels(from_image(line))[6:23, 14].min() > 0.9


def test_ink_that_touches_the_border_of_the_picture_is_read():
    digit = from_strokes(DIGITS[15])
    tight = np.asarray(picture(DIGITS[15], width=20).convert("L"))
    rows, columns = (np.flatnonzero((tight < 128).any(axis=axis)) for axis in (1, 0))
    tight = tight[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    assert rms(from_image(tight), digit) < 0.15
