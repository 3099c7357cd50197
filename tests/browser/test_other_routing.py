"""Networks of other classes and sizes than the paper's, on the Route and Rebuild pages."""

import csv
import io

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

import capsnet
from tests.browser.conftest import serving
from tests.browser.hand import digit, draw
from tests.browser.rebuild import arrived, ask
from tests.browser.route import click
from tests.browser.test_draw import BEYOND
from tests.browser.test_route_exports import PANELS, taken
from tests.networks import CLOTHES, LETTERS, SHAPES

OF_EACH = {"clothes": CLOTHES, "shapes": SHAPES, "letters": LETTERS}


@pytest.fixture(scope="module")
def others(other_networks, tmp_path_factory):
    """The address of the app with networks of other classes."""
    folder = tmp_path_factory.mktemp("others")
    with serving(folder, CAPSNET_CHECKPOINT=str(other_networks)) as address:
        yield address


def on_route(visit, at, network, link="", **options):
    """The Route page, at iteration 3."""
    page = visit(f"/route?network={network}&iteration=3{link}", at=at, **options)
    expect(page.get_by_test_id("iteration-words")).to_contain_text("Iteration 3:")
    return page


def rows_of(data):
    return list(csv.reader(io.StringIO(data.decode())))


# --- Route ------------------------------------------------------------------------------------


@pytest.mark.parametrize("network", OF_EACH)
def test_every_panel_comes_up_with_the_names_of_the_classes(visit, others, network):
    page, names = on_route(visit, others, network), list(OF_EACH[network])
    for panel in PANELS - {"pair"}:
        section = page.locator(f'[data-panel="{panel}"]')
        section.scroll_into_view_if_needed()
        sizes = section.locator("canvas:visible").evaluate_all("all => all.map(c => c.width)")
        assert sizes and min(sizes) > 10, panel
    buttons = page.get_by_test_id("digit-buttons").locator("button .name")
    assert buttons.all_inner_texts() == names
    for select in ("pick-digit", "votes-digit", "votes-rival"):
        assert page.get_by_test_id(select).locator("option").all_inner_texts() == names
    heads = page.get_by_test_id("capsule-table").locator("thead th")
    assert heads.all_inner_texts() == ["Iteration", *names, "Σ"]
    text = page.get_by_test_id("routing-player").inner_text()
    assert "{" not in text and "undefined" not in text and "NaN" not in text
    assert "digit" not in text.lower().replace("give another last digit", "")


def test_lengths_and_couplings_are_those_that_the_library_computes(visit, others, other_networks):
    page = on_route(visit, others, "clothes", "&sample=2")
    model = capsnet.load_checkpoint(other_networks / "clothes.safetensors")
    image = torch.from_numpy(model.samples.images[model.samples.place(2)])
    trace = model.trace(image[None, None].float() / 255)
    shown = [page.get_by_test_id(f"length-{j}").inner_text() for j in range(len(CLOTHES))]
    assert shown == [f"{length:.2f}" for length in trace.lengths[2, 0].tolist()]
    name, data = taken(page, "capsule", "csv")
    assert name == "capsnet-routing-Fashion-MNIST-test-image-2-capsule-Pullover-numbers.csv"
    head, *rows = rows_of(data)
    assert head[2] == "class"
    capsule, column = int(rows[0][0]), head.index("coupling")
    couplings = np.array([float(row[column]) for row in rows]).reshape(10, len(CLOTHES))
    np.testing.assert_allclose(couplings, trace.couplings[:, 0, capsule], atol=1e-5)
    assert [row[2] for row in rows[: len(CLOTHES)]] == list(CLOTHES)


def test_names_with_commas_and_strokes_stay_whole_in_files(visit, others):
    page = on_route(visit, others, "shapes", "&digit=0")
    name, data = taken(page, "maps", "csv")
    assert name == "capsnet-routing-your-drawing-maps-Circle-filled-numbers.csv"
    head, *rows = rows_of(data)
    assert {len(row) for row in rows} == {len(head)}
    assert {row[1] for row in rows} == set(SHAPES)
    page = on_route(visit, others, "clothes", "&sample=2&digit=0")
    assert "maps-T-shirt-top-iteration-3.png" in taken(page, "maps", "png")[0]


@pytest.mark.parametrize(
    ("network", "key", "length"),
    [("clothes", "7", "length-7"), ("letters", "w", "length-22"), ("letters", "4", "length-4")],
)
def test_a_figure_or_a_letter_chooses_its_class(visit, others, network, key, length):
    page = on_route(visit, others, network)
    page.keyboard.press(key)
    column = page.get_by_test_id(length.replace("length", "digit"))
    expect(column).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("network", ["clothes", "letters"])
def test_nothing_runs_off_or_over_a_narrow_page(visit, others, network):
    page = on_route(visit, others, network, width=390, height=844, touch=True, dark=True)
    page.wait_for_timeout(1000)
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate(BEYOND) == []
    names = page.get_by_test_id("digit-buttons").locator("button .name")
    for name in names.all():
        button = name.locator("..").bounding_box()
        assert name.bounding_box()["width"] <= button["width"]


def test_without_a_decoder_a_cut_tells_lengths_and_draws_nothing(visit, others):
    page = on_route(visit, others, "plain", "&sample=2&cut=t1")
    expect(page.get_by_test_id("cut-words")).to_contain_text("now it")
    expect(page.get_by_test_id("cut-pictures")).to_be_hidden()
    assert len(taken(page, "cut", "png")[1]) > 10_000
    click(page, "cut-restore")
    expect(page.get_by_test_id("cut-words")).to_contain_text("Silence primary capsules")


# --- Rebuild ----------------------------------------------------------------------------------


def test_a_pose_of_six_numbers_is_on_six_sliders_and_drawn_as_the_library_draws_it(
    visit, others, other_networks
):
    page = visit("/rebuild?network=clothes&sample=2", at=others)
    arrived(page)
    expect(page.get_by_test_id("dimensions").locator("input[type=range]")).to_have_count(6)
    model = capsnet.load_checkpoint(other_networks / "clothes.safetensors")
    pose = torch.linspace(-0.4, 0.4, 6)
    poses = torch.zeros(1, len(CLOTHES), 6)
    poses[0, 9] = pose
    drawn = ask(page, "(s, pose) => [...s.decoder.decode(9, pose)]", pose.tolist())
    expected = model.decode(poses, 9).flatten().numpy()
    np.testing.assert_allclose(drawn, expected, atol=2e-3)
    assert page.get_by_test_id("capsules").locator("b").all_inner_texts() == list(CLOTHES)
    text = page.get_by_test_id("sculptor").inner_text()
    assert "{" not in text and "undefined" not in text and "NaN" not in text
    expect(page.get_by_test_id("pose-words")).to_contain_text("Where real images lie is not known.")
    expect(page.get_by_test_id("pose-words")).to_contain_text("clothes.safetensors")


def test_the_network_reads_all_pictures_of_the_grid_by_their_names(visit, others):
    page = visit("/rebuild?network=clothes&sample=2", at=others)
    arrived(page)
    button = page.get_by_test_id("grid-read")
    expect(button).to_have_text("Let the network read all 66")
    button.click()
    expect(page.get_by_test_id("grid-verdicts")).to_contain_text("of the 66 pictures")


def test_a_journey_leads_to_a_sample_of_the_networks_own(visit, others):
    page = visit("/rebuild?network=clothes&sample=2&journey=sample-9", at=others)
    arrived(page)
    expect(page.get_by_test_id("trip-to")).to_have_text("Fashion-MNIST test image 9")
    there = page.get_by_test_id("there-9")
    expect(there).to_have_attribute("aria-label", "To sample 9: Ankle boot")
    page = visit("/rebuild?network=shapes", at=others)
    arrived(page)
    expect(page.locator(".theres")).to_be_hidden()


@pytest.mark.parametrize("network", ["clothes", "letters"])
def test_nothing_runs_off_a_narrow_rebuild_page(visit, others, network):
    page = visit(f"/rebuild?network={network}", at=others, width=390, height=844, touch=True)
    arrived(page)
    page.wait_for_timeout(1000)
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate(BEYOND) == []


def test_a_drawing_goes_through_all_pages_of_another_network(visit, others):
    page = visit("/?network=letters", at=others)
    expect(page.get_by_test_id("lengths").get_by_role("listitem")).to_have_count(26)
    draw(page, digit(7))
    page.get_by_role("link", name="Route").click()
    expect(page.get_by_test_id("map-title")).to_contain_text("over the drawing")
    page.get_by_role("link", name="Rebuild").click()
    arrived(page)
    expect(page.get_by_test_id("capsules").get_by_role("button")).to_have_count(26)
