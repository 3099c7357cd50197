"""The sliders and the decoder that runs in the browser."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

import capsnet

CHECKPOINT = Path(capsnet.__file__).parents[1] / "checkpoints" / "mnist.safetensors"


@pytest.fixture
def page(visit):
    """The Rebuild page with the decoder arrived."""
    page = visit("/rebuild?network=mnist")
    expect(page.get_by_test_id("squared-error")).to_have_text(re.compile(r"\d+\.\d"))
    page.wait_for_function("globalThis.capsnetDecoders?.size > 0")
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


def test_the_film_stops_where_its_decoder_goes_and_comes_back_with_it(page):
    frame = page.get_by_test_id("frame-0").locator("canvas")
    before = frame.evaluate("canvas => canvas.toDataURL()")
    page.get_by_test_id("capsule-3").evaluate(
        """async (button) => {
          button.click();
          await new Promise(requestAnimationFrame);  // the film is about to be drawn
          window.kept = [...capsnetDecoders];
          capsnetDecoders.clear();
          dispatchEvent(new Event("capsnet-decoder"));
        }"""
    )
    page.wait_for_timeout(300)
    assert frame.evaluate("canvas => canvas.toDataURL()") == before
    page.evaluate(
        """() => {
          kept.forEach(([key, decoder]) => capsnetDecoders.set(key, decoder));
          dispatchEvent(new Event("capsnet-decoder"));
        }"""
    )
    page.wait_for_timeout(1000)
    assert frame.evaluate("canvas => canvas.toDataURL()") != before


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
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(2500)  # until it has settled and Python has it
    edited = slider.input_value()
    assert float(edited) > 0
    page.get_by_role("link", name="Route", exact=True).first.click()
    expect(page.get_by_test_id("iteration-words")).to_be_visible()
    page.get_by_role("link", name="Rebuild", exact=True).first.click()
    again = page.get_by_test_id("dimensions").get_by_role("slider").nth(2)
    expect(again).to_have_value(edited)


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
        arrived = "was => { for (const key of globalThis.capsnetDecoders?.keys() ?? []) "
        page.wait_for_function(f"{arrived} return key !== was; }}", arg=key)
        key = page.evaluate("[...globalThis.capsnetDecoders.keys()][0]")
        drawn = page.get_by_test_id("sculptor").evaluate(
            "(root, pose) => Array.from(root.decode(4, Float32Array.from(pose)))", pose.tolist()
        )
        model = capsnet.load_checkpoint(networks / f"{name}.safetensors")
        np.testing.assert_allclose(drawn, model.decode(full, 4).flatten().numpy(), atol=1e-2)
        page.wait_for_timeout(500)  # until the picture is drawn, too
        before, shown = shown, np.array(pixels(page))
        assert np.abs(shown - before).max() > 0.05
    expect(page).not_to_have_url(re.compile("network="))
