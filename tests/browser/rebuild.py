"""The Rebuild page, and what it holds."""

import re
from pathlib import Path

import numpy as np
from playwright.sync_api import expect

import capsnet
from capsnet.survey import load_survey, survey_path

CHECKPOINT = Path(capsnet.__file__).parents[1] / "checkpoints" / "mnist.safetensors"


def arrived(page):
    """Wait until the page shows a picture and has the network."""
    expect(page.get_by_test_id("squared-error")).to_have_text(re.compile(r"\d+\.\d"))
    page.wait_for_function("globalThis.capsnetNetworks?.size > 0")


def ask(page, question, *values):
    """What a function of the sculptor and of `values` says, in JavaScript."""
    return page.get_by_test_id("sculptor").evaluate(
        f"(section, values) => ({question})(section.sculptor, ...values)", list(values)
    )


def surveyed(page, section):
    """What the survey knows of the page's network."""
    key = page.evaluate("[...capsnetNetworks.keys()][0]")
    return load_survey(survey_path(CHECKPOINT), key, section)


def held(page):
    """The pose that is held, and which capsule's."""
    return np.array(ask(page, "s => [...s.held.pose]")), ask(page, "s => s.held.digit")


def type_number(page, name, text):
    """Type a number into a row of the sliders."""
    field = page.get_by_test_id(f"value-{name}")
    field.fill(text)
    field.press("Enter")
