"""What one can take away of the routing: figures, numbers, the animation, the trace."""

import base64
import csv
import io
import itertools
import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image, ImageColor
from playwright.sync_api import expect

from tests.browser.library import traced
from tests.browser.route import click, opened, rest

SVG = "{http://www.w3.org/2000/svg}"
GIF_LIMIT = 1_500_000
PANELS = {"maps", "votes", "flow", "curves", "capsule", "cut", "pair"}
PATH = "/route?iteration=3&sample=162"
EVERYTHING = f"{PATH}&pinned=8224&cut=t3"  # all panels have something to show


@pytest.fixture(scope="module")
def everything(stay):
    """The page with all its figures, for tests that change nothing."""
    return opened(stay, EVERYTHING)


@pytest.fixture(scope="module")
def shared(stay):
    return opened(stay, PATH)


@pytest.fixture
def page(shared):
    """The page that most tests share, as its link opens it."""
    if shared.get_by_test_id("film-make").text_content() == "Stop":
        click(shared, "film-make")
    if shared.locator('[data-testid="stCode"]').count():
        shared.get_by_text("The lines of Python").click()
    click(shared, f"digit-{traced(162).lengths[2].argmax()}")
    rest(shared, 3)
    return shared


def downloaded(page, button):
    """The file's name and bytes that a click brings."""
    with page.expect_download() as coming:
        button.click()
    return coming.value.suggested_filename, coming.value.path().read_bytes()


def taken(page, panel, kind):
    """What a panel gives as PNG, SVG or CSV."""
    return downloaded(page, page.locator(f'[data-panel="{panel}"] [data-save="{kind}"]'))


def shrunk(image):
    """A picture as grey values [64, 64], so that the edges of lines and letters do not count."""
    return np.asarray(image.convert("L").resize((64, 64), Image.Resampling.BOX), dtype=float)


def rendered(page, svg):
    """What a browser makes of an SVG file, at its own size."""
    url = f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"
    frame = page.context.new_page()
    frame.set_content(f'<body style="margin: 0"><img src="{url}" style="display: block">')
    picture = frame.locator("img").screenshot()
    frame.close()
    return Image.open(io.BytesIO(picture))


def test_every_figure_is_the_same_as_png_and_as_svg_with_words(everything):
    page = everything
    expect(page.locator("[data-save=png]:visible")).to_have_count(len(PANELS))
    for panel in PANELS:
        name, png = taken(page, panel, "png")
        assert re.fullmatch(rf"capsnet-routing-[\w-]+-{panel}-\d-iteration-3\.png", name)
        picture = Image.open(io.BytesIO(png))
        assert shrunk(picture).std() > 3, f"{panel}: a blank PNG"

        name, svg = taken(page, panel, "svg")
        assert name.endswith("-iteration-3.svg")
        drawing = ElementTree.fromstring(svg)
        words = [text.text for text in drawing.iter(f"{SVG}text")]
        assert "iteration 3" in words[0]
        families = {text.get("font-family") for text in drawing.iter(f"{SVG}text")}
        assert all(family.endswith("sans-serif") for family in families)
        size = float(drawing.get("width")), float(drawing.get("height"))
        assert picture.size == pytest.approx([2 * length for length in size], abs=2)
        difference = np.abs(shrunk(rendered(page, svg)) - shrunk(picture))
        assert difference.mean() < 3, f"{panel}: the SVG looks another way"


def test_every_figure_gives_its_numbers(everything):
    page = everything
    expect(page.locator("[data-save=csv]:visible")).to_have_count(len(PANELS))
    for panel in PANELS:
        name, text = taken(page, panel, "csv")
        assert name.endswith("-numbers.csv")
        head, *rows = csv.reader(io.StringIO(text.decode()))
        assert rows and {len(row) for row in rows} == {len(head)}, panel
        assert len(set(head)) == len(head) and all(head), panel


@pytest.mark.parametrize(
    ("scene", "speed", "dark"), [("short", "1", False), ("long", "4", True)], ids=["light", "dark"]
)
def test_the_animation_shows_all_iterations_at_the_speed_chosen(page, visit, scene, speed, dark):
    if dark:
        page = opened(visit, PATH, dark=True)
    page.get_by_test_id("speed").select_option(speed)
    page.get_by_test_id(f"film-{scene}").click()
    expect(page.get_by_test_id("film-note")).to_contain_text(f"at speed {speed} ×")
    name, gif = downloaded(page, page.get_by_test_id("film-make"))
    assert re.fullmatch(r"capsnet-routing-MNIST-test-image-162-\d-iterations(-votes)?\.gif", name)
    expect(page.get_by_test_id("film-note")).to_contain_text(f"Saved {name}")
    assert len(gif) < GIF_LIMIT

    film = Image.open(io.BytesIO(gif))
    assert film.info["loop"] == 0  # for ever
    assert 640 <= film.width <= 800
    frames, times = [], []
    for k in range(film.n_frames):
        film.seek(k)
        frames.append(np.asarray(film.convert("RGB")).astype(int))
        times.append(film.info["duration"])
    stays = [k for k, time in enumerate(times) if time > 100]
    assert len(stays) == 10
    assert sum(times[:-1]) == pytest.approx(9 * 1200 / float(speed), rel=0.1)
    steps = [frames[k] for k in stays]
    changes = [np.abs(a - b).max() for a, b in itertools.pairwise(steps)]
    assert min(changes) > 50
    background = page.get_by_test_id("routing-player").evaluate(
        "player => getComputedStyle(player).getPropertyValue('--st-background-color')"
    )
    assert tuple(steps[-1][2, 2]) == ImageColor.getrgb(background)


def test_the_animation_can_be_stopped(page):
    make = page.get_by_test_id("film-make")
    make.click()
    expect(make).to_have_text("Stop")
    make.click()
    expect(make).to_have_text("Make the GIF")
    expect(page.get_by_test_id("film-progress")).to_be_hidden()


def test_the_trace_that_is_downloaded_is_the_one_on_screen(page):
    lengths = [page.get_by_test_id(f"length-{j}").text_content() for j in range(10)]
    name, archive = downloaded(page, page.get_by_role("button", name="The whole trace (.npz)"))
    assert name.startswith("capsnet-routing-MNIST-test-image-") and name.endswith(".npz")
    trace = np.load(io.BytesIO(archive))
    assert [f"{length:.2f}" for length in trace["lengths"][2]] == lengths
    story = page.get_by_test_id("routing-player").evaluate(
        "player => JSON.stringify(Array.from(player.story.poses))"
    )
    np.testing.assert_allclose(json.loads(story), trace["poses"].ravel(), atol=1e-6)


def test_the_lines_of_python_follow_what_is_chosen(page):
    page.get_by_test_id("digit-4").click()
    page.get_by_text("The lines of Python").click()
    expect(page.locator('[data-testid="stCode"]')).to_contain_text("t, j = 2, 4")
