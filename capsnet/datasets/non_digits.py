"""Drawings that are no digits: what a network should not be sure of.

Letters in four of A. V. Hershey's single-line fonts (1967), scribbles of one line and polygons at
random, each changed and drawn as pen digits are. Letters that one would read as a digit are left
out. The fonts come with the package Hershey-Fonts, which only this module needs.
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from functools import cache

import numpy as np
import torch
from torch import Tensor

from capsnet.data import DataError
from capsnet.datasets.pen import PenChange, Strokes
from capsnet.preprocessing.drawing import FloatArray, from_strokes

FONTS = ("futural", "rowmans", "scripts", "cursive")
LIKE_DIGITS = "BbDGgIilJjOoQqSsZz"
LETTERS = "".join(letter for letter in string.ascii_letters if letter not in LIKE_DIGITS)
THICKNESS = (2.0, 3.5)
"""Thinnest and thickest pen, in pixels of the 28 × 28 image."""


def non_digits(count: int, seed: int = 0) -> dict[str, Tensor]:
    """Draw `count` letters and as many scribbles.

    Returns:
        `letters` and `scribbles`, uint8 [count, 28, 28] each, ink is 255.

    Raises:
        DataError: The fonts are not installed.
    """
    random = np.random.default_rng(seed)
    return {
        "letters": _drawn(_letters(random), count, random),
        "scribbles": _drawn(_scribbles(random), count, random),
    }


def _drawn(drawings: Iterator[Strokes], count: int, random: np.random.Generator) -> Tensor:
    change = PenChange()
    images = [
        from_strokes(change(next(drawings), random), thickness=random.uniform(*THICKNESS))[0]
        for _ in range(count)
    ]
    return (torch.cat(images) * 255).round().to(torch.uint8)


def _letters(random: np.random.Generator) -> Iterator[Strokes]:
    while True:
        yield _letter(str(random.choice(FONTS)), str(random.choice(list(LETTERS))))


@cache
def _letter(font: str, letter: str) -> Strokes:
    try:
        from HersheyFonts import HersheyFonts
    except ImportError as error:
        raise DataError(
            "the letters need the fonts of the package Hershey-Fonts: pip install Hershey-Fonts"
        ) from error
    fonts = HersheyFonts()
    fonts.load_default_font(font)
    strokes = (
        np.array(list(points), dtype=np.float64) for points in fonts.strokes_for_text(letter)
    )
    return tuple(points for points in strokes if len(points))


def _scribbles(random: np.random.Generator) -> Iterator[Strokes]:
    while True:
        yield (_curve(random),)
        yield (random.uniform(0, 1, (random.integers(4, 9), 2)),)


def _curve(random: np.random.Generator) -> FloatArray:
    """A line that wanders smoothly: a few waves along x and y."""
    time = np.linspace(0, 1, 200)[:, None]
    waves = random.integers(2, 7)
    frequency = 2 * np.pi * np.arange(1, waves + 1) * random.uniform(0.5, 1.5, waves)
    return np.sin(time * frequency + random.uniform(0, 7, waves)) @ random.normal(0, 1, (waves, 2))
