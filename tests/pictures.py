"""Pictures of digits as people take and draw them, made from pen strokes, and how to look at them.

Every picture is a float array ``[H, W]`` or ``[H, W, 3]``, 0 to 255, until :func:`taken` makes an
image of it.
"""

import json
from pathlib import Path

import numpy as np
import torch
from PIL import Image, ImageDraw

DIGITS = [
    [np.array(stroke, dtype=float) for stroke in digit["strokes"]]
    for digit in json.loads((Path(__file__).parent / "data" / "pen_strokes.json").read_text())
]
MNIST_CENTRE = 14.0  # index of the pixel that MNIST's centres of mass lie around


def pixels(image):
    """The 28 × 28 pixels of a batch of one."""
    assert image.shape == (1, 1, 28, 28) and image.dtype == torch.float32
    assert image.min() >= 0 and image.max() <= 1
    return image[0, 0].numpy()


def centre_of_mass(image):
    ink, index = pixels(image), np.arange(28)
    return np.array([ink.sum(1) @ index, ink.sum(0) @ index]) / ink.sum()


def ink_sides(image, level=0.0):
    rows, columns = np.nonzero(pixels(image) > level)
    return np.ptp(rows) + 1, np.ptp(columns) + 1


def rms(a, b):
    return float((a - b).square().mean().sqrt())


def picture(strokes, side=300, width=5, ink=20, paper=235):
    """Strokes drawn as a drawing program would, in the middle of an RGB picture."""
    image = Image.new("RGB", (side, side), (paper,) * 3)
    points = np.concatenate(strokes)
    scale = 0.6 * side / np.ptp(points, axis=0).max()
    for stroke in strokes:
        placed = (stroke - points.min(axis=0)) * scale + 0.2 * side
        ImageDraw.Draw(image).line(list(map(tuple, placed)), (ink,) * 3, width, joint="curve")
    return image


def covered(strokes, width=12):
    """How much ink covers each pixel of a picture of 300 × 300: ``[300, 300, 1]``, 0 to 1."""
    drawn = picture(strokes, 600, 2 * width, 255, 0).convert("L").reduce(2)
    return np.asarray(drawn)[:, :, None] / 255


def written(strokes, ink=(30, 40, 90), paper=(215, 210, 200), width=12):
    """Ink on paper of any colours: ``[300, 300, 3]``."""
    cover = covered(strokes, width)
    return np.array(paper) * (1 - cover) + np.array(ink) * cover


def taken(colours, grain=3.0):
    """The picture as a camera takes it, with noise: uint8."""
    noise = np.random.default_rng(0).normal(0, grain, colours.shape)
    return (colours + noise).clip(0, 255).astype(np.uint8)


def across(low, high, side=300):
    """Light that changes from left to right: ``[1, side, 1]``."""
    return np.linspace(low, high, side)[None, :, None]


def ruled(colours, every=40, colour=(120, 150, 200), strength=0.5, slope=0.03, width=1.5):
    """Lines printed under what is written, slightly aslant."""
    y, x = np.mgrid[: colours.shape[0], : colours.shape[1]]
    off = np.abs((y + slope * x + every / 3) % every - every / 2)
    line = (strength * np.clip(width / 2 + 0.5 - off, 0, 1))[:, :, None]
    return np.minimum(colours, colours * (1 - line) + np.array(colour) * line)


def on_a_table(colours, table=(70, 50, 40)):
    """The sheet on a larger table, not quite straight."""
    sheet = Image.fromarray(colours.clip(0, 255).astype(np.uint8)).convert("RGBA")
    turned = sheet.rotate(6, Image.Resampling.BICUBIC, expand=True)
    whole = Image.new("RGB", (480, 440), table)
    whole.paste(turned, (60, 50), turned)
    return np.asarray(whole, dtype=float)
