"""The Draw view and the links that lead to it, without a browser."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, PngImagePlugin
from streamlit.testing.v1 import AppTest

import capsnet
from app import links, pictures, samples, state
from app.inputs import Drawing, Reading
from capsnet.preprocess import DrawingError

MAIN = str(Path(state.__file__).with_name("main.py"))
SEVEN = [[[300, 200, 50], [700, 200, 50], [620, 450, 50], [450, 850, 50]]]


def open_app(**query: str) -> AppTest:
    app = AppTest.from_file(MAIN, default_timeout=90)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def sent_to(app: AppTest, component: str) -> dict[str, Any]:
    """What a component on the page was given."""
    elements = app.get("bidi_component")
    found = [e.proto for e in elements if e.proto.component_name == f"capsnet_{component}"]
    return json.loads(found[0].json)


def reading_of(lengths: list[float]) -> Reading:
    blank = np.zeros((28, 28), np.float32)
    names = tuple("0123456789")
    return Reading(np.array(lengths, np.float32), np.zeros((10, 16), np.float32), blank, 0, names)


def test_the_app_opens_on_a_sample_already_recognised() -> None:
    app = open_app()
    assert not app.exception
    given = sent_to(app, "reading")
    assert given["label"] == given["digit"]
    assert given["sure"]
    assert given["words"].startswith(f"reads {given['label']}, length 0.")
    assert app.query_params["sample"] == str(samples.load().opening)


def test_strokes_in_the_session_give_a_verdict_and_a_link() -> None:
    app = AppTest.from_file(MAIN, default_timeout=90)
    app.session_state["input_kind"] = "strokes"
    app.session_state["input_drawing"] = Drawing(ops=SEVEN)
    app.run()
    assert not app.exception
    given = sent_to(app, "reading")
    assert not given["blank"]
    assert given["names"][given["digit"]] == "7"
    assert [step["title"] for step in given["steps"]] == ["As drawn", "Scaled and centred"]
    assert links.decode(app.query_params["strokes"]) == [[p[:2] for p in SEVEN[0]]]


def test_a_link_brings_the_drawing_back() -> None:
    app = open_app(strokes=links.encode(SEVEN))
    assert sent_to(app, "pad")["ops"] == [[p[:2] for p in SEVEN[0]]]
    assert sent_to(app, "pad")["other"] is None


@pytest.mark.parametrize(
    "query",
    [
        {"strokes": "no drawing"},
        {"strokes": links.encode(SEVEN)[:-6]},
        {"strokes": "A" * 100_000},
        {"sample": "12345678"},
        {"sample": "seven"},
    ],
)
def test_a_corrupt_link_is_noted_and_the_opening_sample_shown(query: dict[str, str]) -> None:
    app = open_app(**query)
    assert not app.exception
    assert "Here is a sample instead." in app.warning[0].value
    assert sent_to(app, "reading")["label"] is not None


@pytest.mark.parametrize("content", [None, b"not a checkpoint"])
def test_a_missing_or_broken_checkpoint_is_explained_with_the_command(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "network.safetensors"
    if content is not None:
        path.write_bytes(content)
    monkeypatch.setenv(state.CHECKPOINT_VARIABLE, str(path))
    app = open_app()
    assert not app.exception
    assert str(path) in app.error[0].value
    assert app.code[0].value.startswith("python -m capsnet.train --dataset mnist")
    assert not app.get("bidi_component")


def test_the_shelf_holds_every_digit_and_hard_ones() -> None:
    shelf = samples.load()
    assert set(shelf.labels[~shelf.hard]) == set(range(10))
    assert shelf.hard.sum() >= 5
    assert shelf.place(shelf.opening) is not None
    assert shelf.images.shape == (len(shelf.labels), 28, 28)


def test_links_keep_a_drawing_exactly_and_stay_short() -> None:
    random = np.random.default_rng(0)
    drawn = [random.integers(0, links.GRID + 1, (n, 2)).tolist() for n in (1, 40, 200)]
    assert links.decode(links.encode(drawn)) == drawn
    long = [random.integers(0, links.GRID + 1, (4000, 2)).tolist()]
    assert len(links.encode(long)) <= links.MAX_LINK


def test_undoing_a_clear_brings_the_strokes_back() -> None:
    cleared = Drawing(ops=[SEVEN[0], None])
    assert cleared.strokes == []
    assert Drawing(ops=cleared.ops[:-1]).strokes == SEVEN


@pytest.mark.parametrize(
    ("lengths", "words"),
    [
        ([0, 0, 0, 0, 0.1, 0, 0, 0.94, 0, 0.2], "reads 7, length 0.94"),
        ([0, 0, 0, 0, 0.8, 0, 0, 0.1, 0, 0.78], "not sure: 4 or 9"),
        ([0, 0, 0, 0, 0.3, 0, 0, 0.1, 0, 0], "not sure: no capsule is long"),
    ],
)
def test_the_verdict_says_when_it_is_not_sure(lengths: list[float], words: str) -> None:
    answer = reading_of(lengths)
    assert answer.words.startswith(words)
    assert answer.sure == words.startswith("reads")


def test_a_picture_becomes_an_input_and_a_text_file_is_refused_in_words(tmp_path: Path) -> None:
    picture = Image.new("RGB", (300, 400), "white")
    ImageDraw.Draw(picture).line([(90, 80), (220, 80), (140, 330)], fill="black", width=24)
    picture.save(tmp_path / "seven.png")
    upload = pictures.read_upload((tmp_path / "seven.png").read_bytes(), "seven.png")
    assert upload.image.shape == (1, 1, 28, 28)
    assert [step.title for step in upload.steps] == ["As uploaded", "Ink found"]
    with pytest.raises(DrawingError, match=r"note\.png is not a picture"):
        pictures.read_upload(b"hello", "note.png")


def test_a_network_that_was_loaded_goes_on_when_its_file_is_removed(tmp_path, monkeypatch) -> None:
    copy = tmp_path / "copy.safetensors"
    copy.write_bytes((state.REPOSITORY / "checkpoints" / "mnist.safetensors").read_bytes())
    monkeypatch.setenv(state.CHECKPOINT_VARIABLE, str(copy))
    app = open_app()
    words = sent_to(app, "reading")["words"]
    copy.write_bytes(b"half a file")
    assert sent_to(app.run(), "reading")["words"] == words
    copy.unlink()
    app.run()
    assert not app.exception
    assert sent_to(app, "reading")["words"] == words


def test_a_network_for_other_images_is_explained(tmp_path, monkeypatch) -> None:
    other = tmp_path / "other.safetensors"
    config = capsnet.CapsNetConfig(
        image_size=32, conv_channels=2, primary_types=1, digit_dim=2, decoder_hidden=(2, 2)
    )
    capsnet.save_checkpoint(other, capsnet.CapsNet(config))
    monkeypatch.setenv(state.CHECKPOINT_VARIABLE, str(other))
    app = open_app()
    assert not app.exception
    assert "takes images of 32 × 32 pixels" in app.error[0].value


def test_a_damaged_picture_is_explained() -> None:
    buffer = io.BytesIO()
    bomb = PngImagePlugin.PngInfo()
    bomb.add_text("comment", "a" * 2_000_000, zip=True)
    Image.new("L", (30, 30)).save(buffer, "PNG", pnginfo=bomb)
    with pytest.raises(DrawingError, match="is not a picture that can be read"):
        pictures.read_upload(buffer.getvalue(), "bomb.png")


@pytest.mark.parametrize("sample", ["9" * 5000, "²", "1e3", "-1"])
def test_a_sample_that_is_no_number_is_explained(sample: str) -> None:
    app = open_app(sample=sample)
    assert not app.exception
    assert "names a sample that is not on the shelf" in app.warning[0].value
