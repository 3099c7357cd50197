"""The routing player: everything moves together, in the browser."""

import re

from playwright.sync_api import expect


def lengths(page):
    return [page.get_by_test_id(f"length-{j}").text_content() for j in range(10)]


def picture(page):
    """The big map's pixels, as text."""
    return page.get_by_test_id("coupling-map").evaluate("canvas => canvas.toDataURL()")


def test_scrubbing_moves_all_pictures_without_asking_the_server(visit):
    page = visit("/route?iteration=3")
    sent = []
    expect(page.get_by_test_id("iteration-words")).to_contain_text("Iteration 3")
    scrubber = page.get_by_role("slider", name="Iteration", exact=True)
    scrubber.scroll_into_view_if_needed()
    page.wait_for_timeout(1500)  # what the page's own start had to send has been sent
    before = lengths(page), picture(page), page.get_by_test_id("entropy").text_content()

    hook = page.context.new_cdp_session(page)
    hook.send("Network.enable")
    hook.on("Network.webSocketFrameSent", lambda frame: sent.append(frame))
    scrubber.focus()
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("iteration-words")).to_contain_text("Iteration 10")
    after = lengths(page), picture(page), page.get_by_test_id("entropy").text_content()
    assert not sent
    assert all(one != other for one, other in zip(before, after, strict=True))

    for _ in range(7):
        page.keyboard.press("ArrowLeft")
    expect(page.get_by_test_id("iteration-words")).to_contain_text("Iteration 3")
    for j, length in enumerate(before[0]):
        expect(page.get_by_test_id(f"length-{j}")).to_have_text(length)


def test_iteration_1_is_uniform_and_says_so(visit):
    page = visit("/route?iteration=1")
    expect(page.get_by_test_id("iteration-words")).to_contain_text("Iteration 1")
    expect(page.get_by_test_id("iteration-note")).to_contain_text("1/10")
    expect(page.get_by_test_id("entropy")).to_contain_text("3.322 of 3.322 bits")


def test_the_couplings_of_a_place_sum_to_one(visit):
    page = visit("/route?iteration=5")
    expect(page.get_by_test_id("place-sum")).to_contain_text("1.000")


def test_play_runs_to_the_last_iteration(visit):
    page = visit("/route?iteration=7")
    expect(page.get_by_test_id("iteration-words")).to_contain_text("Iteration 7")
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
