"""Pictures become digits that lie and look as MNIST's do, or are refused in words."""

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from capsnet.preprocess import from_image, from_strokes, picture_steps
from tests.pictures import (
    DIGITS,
    MNIST_CENTRE,
    across,
    centre_of_mass,
    ink_sides,
    on_a_table,
    picture,
    pixels,
    rms,
    ruled,
    taken,
    written,
)

DATA = Path(__file__).parent / "data"


def mnist_digits():
    """Some MNIST digits, uint8; drawn ones lie the same way where the slice is not there."""
    if (DATA / "mnist_slice.npz").exists():
        return np.load(DATA / "mnist_slice.npz")["test_images"][:200]
    return drawn_digits()


def drawn_digits():
    return np.stack([(pixels(from_strokes(digit)) * 255).astype(np.uint8) for digit in DIGITS])


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


# Each makes a picture of the digit that a plain cut would misread.
KINDS = {
    "light from one side": lambda d: written(d) * across(0.5, 1.1),
    "the edge of a shadow across the digit": lambda d: written(d) * across(-2, 3.5).clip(0.7, 1),
    "the edge of a hard shadow": lambda d: written(d) * across(-60, 62).clip(0.5, 1),
    "a vignette": lambda d: written(d) * (1.1 - 0.6 * disc(150, 150, 120)),
    "a flash spot": lambda d: written(d) * 0.6 * (1 + disc(60, 230, 60)),
    "pencil": lambda d: written(d, (150, 150, 150), width=6),
    "chalk on a board": lambda d: written(d, (200, 205, 195), (45, 65, 55)),
    "red ink as light as its green paper": lambda d: written(d, (214, 115, 110), (120, 163, 110)),
    "faint rules": lambda d: ruled(written(d)),
    "dark rules that cross the digit": lambda d: ruled(written(d), strength=1, colour=(60, 70, 90)),
    "squared paper": lambda d: squared(written(d)),
    "a sheet on a darker table": lambda d: on_a_table(written(d)),
    "a sheet on a lighter table": lambda d: on_a_table(written(d) * 0.6, (240, 240, 235)),
    "a frame": lambda d: framed(written(d)),
    "a canvas on a grey page": lambda d: on_a_table(
        written(d, (0, 0, 0), (255, 255, 255)), (128,) * 3
    ),
}


def disc(x, y, radius):
    """A spot that fades out: ``[300, 300, 1]``, 0 to 1."""
    rows, columns = np.mgrid[:300, :300]
    return np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / radius**2)[:, :, None]


def squared(colours):
    return ruled(ruled(colours).transpose(1, 0, 2)).transpose(1, 0, 2)


def framed(colours):
    framed = np.array(colours)
    framed[:6] = framed[-6:] = framed[:, :6] = framed[:, -6:] = 30
    return np.pad(framed, ((9, 9), (9, 9), (0, 0)), mode="edge")


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_ink_does_not_count(kind):
    for strokes in DIGITS[::12]:
        plain = from_image(taken(written(strokes)))
        assert rms(from_image(taken(KINDS[kind](strokes))), plain) < 0.17


@pytest.mark.parametrize("width", [30, 45])
def test_a_thick_marker_is_thinned_and_its_loops_stay_open(width):
    ring = [[(np.cos(a), 1.3 * np.sin(a)) for a in np.linspace(0, 2 * np.pi, 60)]]
    ink = pixels(from_image(written([np.array(ring[0])], width=width).astype(np.uint8)))
    across_the_middle = ink[14]
    assert ink[12:16, 13:16].max() < 0.1
    assert 2 * 2 < across_the_middle.sum() < 2 * 4


def test_a_stroke_from_edge_to_edge_does_not_cut_the_sheet():
    sheet = written(DIGITS[2])[40:260, 40:260]
    assert rms(from_image(taken(on_a_table(sheet))), from_image(taken(sheet))) < 0.17


def test_a_thick_digit_that_fills_a_small_picture_is_not_taken_for_a_sheet():
    for strokes in DIGITS[::6]:
        wide = np.asarray(picture(strokes, width=40).convert("L"))[30:270, 30:270]
        small = Image.fromarray(wide).resize((28, 28), Image.Resampling.BOX)
        assert rms(from_image(small), from_image(wide)) < 0.17


def test_an_upright_stroke_within_a_frame_is_not_taken_for_a_rule():
    four = [np.array([(12.0, 0), (0, 55), (60, 55)]), np.array([(40.0, 5), (40, 100)])]
    boxed = written(four, width=10)[40:250, 20:240]
    plain = from_image(taken(boxed))
    boxed[:, :3] = boxed[-3:] = boxed[:, -3:] = 40
    assert rms(from_image(taken(boxed)), plain) < 0.1


def test_a_digit_in_several_strokes_is_one_digit():
    five = [
        np.array([(10.0, 0), (60, 0)]),
        np.array([(4.0, 8), (4, 40), (40, 40), (45, 70), (0, 90)]),
    ]
    four = [np.array([(0.0, 0), (0, 50), (38, 50)]), np.array([(44.0, 5), (44, 100)])]
    for strokes in (five, four, *(digit for digit in DIGITS if len(digit) > 1)):
        assert rms(from_image(picture(strokes, width=14)), from_strokes(strokes)) < 0.17


def test_a_neighbour_cut_off_by_the_border_does_not_count():
    beside = np.concatenate([written(DIGITS[0]), written(DIGITS[3])[:, :80]], axis=1)
    assert rms(from_image(taken(beside)), from_image(taken(written(DIGITS[0])))) < 0.05


@pytest.mark.parametrize("side", [56, 280, 500])
@pytest.mark.parametrize("kernel", [Image.Resampling.NEAREST, Image.Resampling.BILINEAR])
def test_an_mnist_digit_brought_to_another_size_reads_as_itself(side, kernel):
    for digit in mnist_digits()[:10]:
        grown = Image.fromarray(digit).resize((side, side), kernel)
        assert rms(from_image(grown), from_image(digit)) < 0.16


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
    assert steps.picture.shape == (300, 300, 1) and steps.ink.shape == (300, 300)
    assert steps.picture[0, 0, 0] == pytest.approx(235 / 255) and steps.ink[0, 0] == 0


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
