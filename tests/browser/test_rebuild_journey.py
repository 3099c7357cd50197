"""Journeys from the held pose, its neighbours, the link to it."""

import csv
import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from PIL import Image
from playwright.sync_api import expect

from app import networks, samples, state_pair
from capsnet.analysis.journeys import straight, turning
from capsnet.analysis.population import standing
from capsnet.survey import checkpoint_key, load_survey, survey_path
from tests.browser.library import network

SHELF = samples.load()
OFFERED = SHELF.usual(state_pair.SAMPLES)
FIVES, THREES = (OFFERED.indices[OFFERED.labels == label].tolist() for label in (5, 3))
INSIDE = f"/rebuild?sample={FIVES[0]}&journey=sample-{FIVES[1]}"
ACROSS = f"/rebuild?sample={FIVES[0]}&journey=sample-{THREES[0]}"
CHECKPOINT = networks.REPOSITORY / "checkpoints" / "digits.safetensors"
WAYS = {"straight": straight, "turning": turning}


def opened(visit, path, **options):
    """The page with the journey in sight and read by the network."""
    page = visit(path, **options)
    page.get_by_test_id("sculptor").wait_for()
    page.wait_for_function("globalThis.capsnetNetworks?.size > 0")
    page.locator('[data-panel="journey"]').scroll_into_view_if_needed()
    expect(page.get_by_test_id("nearby-0")).to_have_attribute("title", re.compile("long"))
    return page


def told(page, name):
    return page.get_by_test_id(name).inner_text()


def panel(page, expression):
    """The value of a JavaScript expression of the journey's `panel`."""
    return page.get_by_test_id("sculptor").evaluate(
        f"""(root) => {{
          const panel = root.sculptor.panels.find(({{ name }}) => name === "journey");
          return {expression};
        }}"""
    )


def capsules(sample):
    """All poses of a sample, [10, 16], as the library has them."""
    image = torch.from_numpy(SHELF.images[SHELF.place(sample)].astype(np.float32) / 255)
    with torch.inference_mode():
        return network()(image[None, None]).poses[0].numpy()


def alone(sample):
    """The longest capsule of a sample and its pose among zeros, [160]."""
    poses = capsules(sample)
    digit = int(np.linalg.norm(poses, axis=1).argmax())
    found = np.zeros_like(poses)
    found[digit] = poses[digit]
    return digit, found.ravel()


def drawn(poses):
    """What the library's decoder draws of poses [..., 160], as [..., 784]."""
    with torch.inference_mode():
        return network().decoder(torch.from_numpy(np.float32(poses))).numpy()


def population():
    """Where the survey says that the poses of real digits lie."""
    return load_survey(survey_path(CHECKPOINT), checkpoint_key(CHECKPOINT), "poses")


def scrub(page, percent):
    page.get_by_test_id("trip-scrubber").fill(str(percent))


@pytest.fixture(scope="module")
def inside(stay):
    """A way between two poses of one capsule, for tests that hold nothing."""
    return opened(stay, INSIDE)


@pytest.fixture(scope="module")
def across(stay):
    """A way to another capsule, for tests that hold nothing."""
    return opened(stay, ACROSS)


def test_the_browsers_ways_are_those_of_the_library(inside):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 160))
    pairs = [(a, b), (a[:16], 2 * b[:16]), (a, 0 * a), (0 * a, b), (a, -2 * a), (a, a), (a, 3 * a)]
    shares = np.linspace(0, 1, 7)
    for start, end in pairs:
        for name, way in WAYS.items():
            browser = inside.locator('[data-panel="journey"]').evaluate(
                """(root, [start, end, shares, turns]) =>
                    shares.map((share) => [...root.onWay(start, end, share, turns)])""",
                [start.tolist(), end.tolist(), shares.tolist(), name == "turning"],
            )
            np.testing.assert_allclose(browser, way(start, end, shares), atol=1e-6)


@pytest.mark.parametrize("name", ["straight", "turning"])
def test_a_way_to_another_digit_is_drawn_from_two_capsules_at_once(across, name):
    across.get_by_test_id(f"way-{name}").click()
    (first, start), (last, end) = alone(FIVES[0]), alone(THREES[0])
    way = WAYS[name](start, end, np.array([0.4]))[0]
    scrub(across, 40)
    shown = across.get_by_test_id("trip-picture").evaluate("canvas => [...canvas.pixels()]")
    np.testing.assert_allclose(shown, drawn(way), atol=1e-2)
    lengths = np.linalg.norm(way.reshape(10, 16), axis=1)
    words = told(across, "share-words")
    assert f"capsule {first} is {lengths[first]:.2f} long" in words
    assert f"capsule {last} is {lengths[last]:.2f}; together {np.linalg.norm(way):.2f}" in words
    assert "never saw two capsules" in told(across, "way-words")


def test_scrubbing_asks_the_server_nothing(visit):
    page, sent = visit("/"), []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.goto(page.url.partition("?")[0].rstrip("/") + ACROSS)
    page.locator('[data-panel="journey"]').scroll_into_view_if_needed()
    expect(page.get_by_test_id("reading-words")).to_contain_text("reads 5")
    scrubber = page.get_by_test_id("trip-scrubber")
    page.wait_for_timeout(1500)
    before, pictures = len(sent), set()
    scrubber.focus()
    for _ in range(8):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(60)
        pictures.add(page.get_by_test_id("trip-picture").evaluate("canvas => canvas.toDataURL()"))
    page.wait_for_timeout(400)
    assert len(pictures) == 8
    assert len(sent) == before


def test_the_film_says_what_the_network_reads(across):
    across.get_by_test_id("way-straight").click()
    expect(across.locator(".film")).not_to_have_class(re.compile("waiting"))
    poses = straight(alone(FIVES[0])[1], alone(THREES[0])[1], np.linspace(0, 1, 11))
    with torch.inference_mode():
        lengths = network()(torch.from_numpy(drawn(poses)).view(-1, 1, 28, 28)).lengths.numpy()
    frames = across.get_by_test_id("film").locator(".pictured")
    for frame, row in zip(frames.all_inner_texts(), lengths, strict=True):
        digit, length = frame.split()
        assert int(digit.strip("?")) == row.argmax()
        assert float(length) == pytest.approx(row.max(), abs=6e-3)
    digits = lengths.argmax(axis=1)
    assert digits[0] == 5 and digits[-1] == 3
    expect(across.get_by_test_id("reading-words")).to_contain_text(re.compile("reads 5.*reads 3"))
    across.get_by_test_id("film-7").click()
    expect(across.get_by_test_id("trip-scrubber")).to_have_value("70")


def test_a_way_inside_one_capsule_says_how_usual_its_poses_are(inside):
    scrub(inside, 50)
    (digit, start), (_, end) = alone(FIVES[0]), alone(FIVES[1])
    pose = straight(start, end, np.array([0.5])).reshape(10, 16)[digit]
    percent = standing(population(), digit, pose).distance_percentile
    words = told(inside, "share-words")
    assert f"{np.linalg.norm(pose):.2f} long" in words
    assert int(re.search(r"than (\d+) %", words)[1]) == pytest.approx(percent, abs=1)


def test_a_pose_on_the_way_can_be_held_and_undone(visit):
    page = opened(visit, INSIDE)
    before = panel(page, "[...panel.held.pose]")
    scrub(page, 60)
    wanted = panel(page, "[...panel.way.poseAt(0.6, false)]")
    page.get_by_test_id("trip-hold").click()
    np.testing.assert_allclose(panel(page, "[...panel.held.pose]"), wanted, atol=1e-4)
    expect(page.get_by_test_id("trip-scrubber")).to_have_value("0")
    expect(page.get_by_test_id("trip-hold")).to_be_disabled()
    expect(page).to_have_url(re.compile("pose="))
    page.get_by_test_id("trip-undo").click()
    np.testing.assert_allclose(panel(page, "[...panel.held.pose]"), before, atol=1e-6)
    expect(page).not_to_have_url(re.compile("pose="))


def test_between_two_capsules_only_the_end_can_be_held(visit):
    page = opened(visit, ACROSS)
    scrub(page, 50)
    expect(page.get_by_test_id("trip-hold")).to_be_disabled()
    expect(page.get_by_test_id("trip-unheld")).to_contain_text("two capsules")
    scrub(page, 100)
    page.get_by_test_id("trip-hold").click()
    assert panel(page, "panel.held.digit") == 3
    pose = alone(THREES[0])[1].reshape(10, 16)[3]
    np.testing.assert_allclose(panel(page, "[...panel.held.pose]"), pose, atol=1e-4)
    expect(page.get_by_test_id("way-words")).to_contain_text("the pose that the way leads to")


@pytest.mark.parametrize("calm", [False, True])
def test_playing_goes_there_and_back_and_stops_out_of_sight(visit, calm):
    page = opened(visit, INSIDE)
    if calm:
        page.emulate_media(reduced_motion="reduce")
    scrub(page, 90)
    play = page.get_by_test_id("trip-play")
    play.click()
    expect(play).to_have_text("Stop")
    seen = set()
    for _ in range(60):
        page.wait_for_timeout(50)
        seen.add(round(1000 * panel(page, "panel.share")))
    assert max(seen) > 980 and min(seen) < 880
    assert all(share % 100 == 0 for share in seen) == calm
    page.get_by_test_id("capsule-0").scroll_into_view_if_needed()
    expect(play).to_have_text("There and back")


def test_neighbours_differ_as_far_as_the_reach_says_and_can_be_held(visit):
    page = opened(visit, INSIDE)
    apart = []
    for reach in ("0.1", "1"):
        page.get_by_test_id("nearby-reach").fill(reach)
        poses = np.array(panel(page, "panel.neighbours.poses.map((pose) => [...pose])"))
        apart.append(np.linalg.norm(poses - panel(page, "[...panel.held.pose]"), axis=1).mean())
    assert 0 < 4 * apart[0] < apart[1]
    said = page.get_by_test_id("nearby").locator("p").all_inner_texts()
    for pose, words in zip(poses, said, strict=True):
        percent = standing(population(), 5, pose).distance_percentile
        assert int(words.removesuffix("%")) == pytest.approx(percent, abs=1)
    page.get_by_test_id("nearby-4").click()
    np.testing.assert_allclose(panel(page, "[...panel.held.pose]"), poses[4], atol=1e-4)
    expect(page.get_by_test_id("nearby-4")).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile("pose="))
    still = panel(page, "panel.neighbours.poses.map((pose) => [...pose])")
    np.testing.assert_allclose(still, poses)  # so that others can be tried, too
    page.get_by_test_id("nearby-others").click()
    assert (
        np.abs(panel(page, "panel.neighbours.poses.map((pose) => [...pose])") - poses).max() > 0.01
    )


def test_the_link_is_copied_once_it_holds_the_pose(visit):
    page = opened(visit, INSIDE)
    page.evaluate(
        """() => {
          window.copied = [];
          const clipboard = { writeText: async (text) => { window.copied.push(text); } };
          Object.defineProperty(navigator, "clipboard", { value: clipboard });
        }"""
    )
    scrub(page, 60)
    page.get_by_test_id("trip-hold").click()
    page.get_by_test_id("copy-link").click()
    expect(page.get_by_test_id("link-words")).to_contain_text("Copied")
    (link,) = page.evaluate("window.copied")
    assert "pose=" in link and link == page.url
    held = panel(page, "[...panel.held.pose]")
    again = opened(visit, link[link.index("/rebuild") :])
    np.testing.assert_allclose(panel(again, "[...panel.held.pose]"), held, atol=1e-4)


def test_where_the_clipboard_is_refused_the_link_stands_in_a_field(visit):
    page = opened(visit, INSIDE)
    page.evaluate(
        """() => Object.defineProperty(navigator, "clipboard", {
          value: { writeText: () => Promise.reject(new Error("refused")) } })"""
    )
    page.get_by_test_id("copy-link").click()
    expect(page.get_by_test_id("link")).to_have_value(page.url)
    expect(page.get_by_test_id("link")).to_be_focused()


def test_a_pinned_drawing_is_a_destination(visit):
    page = opened(visit, "/rebuild")
    expect(page.get_by_test_id("travel")).to_be_hidden()
    page.get_by_test_id("pin").click()
    expect(page.get_by_test_id("pin-words")).to_contain_text("the input that you look at")
    expect(page.get_by_test_id("way-words")).to_contain_text("You hold the pose")
    expect(page).to_have_url(re.compile("journey=pinned"))
    page.get_by_role("link", name="Draw", exact=True).first.click()
    page.get_by_test_id(f"sample-{THREES[0]}").click()
    expect(page.get_by_test_id("verdict-digit")).to_have_text("3")
    page.get_by_role("link", name="Rebuild", exact=True).first.click()
    page.locator('[data-panel="journey"]').scroll_into_view_if_needed()
    expect(page.get_by_test_id("reading-words")).to_contain_text("reads 3")
    assert told(page, "trip-to") == f"MNIST test image {SHELF.opening}"
    page.get_by_test_id("pin-unpin").click()
    expect(page.get_by_test_id("travel")).to_be_hidden()


def test_the_journey_can_be_taken_away(across):
    def taken(kind):
        with across.expect_download() as coming:
            across.locator(f'[data-panel="journey"] [data-save="{kind}"]').click()
        return coming.value.path().read_bytes()

    across.get_by_test_id("way-straight").click()
    expect(across.locator(".film")).not_to_have_class(re.compile("waiting"))
    svg = ElementTree.fromstring(taken("svg"))
    assert len(svg.findall(".//{*}image")) == 11
    words = " ".join("".join(text.itertext()) for text in svg.findall(".//{*}text"))
    assert "From capsule 5 to capsule 3" in words and "50 %" in words
    png = Image.open(io.BytesIO(taken("png")))
    _, _, width, height = map(float, svg.get("viewBox").split())
    assert png.size == (2 * width, 2 * height)
    rows = list(csv.DictReader(io.StringIO(taken("csv").decode())))
    poses = straight(alone(FIVES[0])[1], alone(THREES[0])[1], np.linspace(0, 1, 11))
    for row, pose in zip(rows, poses.reshape(11, 10, 16), strict=True):
        for digit in (5, 3):
            numbers = [float(row[f"capsule_{digit}_v{k + 1}"]) for k in range(16)]
            np.testing.assert_allclose(numbers, pose[digit], atol=1e-5)
        assert float(row["length"]) == pytest.approx(np.linalg.norm(pose), abs=1e-5)
    assert [rows[0]["reads"], rows[-1]["reads"]] == ["5", "3"]


def test_on_a_phone_the_film_scrolls_by_itself_and_buttons_suit_a_thumb(visit):
    page = opened(visit, ACROSS, width=390, height=800, touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.get_by_test_id("film").evaluate("row => row.scrollWidth > row.clientWidth")
    small = page.locator('[data-panel="journey"]').evaluate(
        """(root) => [...root.querySelectorAll("button, input")]
          .filter((part) => part.offsetParent && part.getBoundingClientRect().height < 44)
          .map((part) => part.outerHTML)"""
    )
    assert small == []
