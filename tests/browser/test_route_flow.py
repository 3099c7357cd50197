"""The flow panel: its numbers are the library's, and it shares the player's choice."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from capsnet.analysis.flow import flow
from tests.browser.library import traced
from tests.browser.route import click, opened, pick, press, rest

GRID = 6


@pytest.fixture(scope="module")
def trace():
    """The routing of the sample that the app opens with."""
    return traced()


@pytest.fixture(scope="module")
def sent(trace):
    return flow(trace.couplings, trace.votes, GRID)


@pytest.fixture(scope="module")
def answer(trace):
    """The digit that the network reads, which the page shows until another one is chosen."""
    return int(trace.lengths[trace.config.iterations - 1].argmax())


@pytest.fixture(scope="module")
def shared(stay):
    return opened(stay, "/route?iteration=4&capsule=0")


@pytest.fixture
def page(shared, answer):
    """The page that all tests share, as its link opens it, the ribbons in sight."""
    show(shared).press("Escape")
    click(shared, f"digit-{answer}")
    pick(shared, 0)
    click(shared, "flow-places")
    press(shared, "flow-change", False)
    rest(shared, 4)
    show(shared)
    expect(shared.get_by_test_id("flow-told")).to_contain_text(f"digit {answer} is sent")
    expect(shared.get_by_test_id("flow-words")).to_contain_text("Most for")
    return shared


def show(page):
    """The ribbons, scrolled into sight."""
    ribbons = page.get_by_test_id("ribbons")
    ribbons.evaluate("canvas => canvas.scrollIntoView({block: 'center'})")
    return ribbons


def corner(page, right=False, bottom=False):
    """The first or last source, or with `right` the first or last digit."""
    box = page.get_by_test_id("ribbons").bounding_box()
    return {"x": box["width"] - 90 if right else 30, "y": 640 if bottom else 42}


def downloaded(page, kind):
    with page.expect_download() as download:
        page.get_by_role("group", name="Download the flow").get_by_text(kind).click()
    return Path(download.value.path())


def test_what_is_sent_and_what_arrives_are_the_librarys(page, trace, sent, answer):
    rest(page, 3)
    total = sent.by_type[2].sum(axis=0)
    share, even = (100 * flows.sum(axis=0)[answer] / flows.sum() for flows in sent.by_type[[2, 0]])
    arriving = trace.couplings[2, :, answer] @ trace.votes[:, answer]
    told = page.get_by_test_id("flow-told")
    expect(told).to_contain_text(f"digit {answer} is sent {total[answer]:.1f}, {share:.1f}\u00a0%")
    expect(told).to_contain_text(f"({even:.1f}\u00a0% with even coupling)")
    expect(told).to_contain_text(f"{np.linalg.norm(arriving):.2f} arrives")


@pytest.mark.parametrize("kind", ["places", "types"])
def test_the_table_holds_every_flow_of_every_iteration(page, sent, kind):
    page.get_by_test_id(f"flow-{kind}").click()
    with downloaded(page, "CSV").open() as file:
        rows = list(csv.DictReader(file))
    expected = sent.by_place if kind == "places" else sent.by_type
    found = np.zeros_like(expected)
    for row in rows:
        source = row["type"] if kind == "types" else GRID * int(row["row"]) + int(row["column"])
        found[int(row["iteration"]) - 1, int(source), int(row["digit"])] = row["flow"]
    np.testing.assert_allclose(found, expected, rtol=1e-4)


def test_a_place_under_the_pointer_is_pointed_at_in_the_other_panels(page, sent, answer):
    show(page).hover(position=corner(page, bottom=True))
    value = sent.by_place[3, -1, answer]
    words = page.get_by_test_id("flow-words")
    expect(words).to_contain_text(f"Place 5, 5 sends {value:.2f} to {answer}")
    expect(page.get_by_test_id("place-words")).to_contain_text("Place 5, 5")
    page.mouse.move(2, 2)
    expect(page.get_by_test_id("place-words")).not_to_contain_text("Place 5, 5")
    expect(words).to_contain_text("Most for")


def test_a_clicked_digit_is_chosen_for_all_panels(page):
    show(page).click(position=corner(page, right=True))
    expect(page.get_by_test_id("digit-0")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("flow-told")).to_contain_text("digit 0 is sent")


def test_arrows_walk_over_the_sources_and_escape_lets_go(page):
    ribbons = page.get_by_test_id("ribbons")
    ribbons.focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_test_id("flow-live")).to_contain_text("Place 0, 1 sends")
    expect(page.get_by_test_id("place-words")).to_contain_text("at place 0, 1")
    expect(page).to_have_url(re.compile("capsule="))
    expect(ribbons).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("flow-words")).to_contain_text("Most for")


def test_a_type_is_opened_by_a_finger(visit):
    page = opened(visit, "/route?iteration=4", width=390, touch=True)
    ribbons = show(page)
    page.get_by_test_id("flow-types").tap()
    ribbons.tap(position=corner(page, bottom=True))
    expect(page.get_by_test_id("flow-words")).to_contain_text("Type 31 sends")
    expect(page.get_by_test_id("place-words")).to_contain_text("type 31 at")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390


def test_iteration_1_is_even_coupling_and_changes_nothing(page):
    rest(page, 1)
    ribbons = show(page)
    page.get_by_test_id("flow-change").click()
    expect(page.get_by_test_id("ribbons-title")).to_contain_text("differs from even coupling")
    expect(page.get_by_test_id("flow-words")).to_contain_text("All couplings are 1/10")
    even = ribbons.evaluate("canvas => canvas.toDataURL()")
    page.get_by_test_id("step-forward").click()
    expect(page.get_by_test_id("flow-words")).to_contain_text("than with even coupling")
    page.wait_for_timeout(600)
    assert ribbons.evaluate("canvas => canvas.toDataURL()") != even


@pytest.mark.parametrize(("kind", "start"), [("PNG", b"\x89PNG"), ("SVG", b"<svg")])
def test_the_figure_can_be_taken_away(page, kind, start):
    assert downloaded(page, kind).read_bytes().startswith(start)
