"""The sliders of the Rebuild page: real digits, axes, length, typed numbers, undoing."""

import itertools
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from capsnet.analysis.population import standing
from tests.browser.rebuild import arrived, ask, held, surveyed, type_number


@pytest.fixture(scope="module")
def bench(stay):
    """One Rebuild page for all tests of this module."""
    page = stay("/rebuild?network=mnist")
    arrived(page)
    return page


@pytest.fixture
def page(bench):
    """The page with nothing moved, as it opens."""
    ask(
        bench,
        """s => {
          s.held.edits.clear();
          s.held.digit = s.data.winner;
          s.show({ reach: "paper", basis: "dimensions", order: "number" });
        }""",
    )
    return bench


@pytest.fixture(scope="module")
def population(bench):
    """What the library knows of the poses of real digits."""
    return surveyed(bench, "poses")


def test_each_row_says_how_many_real_digits_have_less(page, population):
    pose, digit = held(page)
    type_number(page, 3, "-0.25")
    pose[2] = -0.25
    there = standing(population, digit, pose)
    for k, percent in enumerate(there.percentiles, 1):
        said = re.search(r"([\d.]+) %", page.get_by_test_id(f"share-{k}").text_content())
        assert float(said[1]) == pytest.approx(percent, abs=0.51)
    shorter = page.get_by_test_id("share-length").text_content()
    assert float(re.search(r"([\d.]+) %", shorter)[1]) == pytest.approx(
        there.length_percentile, abs=0.51
    )
    expect(page.get_by_test_id("real-digits")).to_contain_text(f"the {population.count[digit]} of")


def test_a_number_that_no_real_digit_has_is_called_off(page):
    type_number(page, 2, "0.9")
    expect(page.get_by_test_id("share-2")).to_have_text(re.compile("off: more than any real"))
    expect(page.get_by_test_id("pose-words")).to_contain_text("Dimension 2 ")
    page.get_by_test_id("reset-2").click()
    expect(page.get_by_test_id("share-2")).not_to_contain_text("off")


def test_numbers_can_be_usual_but_not_together(page, population):
    _, digit = held(page)
    # Against the way in which they go together: far out on the narrowest axis.
    pose = population.pose_at(digit, 12 * np.eye(16)[15])
    there = standing(population, digit, pose)
    assert there.far and not there.off.any()
    ask(page, "(s, pose) => s.put(pose)", pose.tolist())
    expect(page.get_by_test_id("pose-words")).to_contain_text("but not together")


def test_nothing_goes_to_python_while_a_slider_is_dragged(page):
    slider = page.get_by_test_id("slider-5")
    slider.scroll_into_view_if_needed()
    page.wait_for_timeout(1500)  # what came before has been sent
    errors, during, after = slider.evaluate(
        """async (slider) => {
          const { sculptor } = slider.getRootNode().querySelector(".sculptor");
          const send = WebSocket.prototype.send;
          let sent = 0;
          WebSocket.prototype.send = function (data) {
            sent += 1;
            send.call(this, data);
          };
          const errors = [];
          const start = slider.valueAsNumber;
          for (let step = 1; step <= 40; step++) {
            slider.value = start + 0.005 * step;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            await new Promise((come) => requestAnimationFrame(come));
            errors.push(sculptor.error);
          }
          const during = sent;
          await new Promise((come) => setTimeout(come, 1500));
          WebSocket.prototype.send = send;
          return [errors, during, sent];
        }"""
    )
    assert len(set(errors)) > 30
    assert during == 0
    assert after


def test_a_number_that_cannot_be_is_refused_and_the_old_one_stays(page):
    before, _ = held(page)
    told = f"{before[2]:.3f}".replace("-", "−")
    for text, reason in (("1.4", "outside −1 … 1"), ("", "no number")):
        type_number(page, 3, text)
        expect(page.get_by_test_id("refused-3")).to_contain_text(reason)
        expect(page.get_by_test_id("refused-3")).to_contain_text(f"stays at {told}.")
        expect(page.get_by_test_id("value-3")).to_have_value(f"{before[2]:.3f}")
        np.testing.assert_array_equal(held(page)[0], before)
    type_number(page, "length", "-0.5")
    expect(page.get_by_test_id("refused-length")).to_contain_text("never negative")
    page.get_by_test_id("basis-axes").click()
    type_number(page, 1, "40")
    expect(page.get_by_test_id("refused-1")).to_contain_text("none can lie outside −1 … 1")
    np.testing.assert_array_equal(held(page)[0], before)
    type_number(page, 1, "0.5")
    expect(page.get_by_test_id("refused-1")).to_be_hidden()


def test_a_number_beyond_the_sliders_end_is_taken_whole_and_marked(page):
    type_number(page, 4, "0.95")
    assert held(page)[0][3] == pytest.approx(0.95, abs=1e-6)
    expect(page.get_by_test_id("beyond-4")).to_have_text("›")
    for name in ("range-population", "range-wide", "basis-axes", "basis-dimensions", "range-paper"):
        page.get_by_test_id(name).click()
        assert held(page)[0][3] == pytest.approx(0.95, abs=1e-6)
    page.get_by_test_id("range-wide").click()
    expect(page.get_by_test_id("beyond-4")).to_be_empty()


def test_a_zero_has_no_sign(page):
    type_number(page, 6, "-0.0001")
    expect(page.get_by_test_id("value-6")).to_have_value("0.000")
    assert "-" not in page.get_by_test_id("slider-6").get_attribute("aria-valuetext").split(",")[0]


def test_the_length_slider_keeps_the_direction_even_through_zero(page):
    before, _ = held(page)
    for length in ("0.3", "0", "1.1", "0.001", "0.7"):
        type_number(page, "length", length)
        now, _ = held(page)
        wanted = before / np.linalg.norm(before) * float(length)
        np.testing.assert_allclose(now, wanted, atol=2e-6)
    type_number(page, "length", "1.1")
    expect(page.get_by_test_id("share-length")).to_contain_text("off: no squash gets to 1")
    expect(page.get_by_test_id("length-warning")).to_contain_text("below 1")
    page.get_by_test_id("reset-length").click()
    np.testing.assert_allclose(held(page)[0], before, atol=2e-6)


def test_an_axis_moves_all_dimensions_exactly_along_it(page, population):
    before, digit = held(page)
    page.get_by_test_id("basis-axes").click()
    expect(page.get_by_test_id("basis-axes")).to_have_attribute("aria-pressed", "true")
    for axis, steps in ((0, 1), (15, 2)):
        start = population.scores(digit, held(page)[0])
        page.get_by_test_id(f"more-{axis + 1}").click(click_count=steps)
        scores = population.scores(digit, held(page)[0])
        np.testing.assert_allclose(scores - start, 0.5 * steps * np.eye(16)[axis], atol=5e-3)
    label = page.get_by_test_id("dimension-1").locator("label")
    share = float(re.search(r"([\d.]+) %", label.text_content())[1])
    assert share == pytest.approx(100 * population.explained[digit, 0], abs=0.51)
    page.get_by_test_id("reset-16").click()
    page.get_by_test_id("reset-1").click()
    np.testing.assert_allclose(held(page)[0], before, atol=3e-6)
    expect(page.get_by_test_id("reset-all")).to_be_disabled()


def test_an_axis_stops_where_a_dimension_comes_to_its_end(page, population):
    _, digit = held(page)
    page.get_by_test_id("basis-axes").click()
    page.get_by_test_id("range-wide").click()
    start = population.scores(digit, held(page)[0])
    ask(page, "s => s.panels.find((p) => p.rows).rows.move(0, 30)")
    pose, _ = held(page)
    assert np.abs(pose).max() == pytest.approx(1, abs=1e-5)
    moved = population.scores(digit, pose) - start
    np.testing.assert_allclose(moved[1:], 0, atol=5e-3)
    expect(page.get_by_test_id("share-1")).to_contain_text(
        f"stops: dimension {np.abs(pose).argmax() + 1} is at its end"
    )


def test_the_rows_can_stand_by_what_changes_the_picture_most(page):
    effects = surveyed(page, "effects")
    _, digit = held(page)
    rows = page.get_by_test_id("dimensions").locator("[data-k]")
    shown = "rows => rows.map(row => Number(row.dataset.k))"
    assert rows.evaluate_all(shown) == list(range(16))
    page.get_by_test_id("slider-4").focus()
    ask(page, "s => s.show({ order: 'change' })")
    expect(page.get_by_test_id("order-change")).to_have_attribute("aria-pressed", "true")
    assert rows.evaluate_all(shown) == effects.by_change(digit).tolist()
    expect(page.get_by_test_id("slider-4")).to_be_focused()
    page.get_by_test_id("order-change").click()
    assert rows.evaluate_all(shown) == list(range(16))


def test_undo_and_redo_reach_over_capsules(page):
    winner = held(page)[1]
    other = (winner + 1) % 10
    stands = [held(page)]
    page.wait_for_timeout(500)
    for act in (
        lambda: type_number(page, 1, "0.1"),
        lambda: page.get_by_test_id(f"capsule-{other}").click(),
        lambda: type_number(page, 2, "0.2"),
    ):
        act()
        page.wait_for_timeout(500)  # until the hand rests
        stands.append(held(page))
    expect(page.get_by_test_id(f"capsule-{winner}")).to_have_accessible_name(re.compile("moved"))
    page.get_by_test_id("slider-1").focus()
    for pose, digit in reversed(stands[:-1]):
        page.keyboard.press("Control+z")
        np.testing.assert_allclose(held(page)[0], pose, atol=1e-6)
        assert held(page)[1] == digit
    for pose, digit in itertools.islice(stands, 1, None):
        page.keyboard.press("Control+Shift+z")
        np.testing.assert_allclose(held(page)[0], pose, atol=1e-6)
        assert held(page)[1] == digit
    page.get_by_test_id(f"capsule-{winner}").click()
    assert held(page)[0][0] == pytest.approx(0.1, abs=1e-6)


def test_keys_move_a_slider_and_give_it_back(page):
    slider = page.get_by_test_id("slider-2")
    before, _ = held(page)
    slider.focus()
    for key, moved in (("ArrowRight", 0.01), ("PageUp", 0.06), ("Home", -0.25), ("Delete", 0)):
        page.keyboard.press(key)
        assert held(page)[0][1] - before[1] == pytest.approx(moved, abs=1e-5)


def test_random_nearby_stays_among_real_digits(page):
    for _ in range(5):
        before, _ = held(page)
        page.get_by_test_id("random-nearby").click()
        assert np.abs(held(page)[0] - before).max() > 1e-3
        farness = ask(page, "s => s.basis.population.farness(s.held.digit, s.held.pose)")
        assert farness < 99.9


def test_a_finger_that_scrolls_over_the_sliders_moves_none(visit):
    page = visit("/rebuild?network=mnist", width=390, height=800, touch=True)
    arrived(page)
    slider = page.get_by_test_id("slider-3")
    slider.evaluate("slider => slider.scrollIntoView({ block: 'center' })")
    page.wait_for_timeout(500)
    before, _ = held(page)
    box = slider.bounding_box()
    x, y = box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2
    wire = page.context.new_cdp_session(page)

    def touch(kind, *points):
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", {"x": x, "y": y})
    for step in range(1, 15):
        touch("touchMove", {"x": x, "y": y - 12 * step})
        page.wait_for_timeout(20)
    touch("touchEnd")
    page.wait_for_timeout(500)
    assert slider.bounding_box()["y"] < box["y"] - 60
    np.testing.assert_array_equal(held(page)[0], before)


def test_without_a_survey_the_page_says_how_to_make_one(visit, choosing):
    page = visit("/rebuild?sliders=population-axes", at=choosing)
    arrived(page)
    expect(page.get_by_test_id("pose-words")).to_contain_text("capsnet.survey")
    for name in ("basis-axes", "range-population", "order-change"):
        expect(page.get_by_test_id(name)).to_be_disabled()
    expect(page.get_by_test_id("basis-dimensions")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("range-wide")).to_have_attribute("aria-pressed", "true")
    before, _ = held(page)
    page.get_by_test_id("random-nearby").click()
    assert np.abs(held(page)[0] - before).max() > 1e-3
