"""Networks of other classes than the ten digits, in a browser."""

import csv
import re

import pytest
import torch
from playwright.sync_api import expect

import capsnet
from tests.browser.conftest import serving
from tests.browser.hand import digit, draw, linked, verdict
from tests.browser.test_draw import BEYOND
from tests.networks import CLOTHES, LETTERS, ODD, SHAPES


@pytest.fixture(scope="module")
def others(other_networks, tmp_path_factory):
    """The address of the app with networks of other classes."""
    folder = tmp_path_factory.mktemp("others")
    with serving(folder, CAPSNET_CHECKPOINT=str(other_networks)) as address:
        yield address


def choose(page, title):
    """Choose a network in the page's head."""
    page.get_by_label("Network", exact=True).click()
    page.get_by_role("option", name=title).click()


@pytest.fixture(scope="module")
def clothes(other_networks):
    """The network of clothes."""
    return capsnet.load_checkpoint(other_networks / "clothes.safetensors")


def typical(model, name):
    """Test index of a sample of a class that is read rightly, and its image [1, 1, 28, 28]."""
    shelf = model.samples
    place = (shelf.labels == CLOTHES.index(name)).argmax()
    return shelf.indices[place], torch.from_numpy(shelf.images[place])[None, None].float() / 255


def bars(page):
    """The bars of the lengths."""
    return page.get_by_test_id("lengths").get_by_role("listitem")


def test_every_class_has_a_bar_with_its_name_and_the_length_that_the_network_gives(
    visit, others, clothes
):
    index, image = typical(clothes, "Pullover")
    page = visit(f"/?network=clothes&sample={index}", at=others)
    expect(verdict(page)).to_have_text("Pullover")
    lengths = clothes(image).lengths[0].tolist()
    names = [f"Capsule {n}, length {v:.2f}" for n, v in zip(CLOTHES, lengths, strict=True)]
    assert [bar.get_attribute("aria-label") for bar in bars(page).all()] == names
    expect(page.get_by_text("Length of each class capsule")).to_be_visible()
    note = page.get_by_test_id("verdict-note")
    expect(note).to_contain_text(f"Fashion-MNIST test image {index}: labelled Pullover. Next")
    assert "digit" not in page.get_by_test_id("reading").inner_text()


def test_the_shelf_calls_samples_by_their_class_and_what_is_read_instead(visit, others, clothes):
    sneaker, _ = typical(clothes, "Sneaker")
    page = visit("/?network=clothes", at=others)
    shelf = page.get_by_test_id("shelf")
    expect(shelf.get_by_text("From the Fashion-MNIST test set")).to_be_visible()
    expect(shelf.get_by_label(f"Sample {sneaker}: Sneaker", exact=True)).to_be_visible()
    odd = shelf.get_by_label(f"Sample {ODD}: T-shirt/top, read as Ankle boot")
    chip, button = odd.locator(".chip").bounding_box(), odd.bounding_box()
    assert button["x"] <= chip["x"] and chip["x"] + chip["width"] <= button["x"] + button["width"]
    odd.click()
    expect(verdict(page)).to_have_text("Ankle boot")
    expect(page).to_have_url(re.compile(f"sample={ODD}"))


def test_the_shelf_of_another_network_takes_the_place_of_the_first(visit, others):
    page = visit("/", at=others)
    buttons = page.get_by_test_id("shelf").get_by_role("button")
    expect(buttons).to_have_count(42)
    choose(page, re.compile("clothes"))
    expect(buttons).to_have_count(21)
    expect(verdict(page)).to_have_text(re.compile("[a-z]"))
    choose(page, re.compile("shapes"))
    expect(page.get_by_test_id("verdict-words")).to_have_text("Nothing drawn yet")
    expect(page.get_by_text("capsnet.measure shapes.safetensors")).to_be_visible()
    expect(buttons).to_have_count(0)
    expect(bars(page)).to_have_count(3)
    page.go_back()
    expect(bars(page)).to_have_count(10)
    expect(page).to_have_url(re.compile(r"network=clothes.*sample=\d|sample=\d.*network=clothes"))


def test_a_drawing_stays_on_the_pad_when_the_network_changes(visit, others):
    page = visit("/", at=others)
    expect(verdict(page)).to_be_visible()
    draw(page, digit(7))
    expect(verdict(page)).to_have_text("7")
    drawn = linked(page, 2)
    choose(page, re.compile("handwriting"))
    expect(bars(page)).to_have_count(26)
    expect(page.get_by_test_id("pad-note")).to_have_text("Your drawing")
    expect(page.get_by_test_id("pad-undo")).to_be_enabled()
    assert linked(page, 2) == drawn


def test_without_a_decoder_the_page_says_why_nothing_is_rebuilt(visit, others):
    page = visit("/?network=plain", at=others)
    expect(page.get_by_test_id("undrawn")).to_contain_text("trained without a decoder")
    for name in ("reconstruction", "second-reconstruction"):
        expect(page.get_by_test_id(name)).to_be_hidden()
    with page.expect_download() as download:
        page.get_by_role("button", name="PNG picture").click()
    assert download.value.suggested_filename.endswith(".png")
    choose(page, re.compile("clothes"))
    expect(page.get_by_test_id("reconstruction")).to_be_visible()
    expect(page.get_by_test_id("undrawn")).to_be_hidden()


def test_a_download_names_the_classes(visit, others, clothes, tmp_path):
    index, _ = typical(clothes, "T-shirt/top")
    page = visit(f"/?network=clothes&sample={index}", at=others)
    expect(verdict(page)).to_have_text("T-shirt/top")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV of lengths").click()
    assert download.value.suggested_filename == "capsnet-reads-T-shirt-top.csv"
    download.value.save_as(tmp_path / "lengths.csv")
    with (tmp_path / "lengths.csv").open() as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["class", "length"]
    assert [row[0] for row in rows[1:]] == list(CLOTHES)


@pytest.mark.parametrize(
    ("network", "names"), [("clothes", CLOTHES), ("shapes", SHAPES), ("letters", LETTERS)]
)
def test_all_names_can_be_read_on_a_narrow_page(visit, others, network, names):
    page = visit(f"/?network={network}", at=others, width=390, height=844, dark=True)
    expect(bars(page)).to_have_count(len(names))
    page.wait_for_timeout(1000)
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate(BEYOND) == []
    for bar, name in zip(bars(page).all(), names, strict=True):
        label = bar.locator(".name")
        assert label.inner_text() == name
        assert label.evaluate("(e) => e.scrollHeight - e.clientHeight") <= 1  # nothing is cut off
        assert label.bounding_box()["width"] < 160
