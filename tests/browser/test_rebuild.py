"""The sliders and the decoder that runs in the browser."""

import itertools
import re

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

import capsnet
from capsnet.analysis.population import percentile, standing
from tests.browser.rebuild import CHECKPOINT, arrived, ask, surveyed, type_number


@pytest.fixture
def page(visit):
    """The Rebuild page with its network arrived."""
    page = visit("/rebuild?network=mnist")
    arrived(page)
    return page


def pixels(page):
    return page.get_by_test_id("rebuilt").evaluate("canvas => Array.from(canvas.pixels())")


def test_the_browsers_decoder_agrees_with_the_librarys(page):
    generator = torch.Generator().manual_seed(0)
    poses = torch.randn(20, 16, generator=generator) * 0.3
    digits = torch.randint(0, 10, (20,), generator=generator)
    browser = page.get_by_test_id("sculptor").evaluate(
        """(root, [digits, poses]) => poses.map(
            (pose, k) => Array.from(root.decode(digits[k], Float32Array.from(pose))))""",
        [digits.tolist(), poses.tolist()],
    )
    full = torch.zeros(20, 10, 16)
    full[torch.arange(20), digits] = poses
    library = capsnet.load_checkpoint(CHECKPOINT).decode(full, digits).flatten(1)
    np.testing.assert_allclose(np.array(browser), library.numpy(), atol=1e-2)


def test_the_browsers_population_agrees_with_the_librarys(page):
    population = surveyed(page, "poses")
    chance = np.random.default_rng(0)
    for digit in (0, 1, 5, 8):
        poses = chance.normal(population.mean[digit], 2 * population.deviation[digit], (6, 16))
        poses[0] = population.quantiles[digit, :, 0]  # the least of all
        poses[1] = population.quantiles[digit, :, 23]  # exactly a kept percentile
        poses[2] = 2  # more than any
        said = ask(
            page,
            """(s, digit, poses) => {
              const { population } = s.network.atlas;
              return poses.map((pose) => {
                const scores = population.scores(digit, pose);
                return {
                  percentiles: pose.map(
                    (x, k) => population.percentile(population.quantiles(digit, k), x)),
                  scores: [...scores],
                  back: [...population.poseAt(digit, scores)],
                  distance: population.distance(digit, pose),
                  farness: population.farness(digit, pose),
                };
              });
            }""",
            digit,
            poses.tolist(),
        )
        for one, pose in zip(said, poses, strict=True):
            there = standing(population, digit, pose)
            np.testing.assert_allclose(one["percentiles"], there.percentiles, atol=1e-3)
            np.testing.assert_allclose(one["scores"], population.scores(digit, pose), atol=1e-3)
            np.testing.assert_allclose(one["back"], pose, atol=1e-4)
            assert one["distance"] == pytest.approx(there.distance, rel=1e-4)
            assert one["farness"] == pytest.approx(there.distance_percentile, abs=1e-2)


def test_a_value_that_many_share_stands_in_their_middle(page):
    known = ask(page, "s => s.network.atlas.population.levels")
    shared = np.round(np.linspace(0, 1, len(known)), 1)
    values = [*np.unique(shared), -1, 2, 0.05, 0.33]
    said = ask(
        page,
        """(s, shared, values) =>
            values.map((x) => s.network.atlas.population.percentile(shared, x))""",
        shared.tolist(),
        list(map(float, values)),
    )
    np.testing.assert_allclose(said, percentile(shared, values), atol=1e-9)


def test_dragging_a_slider_redraws_while_it_is_dragged(page):
    slider = page.get_by_test_id("dimensions").get_by_role("slider").nth(4)
    slider.scroll_into_view_if_needed()
    before = pixels(page)
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    seen = []
    for part in (0.65, 0.8, 0.97):
        page.mouse.move(box["x"] + box["width"] * part, y, steps=4)
        page.wait_for_timeout(150)
        seen.append(pixels(page))  # the button is still down
    page.mouse.up()
    pictures = [before, *seen]
    for one, other in itertools.pairwise(pictures):
        assert np.abs(np.array(one) - np.array(other)).max() > 1e-4
    expect(page.get_by_test_id("again")).to_contain_text("Reads")

    page.get_by_test_id("reset-all").click()
    page.wait_for_timeout(500)
    np.testing.assert_allclose(pixels(page), before, atol=1e-6)


def test_the_picture_stops_where_its_network_goes_and_comes_back_with_it(page):
    before = pixels(page)
    slider = page.get_by_test_id("slider-3")
    page.evaluate(
        """() => {
          window.kept = [...capsnetNetworks];
          capsnetNetworks.clear();
          dispatchEvent(new Event("capsnet-network"));
        }"""
    )
    slider.focus()
    page.keyboard.press("PageUp")
    page.wait_for_timeout(300)
    assert pixels(page) == before
    page.evaluate(
        """() => {
          kept.forEach(([key, network]) => capsnetNetworks.set(key, network));
          dispatchEvent(new Event("capsnet-network"));
        }"""
    )
    page.wait_for_timeout(500)
    assert np.abs(np.array(pixels(page)) - np.array(before)).max() > 1e-4


def test_a_losing_capsule_is_called_one(page):
    pressed = page.get_by_test_id("capsules").get_by_role("button", pressed=True)
    winner = int(pressed.get_attribute("data-testid").split("-")[1])
    before = pixels(page)
    page.get_by_test_id(f"capsule-{(winner + 1) % 10}").click()
    expect(page.get_by_test_id("losing-note")).to_contain_text("lost")
    assert np.abs(np.array(pixels(page)) - np.array(before)).max() > 0.05


def test_a_settled_pose_survives_the_other_views(page):
    slider = page.get_by_test_id("dimensions").get_by_role("slider").nth(2)
    slider.focus()
    before = float(slider.input_value())
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(2500)  # until it has settled and Python has it
    edited = slider.input_value()
    assert float(edited) == pytest.approx(before + 0.08, abs=1e-5)
    page.get_by_role("link", name="Route", exact=True).first.click()
    expect(page.get_by_test_id("iteration-words")).to_be_visible()
    page.get_by_role("link", name="Rebuild", exact=True).first.click()
    again = page.get_by_test_id("dimensions").get_by_role("slider").nth(2)
    expect(again).to_have_value(edited)


def test_back_goes_to_the_pose_before_and_undo_to_the_one_that_was_left(page):
    for text in ("0.100", "0.200"):
        before = page.url
        type_number(page, 3, text)
        page.wait_for_url(lambda url, before=before: url != before)
    page.go_back()
    expect(page.get_by_test_id("value-3")).to_have_value("0.100")
    page.get_by_test_id("undo").click()
    expect(page.get_by_test_id("value-3")).to_have_value("0.200")


def test_the_decoder_follows_the_network_that_is_chosen_on_the_page(visit, choosing, networks):
    page = visit("/rebuild", at=choosing)
    choice = page.get_by_label("Network", exact=True)
    pose = torch.linspace(-0.3, 0.3, 16)
    full = torch.zeros(1, 10, 16)
    full[0, 4] = pose
    key, shown = None, np.zeros(784)
    for name, title in (("digits", "pen strokes"), ("mnist", "alone"), ("digits", "pen strokes")):
        if key:
            choice.click()
            page.get_by_role("option", name=re.compile(title)).click()
        expect(choice).to_have_value(re.compile(title))
        arrived = "was => { for (const key of globalThis.capsnetNetworks?.keys() ?? []) "
        page.wait_for_function(f"{arrived} return key !== was; }}", arg=key)
        key = page.evaluate("[...globalThis.capsnetNetworks.keys()][0]")
        drawn = page.get_by_test_id("sculptor").evaluate(
            "(root, pose) => Array.from(root.decode(4, Float32Array.from(pose)))", pose.tolist()
        )
        model = capsnet.load_checkpoint(networks / f"{name}.safetensors")
        np.testing.assert_allclose(drawn, model.decode(full, 4).flatten().numpy(), atol=1e-2)
        page.wait_for_timeout(500)  # until the picture is drawn, too
        before, shown = shown, np.array(pixels(page))
        assert np.abs(shown - before).max() > 0.05
    expect(page).not_to_have_url(re.compile("network="))
