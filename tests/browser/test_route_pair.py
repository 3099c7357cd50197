"""Two inputs: one pinned, the other chosen or drawn, both routed under one clock."""

import csv
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.clock import scrub
from tests.browser.hand import open_drawn
from tests.browser.library import traced


@pytest.fixture(scope="module")
def couplings():
    """The library's own couplings [T, I, J] of two samples, both a 5."""
    return [traced(sample).couplings for sample in (8224, 162)]


def words(page):
    return page.get_by_test_id("pair-words")


def test_pin_one_and_choose_another_to_compare_them(visit):
    page = visit("/route?iteration=3&sample=162")
    expect(words(page)).to_contain_text("Pin this one")
    page.get_by_test_id("pair-pin").click()
    expect(words(page)).to_contain_text("Pinned: MNIST test image 162. Now choose another")
    expect(page).to_have_url(re.compile("pinned=162"))
    page.get_by_test_id("second-5616").click()
    expect(words(page)).to_contain_text("This input (blue): MNIST test image 5616")
    expect(page.get_by_test_id("input-header")).to_contain_text("5616")
    page.get_by_test_id("pair-swap").click()
    expect(words(page)).to_contain_text("This input (blue): MNIST test image 162")
    expect(page).to_have_url(re.compile("pinned=5616"))
    page.get_by_test_id("pair-unpin").click()
    expect(words(page)).to_contain_text("Pin this one")
    expect(page).not_to_have_url(re.compile("pinned="))


def test_a_link_shows_both_inputs_and_how_alike_they_are_routed(visit, couplings):
    page = visit("/route?iteration=3&sample=162&pinned=8224")
    there, here = (each[2, :, 5] for each in couplings)
    alike, apart = np.corrcoef(there, here)[0, 1], np.abs(there - here).mean()
    told = page.get_by_test_id("pair-alike")
    expect(told).to_contain_text(f"correlate to {alike:.2f} between both inputs")
    expect(told).to_contain_text(f"differ by {apart:.4f}")
    expect(page.get_by_test_id("pinned-words")).to_contain_text("reads 5")


def test_the_clock_moves_both_without_asking_the_server(visit, couplings):
    page = visit("/route?iteration=2&sample=162&pinned=8224")
    expect(page.get_by_test_id("pair-alike")).to_contain_text("At iteration 2")
    told, sent = scrub(page, 10, "pair-alike")
    alike = np.corrcoef(*(each[9, :, 5] for each in couplings))[0, 1]
    assert (
        f"At iteration 10 the couplings to 5 of the 1152 capsules correlate to {alike:.2f}" in told
    )
    assert not sent
    told, _ = scrub(page, 1, "pair-alike")
    assert "every coupling is 1/10 for both" in told


def test_a_pinned_drawing_survives_other_pages_and_comes_back_by_swapping(visit):
    page = open_drawn(visit, 3)
    page.get_by_role("link", name="Route", exact=True).click()
    page.get_by_test_id("pair-pin").click()
    expect(words(page)).to_contain_text("Pinned: your drawing")
    page.get_by_test_id("second-162").click()
    expect(words(page)).to_contain_text("This input (blue): MNIST test image 162")
    page.get_by_role("link", name="Rebuild", exact=True).click()
    page.get_by_role("link", name="Route", exact=True).click()
    expect(words(page)).to_contain_text("Pinned (orange): your drawing")
    assert "pinned=" not in page.url
    page.get_by_test_id("pair-swap").click()
    expect(words(page)).to_contain_text("This input (blue): your drawing")
    expect(page).to_have_url(re.compile("strokes=.*pinned=162|pinned=162.*strokes="))


def test_both_lengths_and_their_likeness_can_be_taken_away(visit, couplings, tmp_path):
    page = visit("/route?iteration=3&sample=162&pinned=8224")
    expect(page.get_by_test_id("pair-alike")).to_contain_text("At iteration 3")
    panel = page.locator('[data-panel="pair"]')
    for kind in ("csv", "png"):
        with page.expect_download() as coming:
            panel.locator(f'[data-save="{kind}"]').click()
        coming.value.save_as(tmp_path / kind)
    with (tmp_path / "csv").open() as lines:
        rows = [row for row in csv.DictReader(lines) if row["digit"] == "5"]
    alike = np.corrcoef(*(each[6, :, 5] for each in couplings))[0, 1]
    assert float(rows[6]["coupling_correlation"]) == pytest.approx(alike, abs=1e-3)
    assert rows[0]["coupling_correlation"] == ""
    assert (tmp_path / "png").read_bytes().startswith(b"\x89PNG")
