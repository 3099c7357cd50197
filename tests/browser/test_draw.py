"""The pad with mouse, touch and keys, and what follows from a drawing."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

STROKES = json.loads((Path(__file__).parents[1] / "data" / "pen_strokes.json").read_text())


def digit(label):
    """The first pen digit of that label, its strokes scaled into the unit square."""
    strokes = next(one["strokes"] for one in STROKES if one["label"] == label)
    points = [point for stroke in strokes for point in stroke]
    left, top = (min(p[k] for p in points) for k in (0, 1))
    size = max(max(p[k] for p in points) - low for k, low in ((0, left), (1, top)))
    return [[((x - left) / size, (y - top) / size) for x, y in stroke] for stroke in strokes]


def draw(page, strokes, scale=0.7, corner=0.15):
    box = page.get_by_test_id("pad-canvas").bounding_box()

    def place(point):
        return (
            box["x"] + box["width"] * (corner + scale * point[0]),
            box["y"] + box["height"] * (corner + scale * point[1]),
        )

    for stroke in strokes:
        page.mouse.move(*place(stroke[0]))
        page.mouse.down()
        for point in stroke[1:]:
            page.mouse.move(*place(point), steps=3)
        page.mouse.up()


def verdict(page):
    return page.get_by_test_id("verdict-digit")


def test_it_opens_on_a_digit_already_recognised(visit):
    page = visit()
    expect(page.get_by_test_id("verdict-words")).to_have_text(re.compile(r"Reads \d, length 0\.\d"))
    expect(verdict(page)).to_have_text(re.compile(r"^\d$"))


@pytest.mark.parametrize("label", [0, 3, 7])
def test_a_digit_drawn_with_the_mouse_is_recognised(visit, label):
    page = visit()
    expect(verdict(page)).to_be_visible()
    draw(page, digit(label))
    expect(page.get_by_test_id("verdict-note")).not_to_contain_text("MNIST")
    expect(verdict(page)).to_have_text(str(label))
    length = page.get_by_test_id(f"length-{label}")
    assert float(length.get_attribute("data-value")) > 0.5
    expect(page.get_by_test_id("reconstruction-error")).to_contain_text("Squared error")


def test_undo_clear_and_a_sample_lose_nothing(visit):
    page = visit()
    strokes = digit(7)
    expect(verdict(page)).to_be_visible()
    draw(page, strokes)
    expect(verdict(page)).to_have_text("7")
    page.get_by_test_id("pad-clear").click()
    expect(page.get_by_test_id("verdict-words")).to_have_text("Nothing drawn yet")
    page.get_by_test_id("pad-undo").click()
    expect(verdict(page)).to_have_text("7")
    page.get_by_test_id("shelf").get_by_role("button").first.click()
    expect(page.get_by_test_id("verdict-note")).to_contain_text("MNIST test image")
    page.get_by_test_id("pad-back").click()
    expect(verdict(page)).to_have_text("7")
    expect(page.get_by_test_id("verdict-note")).not_to_contain_text("MNIST")


def test_the_link_reproduces_the_drawing_for_somebody_else(visit):
    page = visit()
    expect(verdict(page)).to_be_visible()
    draw(page, digit(3))
    expect(page).to_have_url(re.compile("strokes="))
    expect(verdict(page)).to_have_text("3")
    words = page.get_by_test_id("verdict-words").text_content()
    other = visit("/?" + page.url.split("?", 1)[1])
    expect(other.get_by_test_id("verdict-words")).to_have_text(words)


def test_a_drawing_survives_the_other_views(visit):
    page = visit()
    expect(verdict(page)).to_be_visible()
    draw(page, digit(0))
    expect(verdict(page)).to_have_text("0")
    page.get_by_role("link", name="Rebuild").first.click()
    expect(page.get_by_test_id("header-verdict")).to_contain_text("Reads 0")
    page.get_by_role("link", name="Draw", exact=True).first.click()
    expect(verdict(page)).to_have_text("0")
    expect(page.get_by_test_id("pad-undo")).to_be_enabled()


def test_one_draws_by_keyboard(visit):
    page = visit()
    expect(verdict(page)).to_be_visible()
    page.get_by_test_id("pad-canvas").focus()
    for _ in range(9):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    for _ in range(18):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(verdict(page)).to_have_text("1")


def test_one_draws_by_touch_and_the_page_stays_where_it_is(visit):
    page = visit(width=390, height=844, touch=True)
    expect(verdict(page)).to_be_visible()
    canvas = page.get_by_test_id("pad-canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    x = box["x"] + box["width"] / 2
    ys = [box["y"] + box["height"] * (0.15 + 0.07 * k) for k in range(11)]
    wire = page.context.new_cdp_session(page)

    def touch(kind, points):
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", [{"x": x, "y": ys[0]}])
    for y in ys[1:]:
        touch("touchMove", [{"x": x, "y": y}])
    touch("touchEnd", [])
    expect(verdict(page)).to_have_text("1")
    assert canvas.bounding_box()["y"] == pytest.approx(box["y"], abs=1)


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


@pytest.mark.parametrize("query", ["strokes=nonsense", "sample=99999999", "sample=-1"])
def test_a_corrupt_link_is_explained(visit, query):
    page = visit(f"/?{query}")
    expect(page.get_by_text("Here is a sample instead.")).to_be_visible()
    expect(verdict(page)).to_have_text(re.compile(r"\d"))


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("path", ["/", "/route", "/rebuild"])
def test_nothing_runs_off_a_narrow_page(visit, path, dark):
    page = visit(path, width=390, height=844, dark=dark)
    mark = "verdict-words" if path == "/" else "header-verdict"
    expect(page.get_by_test_id(mark)).to_be_visible()
    page.wait_for_timeout(1000)
    wide = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
    assert wide <= 0
