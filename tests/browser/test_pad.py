"""The pad with mouse, touch, pen and keys, and the links that a drawing makes."""

import itertools
import re

import pytest
from playwright.sync_api import expect

from tests.browser.hand import digit, draw, linked, move, open_drawn, place, verdict


def status(page):
    return page.get_by_test_id("pad-status")


def touches(page):
    """Return a function that sends touches: ("touchStart", (x, y), …) in shares of the pad."""
    wire = page.context.new_cdp_session(page)

    def send(kind, *points, radius=5):
        spots = [
            {"x": x, "y": y, "id": k, "radiusX": radius, "radiusY": radius}
            for k, (x, y) in enumerate(place(page, *point) for point in points)
        ]
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    return send


def hamper(page, script):
    """Run a script before each message that the page sends; it may return milliseconds to wait."""
    page.evaluate(
        """(script) => {
          const send = WebSocket.prototype.send;
          WebSocket.prototype.send = function (data) {
            const wait = Function(script)();
            if (wait >= 0) setTimeout(() => send.call(this, data), wait);
          };
        }""",
        script,
    )


@pytest.mark.parametrize("label", [0, 3, 7])
def test_a_digit_drawn_with_the_mouse_is_recognised(visit, label):
    page = open_drawn(visit, label)
    assert float(page.get_by_test_id(f"length-{label}").get_attribute("data-value")) > 0.5
    expect(page.get_by_test_id("reconstruction-error")).to_contain_text("Squared error")


def test_the_verdict_follows_the_pen_before_it_is_lifted(visit):
    page = open_drawn(visit)
    stroke = digit(0)[0]
    points = [(0.15 + 0.7 * x, 0.15 + 0.7 * y) for x, y in stroke]
    move(page, points[:1], steps=1)
    page.mouse.down()
    move(page, points[1:], steps=6)
    expect(verdict(page)).to_have_text("0")
    assert "strokes=" not in page.url  # which is written when the pen is lifted
    page.mouse.up()
    linked(page, 1)


def test_a_slow_server_gets_no_queue_and_the_last_state(visit):
    page = open_drawn(visit)
    hamper(page, "window.sent = (window.sent ?? 0) + 1; return 1500;")
    draw(page, digit(3))
    expect(verdict(page)).to_have_text("3")
    assert page.evaluate("window.sent") <= 8  # a second or two of moves at ten a second and more


def test_a_lost_message_is_sent_again(visit):
    page = open_drawn(visit)
    hamper(page, "return window.deaf ? -1 : 0;")
    page.evaluate("window.deaf = true")
    draw(page, digit(7))
    page.wait_for_timeout(300)
    page.evaluate("window.deaf = false")
    expect(verdict(page)).to_have_text("7")
    linked(page, len(digit(7)))


def test_a_trembling_press_is_a_dot(visit):
    page = open_drawn(visit)
    x, y = place(page, 0.5, 0.5)
    page.mouse.move(x, y)
    page.mouse.down()
    for dx, dy in [(2, 1), (-3, 2), (4, -4), (1, 5)]:
        page.mouse.move(x + dx, y + dy)
    page.mouse.up()
    ((dot,),) = linked(page, 1)
    assert dot == pytest.approx([511, 511], abs=3)


def test_a_stroke_that_leaves_the_pad_comes_back_as_one_without_smearing_the_edge(visit):
    page = open_drawn(visit)
    move(page, [(0.5, 0.2)], steps=1)
    page.mouse.down()
    move(page, [(0.8, 0.2), (1.4, 0.25), (1.4, 0.75), (0.8, 0.8), (0.5, 0.8)], steps=8)
    page.mouse.up()
    out, back = linked(page, 2)
    assert [point[0] for point in out + back].count(1023) <= 2
    page.get_by_test_id("pad-undo").click()
    expect(page.get_by_test_id("verdict-words")).to_have_text("Nothing drawn yet")


def test_undo_redo_and_clear_by_button_and_by_key_lose_nothing(visit):
    page = open_drawn(visit, 7)
    words, count = page.get_by_test_id("verdict-words"), len(digit(7))
    page.get_by_test_id("pad-clear").click()
    expect(words).to_have_text("Nothing drawn yet")
    page.keyboard.press("Control+z")  # the button has the focus
    expect(verdict(page)).to_have_text("7")
    for _ in range(count):
        page.get_by_test_id("pad-undo").click()
    expect(words).to_have_text("Nothing drawn yet")
    page.get_by_test_id("pad-canvas").focus()
    for keys in itertools.islice(itertools.cycle(["Control+y", "Meta+Shift+z"]), count):
        page.keyboard.press(keys)
    expect(verdict(page)).to_have_text("7")


def test_a_sample_over_a_drawing_is_taken_off_again_even_after_a_reload(visit):
    page = open_drawn(visit, 7)
    page.get_by_test_id("shelf").get_by_role("button").first.click()
    expect(page.get_by_test_id("verdict-note")).to_contain_text("MNIST test image")
    expect(page).to_have_url(re.compile("sample="))
    page.reload()
    expect(page.get_by_test_id("verdict-note")).to_contain_text("MNIST test image")
    page.get_by_test_id("pad-back").click()
    expect(verdict(page)).to_have_text("7")
    expect(page.get_by_test_id("verdict-note")).not_to_contain_text("MNIST")


def test_the_link_reproduces_the_drawing_for_somebody_else(visit):
    page = open_drawn(visit, 3)
    linked(page, len(digit(3)))
    other = visit("/?" + page.url.split("?", 1)[1])
    expect(verdict(other)).to_have_text("3")
    words = other.get_by_test_id("verdict-words").text_content()
    expect(page.get_by_test_id("verdict-words")).to_have_text(words)


def test_back_and_forward_go_through_the_drawings(visit):
    page = open_drawn(visit, 7, 0)
    steps = 1 + len(digit(0))  # the pad was cleared, then drawn on
    linked(page, len(digit(0)))
    for _ in range(steps):
        page.go_back()
    expect(verdict(page)).to_have_text("7")
    for _ in range(steps):
        page.go_forward()
    expect(verdict(page)).to_have_text("0")
    page.get_by_test_id("pad-undo").click()
    expect(page.get_by_test_id("pad-redo")).to_be_enabled()


def test_a_drawing_survives_the_other_views(visit):
    page = open_drawn(visit, 0)
    page.get_by_role("link", name="Rebuild").first.click()
    expect(page.get_by_test_id("header-verdict")).to_contain_text("Reads 0")
    page.get_by_role("link", name="Draw", exact=True).first.click()
    expect(verdict(page)).to_have_text("0")
    expect(page.get_by_test_id("pad-undo")).to_be_enabled()


def test_a_stroke_that_python_had_no_time_for_is_there_on_coming_back(visit):
    page = open_drawn(visit)
    draw(page, digit(0))
    page.get_by_role("link", name="Rebuild").first.click()
    expect(page.get_by_test_id("header-verdict")).to_be_visible()
    page.get_by_role("link", name="Draw", exact=True).first.click()
    expect(verdict(page)).to_have_text("0")
    linked(page, len(digit(0)))


def test_a_stroke_goes_on_while_the_window_and_the_theme_change(visit):
    page = open_drawn(visit)
    move(page, [(0.5, 0.15)], steps=1)
    page.mouse.down()
    move(page, [(0.5, 0.4)])
    page.set_viewport_size({"width": 1000, "height": 860})
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(1000)
    move(page, [(0.5, 0.4)], steps=1)  # the pad has moved under the pointer
    move(page, [(0.5, 0.85)])
    page.mouse.up()
    (stroke,) = linked(page, 1)
    assert {round(x / 20) for x, _ in stroke} <= {25, 26}  # upright, in the middle of both sizes
    expect(verdict(page)).to_have_text("1")


def test_one_draws_by_keyboard_and_hears_where_one_is(visit):
    page = open_drawn(visit)
    page.get_by_test_id("pad-canvas").focus()
    for _ in range(11):
        page.keyboard.press("ArrowUp")
    expect(status(page)).to_have_text("top")
    page.keyboard.press("Space")
    expect(status(page)).to_have_text("Pen down at the top")
    for _ in range(22):
        page.keyboard.press("ArrowDown")
    expect(status(page)).to_have_text("Drawing, bottom")
    page.keyboard.press("Space")
    expect(status(page)).to_have_text("Pen up. Stroke 1 drawn")
    expect(verdict(page)).to_have_text("1")


def test_one_finger_draws_the_page_stays_and_hands_are_ignored(visit):
    page = open_drawn(visit, width=390, height=844, touch=True)
    canvas = page.get_by_test_id("pad-canvas")
    canvas.scroll_into_view_if_needed()
    top, touch = canvas.bounding_box()["y"], touches(page)
    touch("touchStart", (0.8, 0.8), radius=70)  # a palm
    touch("touchMove", (0.2, 0.8), radius=70)
    touch("touchEnd")
    touch("touchStart", (0.5, 0.15))
    touch("touchStart", (0.5, 0.15), (0.2, 0.6))  # a second finger
    for k in range(1, 11):
        touch("touchMove", (0.5, 0.15 + 0.07 * k), (0.2 + 0.05 * k, 0.6))
    touch("touchCancel")
    (stroke,) = linked(page, 1)
    assert {round(x / 20) for x, _ in stroke} <= {25, 26}
    expect(verdict(page)).to_have_text("1")
    assert canvas.bounding_box()["y"] == pytest.approx(top, abs=1)


def test_a_pens_pressure_widens_the_line_and_the_hand_that_holds_it_draws_nothing(visit):
    page = open_drawn(visit, touch=True)
    wire, touch = page.context.new_cdp_session(page), touches(page)

    def pen(kind, x, y, force):
        left, top = place(page, x, y)
        event = {"type": kind, "x": left, "y": top, "button": "left", "buttons": 1}
        wire.send(
            "Input.dispatchMouseEvent",
            event | {"pointerType": "pen", "force": force, "clickCount": 1},
        )

    pen("mousePressed", 0.5, 0.1, 0.1)
    for k in range(1, 17):
        pen("mouseMoved", 0.5, 0.1 + 0.05 * k, k / 16)
        if k == 8:
            touch("touchStart", (0.2, 0.8), radius=20)
            touch("touchMove", (0.2, 0.3), radius=20)
            touch("touchEnd")
    pen("mouseReleased", 0.5, 0.9, 1)
    (stroke,) = linked(page, 1)
    assert {round(x / 20) for x, _ in stroke} <= {25, 26}
    thin, thick = page.get_by_test_id("pad-canvas").evaluate(
        """canvas => [0.2, 0.8].map((part) => {
          const pen = canvas.getContext("2d");
          const row = pen.getImageData(0, Math.round(part * canvas.height), canvas.width, 1).data;
          return row.filter((value, k) => k % 4 === 3 && value > 200).length;
        })"""
    )
    assert thick > 1.25 * thin > 0


def test_on_a_phone_the_verdict_stands_over_the_pad_while_one_draws(visit):
    page = open_drawn(visit, 7, width=390, height=844, touch=True)
    reads, canvas = page.get_by_test_id("pad-reads"), page.get_by_test_id("pad-canvas")
    expect(reads).to_have_text(re.compile("Reads 7|Not sure: 7"))
    top = canvas.bounding_box()["y"]
    assert reads.bounding_box()["y"] < top
    longest = "Not sure: no capsule is long enough, 7 is the longest with 0.38"
    for words in ("", longest):
        reads.evaluate("(line, words) => (line.textContent = words)", words)
        assert canvas.bounding_box()["y"] == top  # it does not move under the pen
    wide = visit()
    expect(verdict(wide)).to_be_visible()
    expect(wide.get_by_test_id("pad-reads")).to_be_hidden()


def test_the_lengths_stay_in_place_whether_one_candidate_is_drawn_or_two(visit):
    page = open_drawn(visit, 7)
    lengths, second = page.get_by_test_id("lengths"), page.get_by_test_id("second-candidate")
    places = set()
    for hidden in ("true", "false"):
        second.evaluate(f"figure => figure.hidden = {hidden}")
        places.add(lengths.bounding_box()["y"])
    assert len(places) == 1
