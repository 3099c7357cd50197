"""Pictures that are uploaded or pasted, without a browser."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image, ImageDraw
from streamlit.testing.v1 import AppTest

from app.components import paste
from app.drawing import Drawing
from tests.app.visit import MAIN, open_app, sent_to

SEVEN = [[[300, 200], [700, 200], [620, 450], [450, 850]]]


def a_seven() -> bytes:
    picture = Image.new("RGB", (300, 400), "white")
    ImageDraw.Draw(picture).line([(90, 80), (220, 80), (140, 330)], fill="black", width=24)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def upload(app: AppTest, data: bytes, name: str) -> AppTest:
    return app.file_uploader[0].set_value((name, data, "image/png")).run()


def press(app: AppTest, label: str) -> AppTest:
    return next(button for button in app.button if button.label == label).click().run()


def test_an_uploaded_picture_is_looked_at_with_the_steps_to_it() -> None:
    app = upload(open_app(), a_seven(), "seven.png")
    assert not app.exception
    given = sent_to(app, "reading")
    assert given["title"] == "seven.png"
    assert given["names"][given["digit"]] == "7"
    assert [step["title"] for step in given["steps"]] == ["As uploaded", "Ink found"]


@pytest.mark.parametrize("drawn", [False, True])
def test_removing_an_upload_returns_to_what_was_looked_at_before(drawn: bool) -> None:
    app = AppTest.from_file(MAIN, default_timeout=90)
    if drawn:
        app.session_state["input_kind"] = "strokes"
        app.session_state["input_drawing"] = Drawing(ops=SEVEN)
    before = sent_to(app.run(), "reading")["title"]
    upload(app, a_seven(), "seven.png")
    upload(app, a_seven(), "again.png")
    assert sent_to(app, "reading")["title"] == "again.png"
    press(app, "Remove the picture")
    assert not app.exception
    assert sent_to(app, "reading")["title"] == before


def test_one_goes_back_to_an_upload_after_looking_at_a_sample() -> None:
    app = upload(open_app(), a_seven(), "seven.png")
    app.session_state["input_kind"] = "sample"
    app.run()
    assert sent_to(app, "reading")["label"] is not None
    press(app, "Back to seven.png")
    assert sent_to(app, "reading")["title"] == "seven.png"


def test_another_picture_finds_the_uploader_that_was_emptied_for_it() -> None:
    app = upload(open_app(), a_seven(), "seven.png")
    uploader = app.file_uploader[0].key
    app.file_uploader[0].set_value(None).run()  # which the browser sends first
    assert sent_to(app, "reading")["label"] is not None
    assert app.file_uploader[0].key == uploader
    upload(app, a_seven(), "again.png")
    assert sent_to(app, "reading")["title"] == "again.png"


def test_a_file_may_be_called_what_it_likes() -> None:
    app = upload(open_app(), a_seven(), "*[7](x)* $7$.png")
    assert any(text.value.startswith(r"\*\[7\](x)\* \$7\$.png: reads 7") for text in app.markdown)
    assert sent_to(app, "reading")["title"] == "*[7](x)* $7$.png"
    upload(app, b"no picture", f"{'x' * 200}_.png")
    said = app.warning[0].value
    assert said.endswith(
        r"xxx\_.png is not a picture that can be read here. Save it as PNG or JPEG."
    )
    assert len(said) < 120


def test_a_picture_that_cannot_be_read_changes_nothing_and_says_why() -> None:
    app = open_app()
    before = sent_to(app, "reading")
    upload(app, b"no picture", "note.png")
    assert not app.exception
    assert "note.png is not a picture" in app.warning[0].value
    assert sent_to(app, "reading") == before
    assert not any(button.label == "Remove the picture" for button in app.button)


def test_a_pasted_picture_arrives_as_it_was_sent() -> None:
    data = a_seven()
    sent = {"name": "seven.png", "data": base64.b64encode(data).decode()}
    assert paste.received(sent) == (data, "seven.png")


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "text",
        {},
        {"name": 7, "data": 7},
        {"name": "x" * 10_000, "data": "no base64!"},
        {"name": "", "data": "A" * (2 * paste.MAX_BYTES)},
    ],
)
def test_a_pasted_message_that_makes_no_sense_is_an_empty_file(sent: object) -> None:
    data, name = paste.received(sent)
    assert data == b""
    assert 0 < len(name) <= 80
