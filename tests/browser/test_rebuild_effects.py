"""The table of measured effects on the Rebuild page, against the library's own numbers."""

import csv
import io
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

import capsnet
from capsnet.analysis.effects import EXPLAINED, SAME, STRONG, single_effect
from capsnet.analysis.strokes import PROPERTIES
from capsnet.survey import checkpoint_key, load_survey, survey_path

CHECKPOINT = Path(capsnet.__file__).parents[1] / "checkpoints" / "digits.safetensors"
NAMES = [one.name for one in PROPERTIES]
SVG = "{http://www.w3.org/2000/svg}"
HELD = 5
HEAD, LEGEND = 56, 62  # heights above and below the rows
COUNT_MESSAGES = """
() => {
  const send = WebSocket.prototype.send;
  window.messages = 0;
  WebSocket.prototype.send = function (...given) {
    window.messages += 1;
    return send.apply(this, given);
  };
}
"""


@pytest.fixture(scope="module")
def effects():
    key = checkpoint_key(CHECKPOINT)
    return {name: load_survey(survey_path(CHECKPOINT), key, name) for name in ("effects", "axes")}


def opened(visit, query="", **options):
    """The Rebuild page with capsule HELD in the hand, scrolled to the table."""
    page = visit(f"/rebuild?network=digits&capsule={HELD}{query}", **options)
    panel(page).scroll_into_view_if_needed()
    expect(page.get_by_test_id("effects-summary")).to_contain_text(f"Capsule {HELD}:")
    return page


@pytest.fixture(scope="module")
def page(stay):
    return opened(stay)


def panel(page):
    return page.locator('[data-panel="effects"]')


def words(page):
    return page.get_by_test_id("effect-words")


def chosen(page):
    return page.get_by_test_id("sculptor").evaluate("section => section.sculptor.held.dimension")


def taken(page, kind):
    with page.expect_download() as coming:
        panel(page).locator(f"[data-save={kind}]").click()
    return coming.value.suggested_filename, coming.value.path().read_bytes()


def numbers(text):
    return [float(one.replace("−", "-")) for one in re.findall(r"[+−]?\d+(?:\.\d+)?", text)]


def pressed(page, keys):
    """The sentence after some keys on the table, from its first row and cell."""
    page.get_by_test_id("effects-matrix").focus()
    for key in ["PageUp", "Home", *keys]:
        page.keyboard.press(key)
    return words(page).text_content()


def test_a_cell_says_the_measured_slope_and_how_many_digits_agree(page, effects):
    found = effects["effects"]
    for k, p in ((0, 8), (2, 0), (15, 1), (3, 6)):
        told = pressed(page, ["ArrowDown"] * k + ["ArrowRight"] * (p + 1))
        at = HELD, k, p
        assert told.startswith(f"Dimension {k + 1}, {NAMES[p]}: ")
        slope, spread, per, count, digit, same, *_, strength = numbers(told.split(": ", 1)[1])
        assert slope == pytest.approx(found.slope[at], rel=0.06)
        assert spread == pytest.approx(found.spread[at], rel=0.06)
        assert (per, count, digit) == (0.1, found.count[HELD], HELD)
        assert same == round(100 * found.same[at])
        assert strength == pytest.approx(found.strength[at], rel=0.06)
        assert ("too few" in told) == (found.same[at] < SAME)


def test_the_head_counts_what_the_library_names(page, effects):
    found = effects["effects"]
    named = [[single_effect(found, j, k) is not None for k in range(16)] for j in range(10)]
    told = page.get_by_test_id("effects-summary").text_content()
    assert f"Capsule {HELD}: {sum(named[HELD])} of 16 dimensions" in told
    assert f"Over all capsules {sum(map(sum, named))} of 160 dimensions" in told
    clear = (np.abs(found.strength[HELD]) >= STRONG) & (found.same[HELD] >= SAME)
    assert f"Thickness is changed by {clear[:, 0].sum()} of them" in told


def test_a_row_without_a_name_says_what_changes_most_but_never_calls_it_one(page, effects):
    found = effects["effects"]
    for k in range(16):
        told = pressed(page, ["ArrowDown"] * k)
        one = single_effect(found, HELD, k)
        assert told.startswith(f"Dimension {k + 1}: {one.words() if one else 'no single property'}")
        if one:
            continue
        size = np.where(found.same[HELD, k] >= SAME, np.abs(found.strength[HELD, k]), 0)
        shape = np.delete(size, NAMES.index("ink"))
        unmeasured = found.change[HELD, k] ** 0.5 > EXPLAINED * max(STRONG, shape.max())
        assert ("mostly what is not measured" in told) == unmeasured
        if not unmeasured and shape.max() >= STRONG:
            strongest = PROPERTIES[np.where(np.array(NAMES) == "ink", 0, size).argmax()]
            more = found.slope[HELD, k, NAMES.index(strongest.name)] > 0
            assert f"mostly {strongest.more if more else strongest.less}" in told


def test_a_click_on_a_row_chooses_its_number_and_asks_no_server(page):
    page.evaluate(COUNT_MESSAGES)
    canvas = page.get_by_test_id("effects-matrix")
    row = (canvas.bounding_box()["height"] - HEAD - LEGEND) / 16
    for k in (11, 2):
        canvas.click(position={"x": 300, "y": HEAD + row * (k + 0.5)})
        assert chosen(page) == k
        expect(words(page)).to_contain_text(f"Dimension {k + 1}, ")
    page.wait_for_timeout(500)
    assert page.evaluate("messages") == 0


def test_the_numbers_of_all_digits_can_be_taken_away(page, effects):
    name, text = taken(page, "csv")
    assert name == "capsnet-effects-dimensions-all-digits.csv"
    rows = list(csv.DictReader(io.StringIO(text.decode())))
    assert len(rows) == 10 * 16 * len(NAMES)
    found = effects["effects"]
    for row in rows:
        digit, k = int(row["capsule"]), int(row["dimension"]) - 1
        at = digit, k, NAMES.index(row["property"])
        for column, values in (("slope_per_0.1", found.slope), ("strength", found.strength)):
            assert float(row[column]) == pytest.approx(values[at], rel=1e-4, abs=1e-6)
        one = single_effect(found, digit, k)
        assert row["words"] == (one.words() if one else "no single property")
        assert (row["names_it"] == "1") == (one is not None and one.property.name == NAMES[at[2]])


def test_the_table_is_a_picture_to_take_away(page):
    name, png = taken(page, "png")
    assert name == f"capsnet-effects-dimensions-capsule-{HELD}.png"
    size = Image.open(io.BytesIO(png)).size
    name, svg = taken(page, "svg")
    assert name.endswith(".svg")
    drawing = ElementTree.fromstring(svg)
    assert size == (2 * float(drawing.get("width")), 2 * float(drawing.get("height")))
    told = [text.text for text in drawing.iter(f"{SVG}text")]
    assert told[0] == f"What the dimensions of capsule {HELD} do"
    assert set(NAMES) <= set(told)


def test_axes_have_effects_of_their_own_and_rows_follow_the_order(visit, effects):
    page = opened(visit, "&sliders=axes-change")
    found = effects["axes"]
    named = sum(single_effect(found, HELD, k) is not None for k in range(16))
    expect(page.get_by_test_id("effects-summary")).to_contain_text(f"{named} of 16 axes")
    for row, k in enumerate(found.by_change(HELD)[:3]):
        assert pressed(page, ["ArrowDown"] * row).startswith(f"Axis {k + 1}: ")


def test_another_capsules_effects_are_called_none_of_the_inputs(visit):
    page = visit("/rebuild?network=digits&sample=162&capsule=0")
    panel(page).scroll_into_view_if_needed()
    winner = page.get_by_test_id("sculptor").evaluate("section => section.sculptor.data.winner")
    expect(page.get_by_test_id("effects-whose")).to_contain_text(f"lost to {winner}")
    page.get_by_test_id(f"capsule-{winner}").dispatch_event("click")
    expect(page.get_by_test_id("effects-summary")).to_contain_text(f"Capsule {winner}:")
    expect(page.get_by_test_id("effects-whose")).not_to_contain_text("lost")


def test_without_a_survey_it_says_how_to_make_one(visit, choosing):
    page = visit("/rebuild", at=choosing)
    panel(page).scroll_into_view_if_needed()
    expect(page.get_by_test_id("effects-missing")).to_contain_text("python -m capsnet.survey")
    expect(page.get_by_test_id("effects-matrix")).to_be_hidden()
    expect(panel(page).locator("[data-save=csv]")).to_be_disabled()


def test_a_phone_shows_all_columns_and_a_tap_reads_a_cell(visit):
    page = opened(visit, width=390, touch=True)
    canvas = page.get_by_test_id("effects-matrix")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    canvas.tap(position={"x": 24 + 36 * 1.5, "y": 74 + 48 * 4 + 12})
    expect(words(page)).to_contain_text("Dimension 5, slant")
    assert chosen(page) == 4
