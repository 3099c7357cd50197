"""The opened capsule: its numbers are the library's, and they add up before the visitor's eyes."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from app import links
from tests.browser.library import traced
from tests.browser.route import click, pick, rest

SAMPLE, CAPSULE, DIGIT, ITERATION = 162, 417, 5, 4
LINK = f"/route?sample={SAMPLE}&iteration={ITERATION}&digit={DIGIT}&capsule={CAPSULE}"


@pytest.fixture(scope="module")
def trace():
    """The library's own routing of the sample."""
    return traced(SAMPLE)


def open_capsule(visit, path=LINK, **options):
    page = visit(path, **options)
    expect(page.get_by_test_id("capsule-words")).to_contain_text("Primary capsule")
    return page


@pytest.fixture(scope="module")
def shared(stay):
    return open_capsule(stay)


@pytest.fixture
def page(shared):
    """The page that all tests share, as its link opens it, the capsule in sight."""
    click(shared, f"digit-{DIGIT}")
    pick(shared, CAPSULE)
    shared.get_by_test_id("pick-number").select_option("0")
    shared.locator('[data-show="couplings"]').dispatch_event("click")
    products = shared.get_by_test_id("agreement-terms").locator("xpath=..")
    products.evaluate("details => { details.open = false; }")
    rest(shared, ITERATION)
    shared.get_by_test_id("capsule-table").scroll_into_view_if_needed()
    words = shared.get_by_test_id("capsule-words")
    expect(words).to_contain_text(f"Primary capsule {CAPSULE},")
    expect(words).to_contain_text(f"to digit {DIGIT} in iteration {ITERATION}.")
    expect(shared.get_by_test_id("vote-terms")).to_be_visible()  # its weights have come
    return shared


def number(text):
    return float(text.replace("−", "-"))


def shown(page, name):
    return number(page.get_by_test_id(name).first.text_content())


def terms(page, name):
    """The products of a written sum, and what is shown as their sum."""
    table = page.get_by_test_id(name)
    expect(table.locator("[data-sum]")).to_have_count(1)
    products = [number(one) for one in table.locator("[data-product]").all_text_contents()]
    return products, number(table.locator("[data-sum]").text_content())


def ledger(page):
    """The rows of the table of all iterations and digits."""
    rows = page.get_by_test_id("capsule-table").locator("tbody tr").all()
    return np.array([[number(c) for c in r.locator("td").all_text_contents()] for r in rows])


def test_the_numbers_are_those_of_the_librarys_trace(page, trace):
    t = ITERATION - 1
    assert shown(page, "u-length") == pytest.approx(
        np.linalg.norm(trace.primary[CAPSULE]), abs=6e-5
    )
    for name, values in [
        ("agreement", trace.agreements),
        ("logit", trace.logits),
        ("coupling", trace.couplings),
    ]:
        assert shown(page, name) == pytest.approx(values[t, CAPSULE, DIGIT], abs=6e-5)
    adds = trace.couplings[t, CAPSULE, DIGIT] * trace.agreements[t, CAPSULE, DIGIT]
    adds /= trace.lengths[t, DIGIT]
    assert shown(page, "adds") == pytest.approx(adds, abs=6e-5)

    np.testing.assert_allclose(ledger(page)[:, :10], trace.couplings[:, CAPSULE], atol=6e-5)
    np.testing.assert_allclose(ledger(page)[:, 10], 1, atol=1e-9)
    for name, values in [("Agreement", trace.agreements), ("Logit", trace.logits)]:
        page.get_by_role("button", name=re.compile(f"^{name}")).click()
        np.testing.assert_allclose(ledger(page), values[:, CAPSULE], atol=6e-5)


def test_the_products_add_up_to_the_vote_and_to_the_agreement(page, trace):
    vote = trace.votes[CAPSULE, DIGIT]
    page.get_by_test_id("pick-number").select_option("3")
    products, total = terms(page, "vote-terms")
    assert (len(products), total) == (8, pytest.approx(vote[2], abs=6e-5))
    assert sum(products) == pytest.approx(total, abs=8 * 5e-6 + 5e-5)

    page.get_by_text("The 16 products").click()
    products, total = terms(page, "agreement-terms")
    pose = trace.poses[ITERATION - 1, DIGIT]
    np.testing.assert_allclose(products, vote * pose, atol=6e-6)
    assert sum(products) == pytest.approx(total, abs=16 * 5e-6 + 5e-5)
    assert total == shown(page, "agreement")


def test_an_equals_sign_stands_only_where_the_shown_numbers_give_the_shown_result(page):
    page.get_by_text("The 16 products").click()
    lines = page.get_by_test_id("agreement-terms").locator("tbody tr").all_inner_texts()
    for line in lines:
        left, right, sign, product = re.search(
            r"\s(\S+)\s+× (\S+)\s+([=≈]) (\S+)", line.replace("−", "-")
        ).groups()
        agrees = abs(float(left) * float(right) - float(product)) <= 5e-6 + 1e-12
        assert (sign == "=") == agrees, line


def test_the_logit_is_the_sum_of_the_earlier_agreements_and_follows_the_clock(page, trace):
    words = page.get_by_test_id("logit-sum").inner_text().replace("−", "-")
    before = [float(one) for one in re.findall(r"-?\d\.\d{5}", words.replace("- ", "-"))]
    np.testing.assert_allclose(before, trace.agreements[:3, CAPSULE, DIGIT], atol=6e-6)

    page.get_by_test_id("step-forward").click()
    expect(page.get_by_test_id("logit-sum")).to_contain_text("a₄")
    assert shown(page, "logit") == pytest.approx(trace.logits[4, CAPSULE, DIGIT], abs=6e-5)
    expect(page.get_by_test_id("capsule-table").locator(".now th")).to_have_text("5")


def test_at_iteration_one_nothing_has_agreed_and_the_shares_are_even(page):
    rest(page, 1)
    expect(page.get_by_test_id("logit")).to_have_text("0")
    expect(page.get_by_test_id("coupling")).to_have_text("0.1000")
    expect(page.get_by_test_id("power-sum")).to_have_text("10.0000")
    expect(page.get_by_test_id("capsule-divides")).to_contain_text("the same 1/10")


def test_an_empty_pad_says_that_only_biases_speak(visit):
    page = open_capsule(visit, f"/route?strokes={links.encode([])}&iteration=3")
    expect(page.get_by_test_id("capsule-sees")).to_contain_text("None of them holds ink")
    expect(page.get_by_test_id("vote-terms").locator("tbody tr")).to_have_count(8)


def test_arrow_keys_open_the_neighbour_which_the_link_holds(page, visit):
    weights = page.get_by_test_id("vote-terms").locator("tbody")
    before = weights.inner_text()
    page.get_by_test_id("capsule-place").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("capsule-words")).to_contain_text("Primary capsule 418")
    page.keyboard.press("PageDown")
    expect(page.get_by_test_id("capsule-words")).to_contain_text("Primary capsule 454")
    expect(page).to_have_url(re.compile("capsule=454"))
    expect(weights).to_be_visible()  # the weights of the new one have come
    assert weights.inner_text() != before

    other = open_capsule(visit, "/route?" + page.url.split("?", 1)[1])
    expect(other.get_by_test_id("capsule-words")).to_contain_text("Primary capsule 454")
    expect(other.get_by_test_id("vote-terms").locator("tbody")).to_have_text(weights.text_content())
    assert ledger(other).tolist() == ledger(page).tolist()


def test_the_capsule_stays_open_while_one_goes_through_its_digits(visit):
    page = open_capsule(visit, f"/route?sample={SAMPLE}&iteration=3")
    opened = re.search(r"Primary capsule \d+", page.get_by_test_id("capsule-words").inner_text())
    strips = page.get_by_test_id("capsule-strips")
    strips.focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_test_id("pick-digit")).to_have_value("6")
    expect(page.get_by_test_id("capsule-words")).to_contain_text(opened.group())
    expect(page.get_by_test_id("iteration-words")).to_contain_text("Iteration 3")


@pytest.mark.parametrize("kind", ["png", "csv"])
def test_it_can_be_taken_away(page, trace, kind):
    with page.expect_download() as waiting:
        page.locator(f'[data-panel="capsule"] [data-save="{kind}"]').click()
    file = Path(waiting.value.path())
    if kind == "png":
        assert file.read_bytes().startswith(b"\x89PNG")
    else:
        rows = list(csv.DictReader(file.open()))
        assert len(rows) == 100
        row = next(r for r in rows if (r["iteration"], r["digit"]) == ("4", "5"))
        coupling = trace.couplings[3, CAPSULE, DIGIT]
        assert float(row["coupling"]) == pytest.approx(coupling, abs=1e-5)
        assert float(row["vote_16"]) == pytest.approx(trace.votes[CAPSULE, DIGIT, 15], abs=1e-6)
