"""Pictures that hold no digit, or several, and files that are no pictures: refused in words."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from capsnet.preprocess import DrawingError, from_image
from tests.pictures import DIGITS, picture, pixels, taken, written


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


@pytest.mark.parametrize("second", [DIGITS[3], DIGITS[11], DIGITS[20]])
def test_several_digits_are_refused_in_words(second):
    for axis in (0, 1):  # one above the other, one beside the other
        both = np.concatenate([written(DIGITS[0]), written(second)], axis=axis)
        with pytest.raises(DrawingError, match="2 digits"):
            from_image(taken(both))


@pytest.mark.parametrize("suffix", ["gif", "png", "webp"])
def test_what_moves_is_refused_in_words(suffix, tmp_path):
    frames = [picture(DIGITS[n]) for n in (0, 1)]
    frames[0].save(tmp_path / f"film.{suffix}", save_all=True, append_images=frames[1:])
    with (
        Image.open(tmp_path / f"film.{suffix}") as film,
        pytest.raises(DrawingError, match="moves"),
    ):
        from_image(film)


@given(
    arrays(
        np.uint8,
        st.tuples(st.integers(8, 60), st.integers(8, 60), st.integers(1, 4)),
        elements=st.sampled_from([0, 1, 90, 128, 250, 255]),
    )
)
@settings(max_examples=40, deadline=None)
def test_any_array_gives_an_image_or_a_sentence(colours):
    try:
        image = pixels(from_image(colours))
    except DrawingError:
        return
    assert image.max() > 0.5


@pytest.mark.parametrize(
    "pattern",
    [
        np.indices((200, 300)).sum(axis=0) % 2 * 255,
        np.indices((200, 300)).sum(axis=0) // 20 % 2 * 255,
        np.random.default_rng(0).integers(0, 256, (300, 200, 3)),
        np.hypot(*(np.indices((200, 200)) - 100)),
        np.eye(64) * 255,
        np.pad([[255]], 20),
    ],
)
def test_patterns_give_an_image_or_a_sentence(pattern):
    try:
        pixels(from_image(pattern.astype(np.uint8)))
    except DrawingError as error:
        assert "digit" in str(error)
