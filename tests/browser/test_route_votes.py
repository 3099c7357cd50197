"""The votes of two digits side by side, against the library's own trace."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from capsnet.analysis.projection import concentration, vote_basis
from tests.browser.library import traced
from tests.browser.route import click, opened, press, rest

SAMPLE = 1232  # a nine that reads as a four: two digits find votes that agree
MARGIN_LEFT, MARGIN_TOP, ALL_X, ALL_Y = 36, 24, 3, 1.885  # vote_plane.js


@pytest.fixture(scope="module")
def trace():
    """The library's trace of the sample."""
    return traced(SAMPLE)


@pytest.fixture(scope="module")
def pair(trace):
    """Its two longest digits."""
    return [int(j) for j in np.argsort(-trace.lengths[trace.config.iterations - 1])[:2]]


@pytest.fixture(scope="module")
def shared(stay):
    return opened(stay, f"/route?sample={SAMPLE}&iteration=3")


@pytest.fixture
def page(shared, pair):
    """The page that all tests share, as its link opens it, the votes in sight."""
    shared.get_by_test_id("votes-rival").select_option(str(pair[1]))
    click(shared, "pick-loudest")
    click(shared, "votes-by-place")
    press(shared, "votes-close-up")
    rest(shared, 3)
    shared.get_by_test_id("votes-plot-0").scroll_into_view_if_needed()
    expect(shared.get_by_test_id("votes-words")).to_contain_text("Iteration 3")
    expect(shared.get_by_test_id("votes-digit")).to_have_value(str(pair[0]))
    return shared


def told(page, name="vote-words"):
    return page.get_by_test_id(name).text_content()


def test_what_is_said_of_the_votes_is_what_the_library_finds(page, trace, pair):
    found = concentration(trace.couplings, trace.votes)
    for t in (1, 3, 10):
        page.get_by_role("slider", name="Iteration", exact=True).fill(str(t))
        words = page.get_by_test_id("votes-words")
        expect(words).to_contain_text(f"Iteration {t}:")
        for j in pair:
            expect(words).to_contain_text(re.compile(rf"for {j} .*?to {found[t - 1, j]:.2f}"))
            if t > 1:
                most = trace.couplings[t - 1, :, j].max()
                expect(words).to_contain_text(re.compile(rf"coupling.* to {j} (is )?{most:.2f}"))


def test_both_planes_move_with_the_scrubber_at_once(page):
    pictures = """panel => {
        const planes = ["votes-plot-0", "votes-plot-1"];
        return planes.map(name => panel.querySelector(`[data-testid="${name}"]`).toDataURL());
    }"""
    panel = page.locator('[data-panel="votes"]')
    before = panel.evaluate(pictures)
    # The server has no chance to answer within two frames.
    after = panel.evaluate(f"""async panel => {{
        const scrubber = panel.getRootNode().querySelector('[data-testid="iteration"]');
        scrubber.value = 10;
        scrubber.dispatchEvent(new Event("input"));
        for (let k = 0; k < 2; k++) await new Promise(requestAnimationFrame);
        return ({pictures})(panel);
    }}""")
    assert all(one != other for one, other in zip(before, after, strict=True))


def test_the_rival_can_be_chosen_and_stays_in_the_link(page):
    page.get_by_test_id("votes-rival").select_option("7")
    expect(page.get_by_test_id("votes-words")).to_contain_text("those for 7 to")
    expect(page).to_have_url(re.compile("rival=7"))


def test_choosing_the_other_ones_digit_swaps_the_two(page, pair):
    own, other = pair
    page.get_by_test_id("votes-rival").select_option(str(own))
    expect(page.get_by_test_id("votes-digit")).to_have_value(str(other))
    expect(page.get_by_test_id("votes-rival")).to_have_value(str(own))
    expect(page.get_by_test_id("map-title")).to_contain_text(f"digit {other}")


def test_choosing_a_vote_opens_its_capsule_everywhere(page, trace, pair):
    own = pair[0]
    points = vote_basis(trace.votes, trace.poses).points[own]
    capsule = int(points[:, 0].argmax())  # far out, alone
    page.get_by_test_id("votes-close-up").click()
    plot = page.get_by_test_id("votes-plot-0")
    zoom = (plot.bounding_box()["width"] - MARGIN_LEFT - 12) / (2 * ALL_X)
    x, y = (float(along) for along in points[capsule])
    at = {"x": MARGIN_LEFT + (x + ALL_X) * zoom, "y": MARGIN_TOP + (ALL_Y - y) * zoom}
    plot.hover(position={"x": at["x"] - 2, "y": at["y"]})
    name = f"type {capsule // 36} at place {capsule % 36 // 6}, {capsule % 6}"
    expect(page.get_by_test_id("vote-words")).to_contain_text(name)
    expect(page.get_by_test_id("vote-words")).to_contain_text(f"x = {x:.2f}")
    plot.click(position=at)
    page.mouse.move(0, 0)
    expect(page.get_by_test_id("place-words")).to_contain_text(name)
    expect(page).to_have_url(re.compile(f"capsule={capsule}"))


def test_arrow_keys_walk_from_vote_to_vote(page, trace, pair):
    page.get_by_test_id("votes-plot-1").focus()
    before = told(page)
    type_, row, column = (int(n) for n in re.findall(r"type (\d+) at place (\d), (\d)", before)[0])
    up = row > 0
    page.keyboard.press("ArrowUp" if up else "ArrowDown")
    row += -1 if up else 1
    expect(page.get_by_test_id("vote-words")).to_contain_text(
        f"type {type_} at place {row}, {column}"
    )
    capsule = type_ * 36 + row * 6 + column
    for j in pair:
        length = np.linalg.norm(trace.votes[capsule, j])
        expect(page.get_by_test_id("vote-words")).to_contain_text(f"for {j} is {length:.2f} long")


def test_pointing_at_a_colour_rings_its_votes_and_says_their_mean_coupling(page, trace, pair):
    key = page.get_by_test_id("votes-key")
    middle = key.bounding_box()["width"] / 2
    key.hover(position={"x": middle + 2, "y": middle + 2})
    mean = [trace.couplings[2, 21::36, j].mean() for j in pair]
    expect(page.get_by_test_id("vote-words")).to_contain_text("32 capsules of place 3, 3")
    for coupling in mean:
        expect(page.get_by_test_id("vote-words")).to_contain_text(f"{coupling:.3f}")
    expect(page.get_by_test_id("place-words")).to_contain_text("Place 3, 3")

    page.get_by_test_id("votes-by-type").click()
    key.hover(position={"x": 40, "y": 8})
    expect(page.get_by_test_id("vote-words")).to_contain_text("36 capsules of type 1")
    page.mouse.move(0, 0)
    expect(page.get_by_test_id("vote-words")).to_contain_text("Ringed: type")


def test_the_numbers_of_both_digits_can_be_taken_away(page, trace, pair):
    panel = page.locator('[data-panel="votes"]')
    with page.expect_download() as download:
        panel.locator('[data-save="csv"]').click()
    rows = list(csv.DictReader(Path(download.value.path()).read_text().splitlines()))
    points = vote_basis(trace.votes, trace.poses).points
    assert len(rows) == 2 * len(trace.votes)
    for at, j in enumerate(pair):
        for i in (0, 500, 1151):
            row = rows[at * len(trace.votes) + i]
            assert int(row["digit"]) == j
            place = [int(row[name]) for name in ("type", "row", "column")]
            assert place == [i // 36, i % 36 // 6, i % 6]
            found = [
                float(row[name]) for name in ("x", "y", "vote_length", "coupling_1", "coupling_10")
            ]
            expected = [
                *points[j, i],
                np.linalg.norm(trace.votes[i, j]),
                *trace.couplings[[0, -1], i, j],
            ]
            np.testing.assert_allclose(found, expected, atol=1e-4)
