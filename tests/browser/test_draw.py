"""The Draw page around the pad: what it opens with, uploads, links that are damaged."""

import base64
import io
import re

import pytest
import torch
from PIL import Image, ImageDraw
from playwright.sync_api import expect

import capsnet
from app import samples
from capsnet.analysis.doubt import longest_and_margin
from capsnet.evaluate import lengths_of
from tests.browser.conftest import MAIN
from tests.browser.hand import digit, draw, verdict


def test_it_opens_on_a_digit_already_recognised(visit):
    page = visit()
    expect(page.get_by_test_id("verdict-words")).to_have_text(re.compile(r"Reads \d, length 0\.\d"))
    expect(verdict(page)).to_have_text(re.compile(r"^\d$"))


def test_an_upload_is_read_and_a_broken_one_explained(visit, tmp_path):
    page = visit()
    expect(verdict(page)).to_be_visible()
    draw(page, digit(7))
    expect(verdict(page)).to_have_text("7")
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"not a picture")
    page.locator("input[type=file]").set_input_files(broken)
    expect(page.get_by_text("is not a picture that can be read")).to_be_visible()
    expect(verdict(page)).to_have_text("7")  # nothing is lost


def test_a_second_picture_takes_the_place_of_the_first(visit, tmp_path):
    page = visit()
    expect(verdict(page)).to_be_visible()
    pad = page.get_by_test_id("pad-canvas")
    width = pad.bounding_box()["width"]
    for name in ("seven.png", f"{'x' * 120}_again.png"):
        path = tmp_path / name
        path.write_bytes(a_seven())
        page.locator("input[type=file]").set_input_files(path)
        expect(page.get_by_text(f"{name[-9:]}: reads 7")).to_be_visible()
    assert pad.bounding_box()["width"] == width  # however long the name


def a_seven(kind="PNG", size=(300, 400), mode="RGB"):
    """A picture file of a seven."""
    picture = Image.new("RGB", (300, 400), "white")
    ImageDraw.Draw(picture).line([(90, 80), (220, 80), (140, 330)], fill="black", width=24)
    buffer = io.BytesIO()
    picture.resize(size).convert(mode).save(buffer, kind)
    return buffer.getvalue()


def hand_over(page, event, data, name="image.png", kind="image/png"):
    """Paste or drop a file, as the browser does it."""
    script = """([event, text, name, type]) => {
        const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
        const moved = new DataTransfer();
        moved.items.add(new File([bytes], name, { type }));
        const told = { bubbles: true, cancelable: true, composed: true };
        const made = event === "paste"
            ? new ClipboardEvent(event, { ...told, clipboardData: moved })
            : new DragEvent(event, { ...told, dataTransfer: moved });
        document.querySelector("h1").dispatchEvent(made);
        return made.defaultPrevented;
    }"""
    assert page.evaluate(script, [event, base64.b64encode(data).decode(), name, kind])


def test_a_pasted_picture_is_read_and_removing_it_returns_to_the_drawing(visit):
    page = visit()
    expect(page.get_by_test_id("paste")).to_be_visible()
    draw(page, digit(0))
    expect(verdict(page)).to_have_text("0")
    hand_over(page, "paste", a_seven())
    expect(page.get_by_test_id("pictures").get_by_text("As uploaded")).to_be_visible()
    expect(verdict(page)).to_have_text("7")
    hand_over(page, "paste", b"no picture")
    expect(page.get_by_text("is not a picture that can be read").first).to_be_visible()
    expect(verdict(page)).to_have_text("7")
    page.get_by_role("button", name="Remove the picture").click()
    expect(verdict(page)).to_have_text("0")


def test_a_picture_dropped_anywhere_is_made_small_and_read(visit):
    page = visit()
    expect(page.get_by_test_id("paste")).to_be_visible()
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.reload()
    expect(page.get_by_test_id("paste")).to_be_visible()
    scan = a_seven("BMP", (3000, 4000), "1")
    assert len(scan) > 1_500_000
    hand_over(page, "dragover", b"", "seven.bmp", "image/bmp")
    expect(page.get_by_text("Drop the picture", exact=True)).to_be_visible()
    hand_over(page, "drop", scan, "seven.bmp", "image/bmp")
    expect(page.get_by_text("Drop the picture", exact=True)).to_be_hidden()
    expect(page.get_by_text("seven.bmp: reads 7")).to_be_visible()
    assert max(map(len, sent)) < 500_000


def the_closest_call():
    """The sample on the shelf whose two longest capsules are most nearly as long."""
    shelf = samples.load()
    model = capsnet.load_checkpoint(MAIN.parents[1] / "checkpoints" / "digits.safetensors")
    _, margin = longest_and_margin(lengths_of(model, torch.from_numpy(shelf.images)).numpy())
    return shelf.indices[margin.argmin()]


def test_in_doubt_both_candidates_stand_side_by_side(visit):
    page = visit(f"/?sample={the_closest_call()}", width=390, height=844)
    expect(page.get_by_test_id("verdict-words")).to_have_text(re.compile("^Not sure: "))
    figures = [page.get_by_test_id(name) for name in ("reconstruction", "second-reconstruction")]
    left, right = (figure.bounding_box() for figure in figures)
    assert left["y"] == pytest.approx(right["y"], abs=1)
    assert left["x"] + left["width"] < right["x"]
    for name in ("reconstruction-error", "second-error"):
        words = re.compile(r"Length 0\.\d\d\. Squared error \d+\.\d")
        expect(page.get_by_test_id(name)).to_have_text(words)
    page.get_by_test_id("shelf").get_by_role("button").first.click()
    expect(page.get_by_test_id("verdict-words")).to_have_text(re.compile("^Reads 0"))
    expect(figures[1]).to_be_hidden()


def test_samples_are_large_enough_to_touch_and_scroll_by_themselves(visit):
    page = visit(width=390, height=844, touch=True)
    buttons = page.get_by_test_id("shelf").get_by_role("button")
    expect(buttons).to_have_count(42)
    box = buttons.first.bounding_box()
    assert min(box["width"], box["height"]) >= 44
    buttons.nth(9).tap()  # the nine at the end of the row
    expect(verdict(page)).to_have_text("9")


def test_a_chosen_network_is_in_the_link_and_kept_on_the_other_pages(visit, choosing):
    page = visit(at=choosing)
    expect(verdict(page)).to_be_visible()
    choice = page.get_by_label("Network", exact=True)
    choice.click()
    page.get_by_role("option", name=re.compile("MNIST alone, as in the paper")).click()
    expect(page).to_have_url(re.compile("network=mnist"))
    page.get_by_role("link", name="Route", exact=True).first.click()
    expect(page.get_by_test_id("header-verdict")).to_be_visible()
    expect(choice).to_have_value(re.compile("MNIST alone, as in the paper"))
    expect(page).to_have_url(re.compile("network=mnist"))
    page.go_back()
    page.wait_for_timeout(1500)
    expect(choice).to_have_value(re.compile("MNIST alone, as in the paper"))
    expect(page).to_have_url(re.compile("network=mnist"))


@pytest.mark.parametrize("query", ["strokes=nonsense", "sample=99999999", "sample=-1"])
def test_a_corrupt_link_is_explained(visit, query):
    page = visit(f"/?{query}")
    expect(page.get_by_text("Here is a sample instead.")).to_be_visible()
    expect(verdict(page)).to_have_text(re.compile(r"\d"))


# What reaches beyond the window in the components, other than in a box that scrolls.
BEYOND = """
() => [...document.querySelectorAll("*")].flatMap((host) => {
  const scrolls = (box) =>
    box && (getComputedStyle(box).overflowX !== "visible" || scrolls(box.parentElement));
  return [...host.shadowRoot?.querySelectorAll("*") ?? []]
    .filter((part) => part.getBoundingClientRect().right > innerWidth + 1)
    .filter((part) => !scrolls(part.parentElement))
    .map((part) => part.outerHTML.slice(0, 80));
})
"""


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("path", ["/", "/route", "/rebuild"])
def test_nothing_runs_off_a_narrow_page(visit, path, dark):
    page = visit(path, width=390, height=844, dark=dark)
    mark = "verdict-words" if path == "/" else "header-verdict"
    expect(page.get_by_test_id(mark)).to_be_visible()
    page.wait_for_timeout(1000)
    wide = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
    assert wide <= 0
    assert page.evaluate(BEYOND) == []
