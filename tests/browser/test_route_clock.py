"""One clock moves all panels, in the browser alone."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.route import opened, press, rest

QUIET_MS = 1500  # what was chosen before has been sent
TALL = 9000  # pixels: every panel is in sight, so every panel is painted
PICTURES = ("coupling-map", "votes-plot-0", "ribbons", "lengths-chart", "agreement-chart")

# Press a key on the player; what changed two frames later, and what was sent meanwhile.
STEP = """async (player, [key, pictures]) => {
  const seen = () => [
    ...pictures.map((name) => player.querySelector(`[data-testid="${name}"]`).toDataURL()),
    ...Array.from({ length: 10 }, (_, j) => player.querySelector(`[data-testid="length-${j}"]`))
      .map((length) => length.textContent),
  ];
  const frames = async (count) => {
    for (let k = 0; k < count; k++) await new Promise(requestAnimationFrame);
  };
  await frames(2); // what has come into sight is painted
  let sent = 0;
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (message) {
    sent += 1;
    send.call(this, message);
  };
  const before = seen();
  player.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  await frames(2);
  const messages = sent;
  WebSocket.prototype.send = send;
  return { changed: seen().map((one, k) => one !== before[k]), messages };
}"""


@pytest.fixture(scope="module")
def shared(stay):
    page = opened(stay, "/route?iteration=3")
    page.wait_for_timeout(QUIET_MS)
    return page


@pytest.fixture
def page(shared):
    """The page that all tests share, at iteration 3 and at the speed with which it opens."""
    shared.get_by_test_id("speed").select_option("1")
    press(shared, "loop", False)
    rest(shared, 3)
    return shared


@pytest.fixture
def tall(page):
    """The same so high that all panels are in sight."""
    size = page.viewport_size
    page.set_viewport_size({**size, "height": TALL})
    yield page
    page.set_viewport_size(size)


@pytest.mark.parametrize("key", ["ArrowRight", "ArrowLeft"])
def test_one_step_moves_every_picture_and_asks_nobody(tall, key):
    rest(tall, 2)
    tall.wait_for_timeout(QUIET_MS)
    seen = tall.get_by_test_id("routing-player").evaluate(STEP, [key, PICTURES])
    moved = dict(zip(PICTURES, seen["changed"], strict=False))
    assert all(moved.values()), moved
    assert any(seen["changed"][len(PICTURES) :]), "the lengths"
    assert seen["messages"] == 0


def test_space_plays_and_pauses(page):
    rest(page, 1)
    page.get_by_test_id("coupling-map").focus()
    page.keyboard.press("Space")
    expect(page.get_by_test_id("play")).to_have_accessible_name("Pause")
    expect(page.get_by_test_id("iteration-words")).to_contain_text("Iteration 2")
    page.keyboard.press("Space")
    expect(page.get_by_test_id("play")).to_have_accessible_name("Play")
    words = page.get_by_test_id("iteration-words").text_content()
    page.wait_for_timeout(1500)
    expect(page.get_by_test_id("iteration-words")).to_have_text(words)


def test_a_loop_goes_on_from_the_first_iteration(page):
    rest(page, 9)
    page.get_by_test_id("loop").click()
    page.get_by_test_id("speed").select_option("4")
    page.get_by_test_id("play").click()
    expect(page.get_by_test_id("iteration-words")).to_contain_text(re.compile("Iteration [1-4]:"))
    expect(page.get_by_test_id("play")).to_have_accessible_name("Pause")


def test_without_a_loop_it_rests_at_the_last_iteration_and_starts_anew(page):
    rest(page, 10)
    expect(page.get_by_test_id("step-forward")).to_be_disabled()
    page.get_by_test_id("play").click()
    expect(page.get_by_test_id("iteration-words")).to_contain_text(re.compile("Iteration [1-4]:"))


def test_the_r_of_the_training_is_marked_and_said(page):
    player = page.get_by_test_id("routing-player")
    expect(player.get_by_text("trained with r = 3")).to_be_visible()
    expect(page.get_by_test_id("iteration-note")).to_contain_text(
        "With r = 3, as in training, the network reads 5"
    )
    page.get_by_test_id("step-forward").click()
    expect(page.get_by_test_id("iteration-note")).to_contain_text("was never trained")


def test_iteration_1_is_said_to_couple_evenly(page):
    rest(page, 1)
    expect(page.get_by_test_id("iteration-note")).to_contain_text("the same 1/10")
    for j in range(10):
        expect(page.get_by_test_id(f"share-{j}")).to_contain_text("0.100")
    expect(page.get_by_test_id("flow-words")).to_contain_text("All couplings are 1/10")
    expect(page.get_by_test_id("step-back")).to_be_disabled()
