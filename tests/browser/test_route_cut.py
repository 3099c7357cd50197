"""Cut and see: capsules silenced in the browser, routed again by the server."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from capsnet.analysis.knockout import Cut, route_without
from tests.browser.clock import scrub
from tests.browser.library import traced


@pytest.fixture(scope="module")
def trace():
    """The library's own trace of the sample that the app opens with, a 5."""
    return traced()


def lengths_without(trace, text):
    """‖v_j‖ without the capsules of a cut, [T, J]."""
    mask = Cut.parse(text).mask(trace.config)
    return route_without(trace.primary, trace.votes, mask, 10).lengths[:, 0].numpy()


def words(page):
    return page.get_by_test_id("cut-words")


def cut_in_link(page):
    expect(page).to_have_url(re.compile(r"cut="))
    return re.search(r"cut=([^&]*)", page.url)[1]


def test_the_ten_loudest_capsules_are_cut_and_the_numbers_are_the_librarys(visit, trace):
    page = visit("/route?iteration=3&sample=162")
    page.get_by_test_id("cut-few").click()
    expect(words(page)).to_contain_text("Without 10 of 1152 capsules")
    text = cut_in_link(page)
    assert len(text.split(".")) == 10
    before, after = trace.lengths[2, 5], lengths_without(trace, text)[2, 5]
    expect(words(page)).to_contain_text(f"5 is {after:.2f} long instead of {before:.2f}")
    expect(page.get_by_test_id("cut-pictures")).to_be_visible()


def test_parts_are_taken_back_one_by_one_or_all_at_once(visit):
    page = visit("/route?iteration=3&cut=c417.p14.t3")
    expect(words(page)).to_contain_text("Without 68 of 1152")
    page.get_by_test_id("chip-p14").click()
    expect(words(page)).to_contain_text("Without 37 of 1152")
    expect(page).to_have_url(re.compile(r"cut=c417\.t3"))
    page.get_by_test_id("cut-t3").click()
    expect(words(page)).to_contain_text("Without 1 of 1152")
    page.get_by_test_id("cut-restore").click()
    expect(words(page)).to_contain_text("Silence primary capsules")
    expect(page).not_to_have_url(re.compile("cut="))
    expect(page.get_by_test_id("cut-pictures")).to_be_hidden()


def test_places_are_cut_by_keyboard(visit):
    page = visit("/route?iteration=3")
    page.get_by_test_id("cut-p0").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("cut-p7")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("chip-p7")).to_contain_text("place 1, 1")
    expect(page.get_by_test_id("iteration-words")).to_contain_text("Iteration 3")
    expect(words(page)).to_contain_text("Without 32 of 1152")
    page.get_by_test_id("cut-type").focus()
    page.keyboard.press("Enter")
    expect(words(page)).to_contain_text("Without 36 of 1152")
    expect(page.get_by_test_id("cut-type")).to_be_focused()


def test_the_clock_moves_before_and_after_together_without_asking_the_server(visit, trace):
    page = visit("/route?iteration=3&sample=162&cut=t21")
    expect(words(page)).to_contain_text("Without 36 of 1152")
    told, sent = scrub(page, 7, "cut-lengths")
    assert "At iteration 7" in told
    assert not sent
    after = lengths_without(trace, "t21")[6]
    for j, length in enumerate(trace.lengths[6]):
        assert f"{j}: {length:.2f} to {after[j]:.2f}" in told


def test_a_cut_made_while_the_routing_plays_is_answered_at_once(visit):
    page = visit("/route?iteration=1")
    page.get_by_test_id("play").click()
    page.get_by_test_id("cut-type").click()
    expect(words(page)).to_contain_text("Without 36 of 1152")
    expect(page.get_by_test_id("play")).to_have_attribute("aria-label", "Pause")


def test_cutting_everything_leaves_nothing_and_says_so(visit):
    page = visit("/route?iteration=3&cut=" + ".".join(f"p{place}" for place in range(36)))
    expect(words(page)).to_contain_text("nothing is left to route: every length is 0")


def test_lengths_before_and_after_can_be_taken_away(visit, trace, tmp_path):
    page = visit("/route?iteration=3&sample=162&cut=t21")
    expect(words(page)).to_contain_text("Without 36 of 1152")
    panel = page.locator('[data-panel="cut"]')
    files = {}
    for kind in ("csv", "png"):
        with page.expect_download() as coming:
            panel.locator(f'[data-save="{kind}"]').click()
        files[kind] = Path(tmp_path / kind)
        coming.value.save_as(files[kind])
    with files["csv"].open() as lines:
        rows = list(csv.DictReader(lines))
    found = np.array([float(row["length_after_the_cut"]) for row in rows]).reshape(10, 10)
    np.testing.assert_allclose(found, lengths_without(trace, "t21"), atol=1e-4)
    assert files["png"].read_bytes().startswith(b"\x89PNG")
