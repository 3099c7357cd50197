"""The grid of the Rebuild page: every number of the pose from end to end."""

import csv
import functools
import io
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from PIL import Image
from playwright.sync_api import expect

from app import networks
from capsnet.survey import load_survey, survey_path
from tests.browser.library import network, traced

SVG, LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
PATH = "/rebuild?sample=162"
CAPSULE = 5  # reads it
ROWS, STEPS = 16, 11
STARTED = """
() => {
  for (const element of document.querySelectorAll("*")) {
    const grid = element.shadowRoot?.querySelector('[data-testid="grid"]');
    if (grid) return grid.picture(0, 0) && grid.picture(15, 10) && true;
  }
}
"""
# Moves dimension 5 at every frame, as a drag does: [[place of its mark, faint rows, messages], …].
DRAG = """
async (root) => {
  const mark = root.querySelector('[data-testid="sweep-5"] .sweep-now');
  const seen = [];
  const { send } = WebSocket.prototype;
  let sent = 0;
  WebSocket.prototype.send = function (...message) {
    sent += 1;
    return send.apply(this, message);
  };
  for (let k = 0; k < 8; k++) {
    const redrawn = new Promise((go) => root.addEventListener("redrawn", go, { once: true }));
    root.sculptor.move(4, root.sculptor.held.pose[4] + 0.01);
    await redrawn;
    const place = new DOMMatrix(getComputedStyle(mark).transform).m41;
    seen.push([place, root.querySelectorAll(".sweep.faint").length, sent]);
  }
  WebSocket.prototype.send = send;
  return seen;
}
"""


def opened(visit, link=PATH, **options):
    """The page with all pictures of its grid drawn."""
    page = visit(link, **options)
    page.get_by_test_id("grid-title").scroll_into_view_if_needed()
    drawn(page)
    return page


def drawn(page):
    """Wait until the pictures are those of the pose that is held."""
    page.wait_for_timeout(300)
    page.wait_for_function(STARTED)


def picture(page, k, s):
    return np.array(
        page.get_by_test_id("grid").evaluate("(g, [k, s]) => [...g.picture(k, s)]", [k, s])
    )


def held(page):
    """The pose in the hand."""
    return np.array(
        page.get_by_test_id("sculptor").evaluate("root => [...root.sculptor.held.pose]")
    )


def cell(page, k, s):
    """The row of a picture, and where in it the picture is."""
    cells = page.get_by_test_id(f"sweep-{k + 1}").locator(".sweep-cells")
    box = cells.bounding_box()
    return cells, {"x": box["width"] * (s + 0.5) / STEPS, "y": 20}


def decoded(poses):
    """What the library draws of poses [N, 16] of the capsule: [N, 784]."""
    with torch.inference_mode():
        return network().decode(full(poses), CAPSULE).flatten(1).numpy()


def full(poses):
    """All capsules' poses [N, 10, 16], where only one is not 0."""
    everything = torch.zeros(len(poses), 10, 16)
    everything[:, CAPSULE] = torch.from_numpy(np.asarray(poses, dtype=np.float32))
    return everything


@functools.cache
def population():
    path = networks.REPOSITORY / "checkpoints" / "digits.safetensors"
    key = networks.load(path, networks.stamp_of(path)).key
    return load_survey(survey_path(path), key, "poses")


def own_pose():
    return traced(162).poses[2, CAPSULE]


def sweep(k, axes=False, pose=None):
    """Row k of the paper's figure: poses [11, 16]."""
    along = (
        population().axes[CAPSULE, k] * population().spreads[CAPSULE, k] if axes else np.eye(16)[k]
    )
    step = 0.5 if axes else 0.05
    pose = own_pose() if pose is None else pose
    return pose + step * np.arange(-5, 6)[:, None] * along


@pytest.mark.parametrize("basis", ["dimensions", "axes"])
def test_every_picture_is_what_the_library_draws_of_its_pose(visit, basis):
    axes = basis == "axes"
    page = opened(visit, PATH + ("&sliders=axes" if axes else ""))
    for k in (0, 5, 11):
        for s in (0, 4, 10):
            pose = sweep(k, axes)[s]
            np.testing.assert_allclose(picture(page, k, s), decoded([pose])[0], atol=1e-2)


def test_a_click_or_enter_holds_the_pose_of_a_picture_and_the_others_are_drawn_anew(visit):
    page = opened(visit)
    cells, position = cell(page, 2, 8)
    cells.hover(position=position)
    expect(page.get_by_test_id("grid-words")).to_contain_text("Dimension 3 at")
    expect(page.get_by_test_id("grid-words")).to_contain_text("+0.150 from the network")
    cells.click(position=position)
    np.testing.assert_allclose(held(page), sweep(2)[8], atol=1e-5)
    drawn(page)
    moved = sweep(7, pose=sweep(2)[8])[1]
    np.testing.assert_allclose(picture(page, 7, 1), decoded([moved])[0], atol=1e-2)

    page.mouse.move(0, 0)
    page.get_by_test_id("grid").focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft", "Enter"):  # the first shows where one is
        page.keyboard.press(key)
    both = sweep(2)[8].copy()
    both[1] = sweep(1)[7][1]
    np.testing.assert_allclose(held(page), both, atol=1e-5)


def test_the_marks_follow_a_drag_without_the_server_and_the_row_that_moves_stays(visit):
    page = opened(visit)
    page.wait_for_timeout(1500)  # until the page has said all it had to say
    before = picture(page, 4, 0)
    places, faint, sent = np.array(page.get_by_test_id("sculptor").evaluate(DRAG)).T
    assert np.diff(places).min() > 0
    assert (faint == ROWS - 1).all()
    assert not sent.any()
    np.testing.assert_array_equal(picture(page, 4, 0), before)
    drawn(page)
    assert page.locator(".sweep.faint").count() == 0
    np.testing.assert_array_equal(picture(page, 4, 0), before)
    pose = own_pose().copy()
    pose[4] += 0.08
    np.testing.assert_allclose(picture(page, 9, 2), decoded(sweep(9, pose=pose)[2:3])[0], atol=1e-2)


def test_the_network_reads_what_the_library_reads_until_the_pose_moves(visit):
    page = opened(visit)
    read = page.get_by_test_id("grid-read")
    expect(read).to_have_text("Let the network read all 176")
    read.click()
    told = page.get_by_test_id("grid-verdicts")
    expect(told).to_contain_text("The network reads 5 in")

    poses = np.concatenate([sweep(k) for k in range(ROWS)])
    with torch.inference_mode():
        images = torch.from_numpy(decoded(poses)).view(-1, 1, 28, 28)
        lengths = torch.cat([network()(some).lengths for some in images.split(16)]).numpy()
    thresholds = network().metrics["doubt"]
    ordered = np.sort(lengths, axis=1)
    sure = (ordered[:, -1] >= thresholds["length"]) & (
        ordered[:, -1] - ordered[:, -2] >= thresholds["margin"]
    )
    kept = int((sure & (lengths.argmax(axis=1) == CAPSULE)).sum())
    expect(told).to_contain_text(f"in {kept} of the 176 pictures")
    assert 0 < kept < 176
    marks = page.locator(".sweep-rows .sweep-read")
    expect(marks).to_have_count(176 - kept)
    doubted = page.locator(".sweep-rows .sweep-read.doubted")
    expect(doubted).to_have_count(int((~sure).sum()))

    cells, position = cell(page, 0, 7)
    cells.click(position=position)
    expect(marks).to_have_count(0)
    expect(told).to_have_text("")
    expect(read).to_be_enabled()


def test_what_was_passed_over_can_be_asked_again(visit):
    page = opened(visit)
    read = page.get_by_test_id("grid-read")
    read.click()
    for digit in (3, CAPSULE):  # away from what was asked about, and back
        page.wait_for_timeout(150)
        page.get_by_test_id(f"capsule-{digit}").dispatch_event("click")
    drawn(page)
    expect(read).to_be_enabled()
    read.click()
    expect(page.get_by_test_id("grid-verdicts")).to_contain_text("176")


def test_the_pictures_have_the_colours_of_the_theme_and_can_show_what_changes(visit):
    page = opened(visit)
    films = page.get_by_test_id("sweep-1").locator("canvas")
    corner = "(c, x) => [...c.getContext('2d').getImageData(x, 0, 1, 1).data].slice(0, 3)"
    assert films.evaluate(corner, 0) == [255, 255, 255]
    page.emulate_media(color_scheme="dark")
    expect(page.get_by_test_id("grid-preview")).to_be_visible()
    page.wait_for_timeout(1000)
    assert max(films.evaluate(corner, 0)) < 30
    page.get_by_test_id("grid-change").click()
    expect(page.get_by_test_id("grid-scale")).to_contain_text("change")
    neutral = [245, 243, 239]
    middle = 5 * 29  # the network's own picture
    inside = "(c, x) => [...c.getContext('2d').getImageData(x, 0, 28, 28).data]"
    held = np.reshape(films.evaluate(inside, middle), (28 * 28, 4))[:, :3]
    assert np.abs(held - neutral).max() <= 2
    moved = np.reshape(films.evaluate(inside, 0), (28 * 28, 4))[:, :3]
    assert np.abs(moved - neutral).max() > 50


def taken(page, kind):
    """The file's name and bytes."""
    with page.expect_download() as coming:
        page.locator(f'[data-panel="grid"] [data-save="{kind}"]').click()
    return coming.value.suggested_filename, coming.value.path().read_bytes()


def test_the_grid_can_be_taken_away_as_figure_and_as_numbers(visit):
    page = opened(visit)
    name, png = taken(page, "png")
    assert name == "capsnet-grid-MNIST-test-image-162-capsule-5-dimensions-paper.png"
    figure = Image.open(io.BytesIO(png))
    assert figure.width > 1500 and np.asarray(figure.convert("L")).std() > 10

    _, svg = taken(page, "svg")
    drawing = ElementTree.fromstring(svg)
    words = [text.text for text in drawing.iter(f"{SVG}text")]
    assert words[0] == "Capsule 5 of MNIST test image 162, every dimension from end to end"
    assert "−0.25" in words and "no single property" in words
    films = [image.get(LINK) for image in drawing.iter(f"{SVG}image")]
    assert len(films) == ROWS and all(film.startswith("data:image/png") for film in films)
    assert "pixelated" in svg.decode()
    size = float(drawing.get("width")), float(drawing.get("height"))
    assert figure.size == pytest.approx([2 * length for length in size], abs=2)

    _, text = taken(page, "csv")
    rows = list(csv.DictReader(io.StringIO(text.decode())))
    assert len(rows) == ROWS * STEPS
    for row, pose in zip(rows, np.concatenate([sweep(k) for k in range(ROWS)]), strict=True):
        there = [float(row[f"v{d + 1}"]) for d in range(16)]
        np.testing.assert_allclose(there, pose, atol=1e-5)
    change = np.square(decoded(sweep(3)[:1]) - decoded([own_pose()])).sum()
    (first,) = (row for row in rows if (row["number"], row["step"]) == ("4", "-5"))
    assert float(first["squared_difference_from_held"]) == pytest.approx(change, rel=0.02)


def test_a_finger_goes_to_a_picture_on_a_narrow_page(visit):
    page = opened(visit, PATH, width=390, touch=True, dark=True)
    cells, position = cell(page, 1, 6)
    assert cells.bounding_box()["width"] / STEPS >= 40
    cells.scroll_into_view_if_needed()
    cells.tap(position=position)
    np.testing.assert_allclose(held(page), sweep(1)[6], atol=1e-5)
    expect(page.get_by_test_id("grid-words")).to_contain_text("Dimension 2 at")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
