"""The Rebuild page closes the loop: the rebuilt picture, compared, read again, and held again."""

import csv
import io
import json
import math
import re
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from PIL import Image
from playwright.sync_api import expect

from app import samples
from tests.browser.library import network

SAMPLE = 162  # a 5
MOVED = {2: 0.2, 7: -0.15}  # by dimension, from 0
POSE = "3:200,8:-150"
SVG = "{http://www.w3.org/2000/svg}"
COUNT_MESSAGES = """
() => {
  const send = WebSocket.prototype.send;
  window.messages = window.received = 0;
  WebSocket.prototype.send = function (...data) {
    if (!messages++) {
      this.addEventListener("message", ({ data }) => (received += data.byteLength ?? data.size));
    }
    return send.apply(this, data);
  };
}
"""
ANSWER = 25_000  # bytes that may come back when the hand rests


def opened(visit, query=f"?sample={SAMPLE}", **options):
    """The page at rest: all has come, and the network has read the rebuilt picture."""
    page = visit(f"/rebuild{query}", **options)
    page.wait_for_function("globalThis.capsnetNetworks?.size && capsnetLibraries.svgcanvas")
    settled(page)
    return page


def settled(page):
    """Wait until the network has read the picture that is shown."""
    expect(page.get_by_test_id("again")).to_contain_text(re.compile("Reads|Not sure"))
    page.get_by_test_id("sculptor").evaluate(
        """async (root) => {
          const rest = () => new Promise((done) => setTimeout(done, 20));
          while (root.sculptor.waiting) await rest();
        }"""
    )


def looped(moved, digit=None):
    """What the library says of the sample's capsule, moved so, drawn and read again."""
    shelf, model = samples.load(), network()
    image = shelf.images[shelf.place(SAMPLE)].astype(np.float32) / 255
    with torch.inference_mode():
        out = model(torch.from_numpy(image)[None, None])
        digit = int(out.lengths.argmax()) if digit is None else digit
        poses = out.poses.clone()
        for k, offset in moved.items():
            poses[0, digit, k] += offset
        picture = model.decode(poses, digit)
        back = model(picture)
    held, came = (p[0, digit].double().numpy() for p in (poses, back.poses))
    between = math.sqrt(sum((a - b) ** 2 for a, b in zip(held, came, strict=True)))
    product = sum(a * b for a, b in zip(held, came, strict=True))
    size = math.sqrt(sum(a * a for a in held)) * math.sqrt(sum(b * b for b in came))
    return SimpleNamespace(
        digit=digit,
        held=held,
        came=came,
        length=math.sqrt(sum(a * a for a in held)),
        error=float(((picture[0, 0].double().numpy() - image.astype(np.float64)) ** 2).sum()),
        lengths=back.lengths[0].tolist(),
        distance=between,
        cosine=product / size,
    )


def near(text, value, digits):
    """Whether a number on the page is the library's, but for the last digit."""
    return abs(float(text.replace("−", "-")) - value) <= 0.6 * 10**-digits


@pytest.fixture
def page(visit):
    """The page of the sample, as the network has its pose."""
    return opened(visit)


def drag(page, name, shares):
    """Press a slider in its middle and lead it through shares of its width, without letting go."""
    slider = page.get_by_test_id(f"slider-{name}")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    for share in shares:
        page.mouse.move(box["x"] + box["width"] * share, y, steps=4)


def test_length_and_squared_error_stand_beside_those_of_the_networks_own_pose(visit):
    page = opened(visit, f"?sample={SAMPLE}&capsule=5&pose={POSE}")
    moved, own = looped(MOVED), looped({})
    assert moved.digit == 5
    for name, mine, usual, digits in (
        ("pose-length", moved.length, own.length, 2),
        ("squared-error", moved.error, own.error, 1),
    ):
        assert near(page.get_by_test_id(name).inner_text(), mine, digits)
        told = page.get_by_test_id(name.replace("pose", "own").replace("squared", "own"))
        assert near(told.inner_text().removeprefix("network’s "), usual, digits)


def test_the_rebuilt_picture_is_read_as_the_library_reads_it(visit):
    page = opened(visit, f"?sample={SAMPLE}&capsule=5&pose={POSE}")
    moved, own = looped(MOVED), looped({})
    read = int(np.argmax(moved.lengths))
    expect(page.get_by_test_id("again")).to_have_text(
        f"Reads {read}, length {moved.lengths[read]:.2f}"
    )
    bars = page.get_by_test_id("pairs").get_attribute("aria-label")
    told = [float(length) for _, length in re.findall(r"(\d) (\d\.\d\d)", bars)]
    np.testing.assert_allclose(told, moved.lengths, atol=0.0051)

    words = page.get_by_test_id("came-back").inner_text()
    numbers = re.findall(r"within (\d\.\d\d)[^(]*\(cosine (−?\d\.\d{3})\)", words)
    for (distance, cosine), expected in zip(numbers, (moved, own), strict=True):
        assert near(distance, expected.distance, 2)
        assert near(cosine, expected.cosine, 3)
    returned = page.get_by_test_id("sculptor").evaluate("root => [...root.sculptor.returned]")
    np.testing.assert_allclose(returned, moved.came, atol=2e-3)


def test_the_pose_that_came_back_can_be_held_and_left_again(page):
    expected = looped({})
    pose = "root => [...root.sculptor.held.pose]"
    section = page.get_by_test_id("sculptor")
    page.get_by_test_id("hold-returned").click()
    expect(page.get_by_test_id("rounds")).to_contain_text(f"{expected.distance:.3f} →")
    np.testing.assert_allclose(section.evaluate(pose), expected.came, atol=2e-3)
    expect(page).to_have_url(re.compile("pose="))

    page.get_by_test_id("undo").click()
    settled(page)
    np.testing.assert_allclose(section.evaluate(pose), expected.held, atol=1e-4)
    expect(page.get_by_test_id("rounds")).to_be_empty()
    expect(page).not_to_have_url(re.compile("pose="))


def test_nothing_is_sent_while_a_slider_is_dragged_and_one_small_message_when_it_is_let_go(page):
    page.evaluate(COUNT_MESSAGES)
    drag(page, 3, [0.6, 0.7, 0.8])
    assert page.evaluate("messages") == 0
    expect(page.get_by_test_id("loop")).to_have_class(re.compile("waiting"))
    page.mouse.up()
    settled(page)
    page.wait_for_timeout(500)
    assert page.evaluate("messages") == 1
    assert 0 < page.evaluate("received") < ANSWER
    expect(page.get_by_test_id("loop")).not_to_have_class(re.compile("waiting"))


def test_a_second_digit_in_the_original_is_said_to_be_gone_from_the_rebuilt_picture(visit):
    page = opened(visit, "?network=mnist&sample=449")
    lengths = page.get_by_test_id("sculptor").evaluate(
        "root => [root.sculptor.data.lengths[5], root.sculptor.data.again.lengths[5]]"
    )
    assert lengths[0] > 0.5 > 2 * lengths[1]
    expect(page.get_by_test_id("came-back")).to_contain_text(
        f"Capsule 5 falls from {lengths[0]:.2f} to {lengths[1]:.2f}: "
        "the decoder drew capsule 3 alone."
    )


def test_a_losing_capsule_comes_back_short_and_the_words_say_so(page):
    expected = looped({}, digit=8)
    page.get_by_test_id("capsule-8").click()
    came = page.get_by_test_id("came-back")
    expect(came).to_contain_text(f"Capsule 8 is only {expected.lengths[8]:.2f} long in it.")
    expect(came).to_contain_text(f"within {expected.distance:.2f} of the network’s own")
    expect(page.get_by_test_id("loop")).to_have_class(re.compile("other"))


def test_arrow_keys_tell_the_lengths_of_one_capsule_after_the_other(page):
    expected = looped({}).lengths
    page.get_by_test_id("pairs").focus()
    words = page.get_by_test_id("pair-words")
    for key, capsule in (("ArrowRight", 6), ("ArrowLeft", 5)):
        page.keyboard.press(key)
        expect(words).to_contain_text(f"Capsule {capsule}: ")
        assert near(re.findall(r"\d\.\d{3}", words.inner_text())[1], expected[capsule], 2)


def downloaded(page, kind):
    """The bytes that a button brings."""
    with page.expect_download() as coming:
        page.get_by_test_id("loop").locator(f'[data-save="{kind}"]').click()
    assert coming.value.suggested_filename.startswith(f"capsnet-rebuilt-MNIST-test-image-{SAMPLE}")
    return coming.value.path().read_bytes()


def test_pictures_and_numbers_can_be_taken_away(page):
    expected = looped({})
    told = json.loads(downloaded(page, "json"))
    np.testing.assert_allclose(told["pose"], expected.held, atol=1e-4)
    assert told["squared_error"] == pytest.approx(expected.error, abs=0.05)
    assert told["read_again"]["distance"] == pytest.approx(expected.distance, abs=2e-3)

    rows = list(csv.DictReader(io.StringIO(downloaded(page, "csv").decode())))
    columns = {
        kind: np.array([float(row["rebuilt"]) for row in rows if row["quantity"] == kind])
        for kind in ("pose", "pose_that_came_back", "length", "pixel")
    }
    np.testing.assert_allclose(columns["pose_that_came_back"], expected.came, atol=2e-3)
    np.testing.assert_allclose(columns["length"], expected.lengths, atol=2e-3)
    np.testing.assert_allclose(columns["pixel"], told["rebuilt"], atol=1e-6)

    picture = Image.open(io.BytesIO(downloaded(page, "picture"))).convert("L").resize((28, 28))
    ink = 1 - np.asarray(picture, dtype=float) / 255
    assert np.corrcoef(ink.ravel(), told["rebuilt"])[0, 1] > 0.999

    poster = Image.open(io.BytesIO(downloaded(page, "png")))
    root = ElementTree.fromstring(downloaded(page, "svg"))
    assert poster.size == (2 * int(root.get("width")), 2 * int(root.get("height")))
    words = " ".join(text.text or "" for text in root.iter(f"{SVG}text"))
    for part in ("Original", "Rebuilt", "Rebuilt − original", "Reads", "squared error", "−1"):
        assert part.lower() in words.lower()
    assert len(list(root.iter(f"{SVG}image"))) == 3


def test_on_a_phone_the_pictures_stay_small_and_in_sight_above_the_sliders(visit):
    page = opened(visit, width=390, height=844, touch=True)
    page.get_by_test_id("slider-9").scroll_into_view_if_needed()
    names = ("stage", "slider-16", "loop")
    stage, last, loop = (page.get_by_test_id(name).bounding_box() for name in names)
    assert stage["height"] <= 190
    assert 0 <= stage["y"] < 100
    assert loop["y"] > last["y"] > stage["y"] + stage["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
