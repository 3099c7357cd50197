"""The routing player: everything moves together, in the browser."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.library import traced
from tests.browser.route import opened, pick, press, rest

CAPSULE = 417  # type 11 at place 3, 3


@pytest.fixture(scope="module")
def shared(stay):
    return opened(stay, f"/route?iteration=4&capsule={CAPSULE}")


@pytest.fixture
def page(shared):
    """The page that all tests share, as its link opens it."""
    pick(shared, CAPSULE)
    press(shared, "open-types", False)
    rest(shared, 4)
    expect(shared).to_have_url(re.compile(f"capsule={CAPSULE}"))
    return shared


def lengths(page):
    return [page.get_by_test_id(f"length-{j}").text_content() for j in range(10)]


def picture(page):
    """The big map's pixels, as text."""
    return page.get_by_test_id("coupling-map").evaluate("canvas => canvas.toDataURL()")


def test_scrubbing_back_shows_what_was_there_before(page):
    rest(page, 3)
    before = lengths(page), picture(page)
    scrubber = page.get_by_role("slider", name="Iteration", exact=True)
    scrubber.focus()
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("iteration-words")).to_contain_text("Iteration 10")
    after = lengths(page), picture(page)
    assert all(one != other for one, other in zip(before, after, strict=True))
    for _ in range(7):
        page.keyboard.press("ArrowLeft")
    expect(page.get_by_test_id("iteration-words")).to_contain_text("Iteration 3")
    for j, length in enumerate(before[0]):
        expect(page.get_by_test_id(f"length-{j}")).to_have_text(length)


def test_the_browser_finds_the_logits_and_couplings_of_the_library(page):
    player = page.get_by_test_id("routing-player")
    found = {
        name: np.array(player.evaluate(f"player => Array.from(player.story.{name})"))
        for name in ("logits", "couplings")
    }
    for name, values in found.items():
        expected = getattr(traced(), name).ravel()
        np.testing.assert_allclose(values, expected, rtol=1e-4, atol=1e-5)


def test_iteration_1_is_uniform_and_says_so(page):
    rest(page, 1)
    expect(page.get_by_test_id("iteration-note")).to_contain_text("1/10")
    chart = page.get_by_test_id("entropy-chart")
    expect(chart).to_have_attribute("aria-label", re.compile("at iteration 1: 3.322 bits"))


def test_the_couplings_of_a_place_sum_to_one(page):
    rest(page, 5)
    expect(page.get_by_test_id("place-sum")).to_contain_text("1.000")


@pytest.mark.parametrize("key", ["ArrowLeft", "PageDown"])
def test_keys_walk_over_places_and_types(page, key):
    expect(page.get_by_test_id("place-words")).to_contain_text("type 11 at place 3, 3")
    page.get_by_test_id("coupling-map").press(key)
    moved = {"ArrowLeft": "type 11 at place 3, 2", "PageDown": "type 12 at place 3, 3"}[key]
    expect(page.get_by_test_id("place-words")).to_contain_text(moved)
    expect(page).to_have_url(re.compile("capsule=(416|453)"))


def test_a_type_opened_out_can_be_chosen_with_the_mouse(page):
    page.get_by_test_id("open-types").click()
    canvas = page.get_by_test_id("types-map")
    canvas.scroll_into_view_if_needed()
    canvas.click(position={"x": 10, "y": 25})  # the first place of type 0
    page.mouse.move(5, 5)
    expect(page.get_by_test_id("place-words")).to_contain_text("type 0 at place 0, 0")


def test_back_returns_to_what_was_looked_at(visit):
    page = visit("/route?iteration=2")
    page.get_by_test_id("digit-4").click()
    expect(page).to_have_url(re.compile("digit=4"))
    page.get_by_test_id("digit-7").click()
    expect(page).to_have_url(re.compile("digit=7"))
    page.go_back()
    expect(page.get_by_test_id("digit-4")).to_have_attribute("aria-pressed", "true")


def test_play_runs_to_the_last_iteration(page):
    rest(page, 7)
    page.get_by_test_id("play").click()
    expect(page.get_by_test_id("iteration-words")).to_contain_text("Iteration 10")


def test_a_digit_and_an_iteration_stay_in_the_link(visit):
    page = visit("/route?iteration=2")
    page.get_by_test_id("digit-4").click()
    expect(page.get_by_test_id("map-title")).to_contain_text("4")
    expect(page.get_by_test_id("digit-4")).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile("digit=4"))
    other = visit("/route?" + page.url.split("?", 1)[1])
    expect(other.get_by_test_id("map-title")).to_contain_text("4")
    expect(other.get_by_test_id("iteration-words")).to_contain_text("Iteration 2")
