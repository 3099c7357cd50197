"""What the Draw view opens with, and picture files, without a browser."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, PngImagePlugin

from app import pictures, samples
from capsnet.datasets.labelled import DIGITS
from capsnet.preprocess import DrawingError
from tests.app.visit import open_app, sent_to


def file_of(picture: Image.Image, kind: str = "png", **how: Any) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **how)
    return buffer.getvalue()


def test_the_app_opens_on_a_sample_already_recognised() -> None:
    app = open_app()
    assert not app.exception
    given = sent_to(app, "reading")
    assert given["label"] == given["digit"]
    assert given["sure"]
    assert given["words"].startswith(f"reads {given['label']}, length 0.")
    assert app.query_params["sample"] == str(samples.load().opening)


def test_a_picture_becomes_an_input_and_a_text_file_is_refused_in_words(tmp_path: Path) -> None:
    picture = Image.new("RGB", (300, 400), "white")
    ImageDraw.Draw(picture).line([(90, 80), (220, 80), (140, 330)], fill="black", width=24)
    picture.save(tmp_path / "seven.png")
    upload = pictures.read_upload((tmp_path / "seven.png").read_bytes(), "seven.png", DIGITS)
    assert upload.ink is not None
    assert upload.ink.image.shape == (1, 1, 28, 28)
    assert [step.title for step in upload.ink.steps] == ["As uploaded", "Ink found"]
    with pytest.raises(DrawingError, match=r"note\.png is not a picture"):
        pictures.read_upload(b"hello", "note.png", DIGITS)


def test_what_was_uploaded_is_shown_in_its_colours() -> None:
    picture = Image.new("RGB", (300, 300), (120, 163, 110))
    ImageDraw.Draw(picture).line([(90, 80), (220, 80), (140, 250)], (214, 115, 110), 24)
    first = pictures.read_upload(file_of(picture), "seven.png", DIGITS).whole.steps[0].url
    assert first
    shown = Image.open(io.BytesIO(base64.b64decode(first.split(",")[1])))
    assert shown.size == (280, 280)
    assert shown.getpixel((5, 5)) == (120, 163, 110)


@pytest.mark.parametrize("kind", ["gif", "png", "webp"])
def test_an_animated_picture_is_refused_in_words(kind: str) -> None:
    frames = [Image.new("RGB", (40, 40), colour) for colour in ("white", "black")]
    film = file_of(frames[0], kind, save_all=True, append_images=frames[1:])
    with pytest.raises(DrawingError, match="moves or has several pages"):
        pictures.read_upload(film, f"film.{kind}", DIGITS)


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp", "gif", "tiff", "bmp"])
def test_a_file_cut_off_anywhere_is_read_or_refused_in_words(kind: str) -> None:
    picture = Image.new("RGB", (120, 120), "white")
    ImageDraw.Draw(picture).line([(30, 30), (90, 30), (50, 100)], "black", 12)
    whole = file_of(picture, kind)
    for length in np.linspace(1, len(whole) - 1, 12).astype(int):
        try:
            pictures.read_upload(whole[:length], "half", DIGITS)
        except DrawingError as error:
            assert "picture" in str(error)


def test_far_too_many_pixels_are_refused_unread() -> None:
    page = file_of(Image.new("1", (16_000, 16_000)))
    with pytest.raises(DrawingError, match="far too many pixels"):
        pictures.read_upload(page, "page.png", DIGITS)
    with pytest.raises(DrawingError, match="49 megapixels"):
        pictures.read_upload(file_of(Image.new("1", (7000, 7000))), "page.png", DIGITS)


def test_a_damaged_picture_is_explained() -> None:
    buffer = io.BytesIO()
    bomb = PngImagePlugin.PngInfo()
    bomb.add_text("comment", "a" * 2_000_000, zip=True)
    Image.new("L", (30, 30)).save(buffer, "PNG", pnginfo=bomb)
    with pytest.raises(DrawingError, match="is not a picture that can be read"):
        pictures.read_upload(buffer.getvalue(), "bomb.png", DIGITS)
