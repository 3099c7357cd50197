"""The pictures that a training leaves in its log: rows of cells with words, as RGB bytes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

Bytes = NDArray[np.uint8]
Floats = NDArray[np.floating]

CELL = 84  # pixels: 3 for each of an MNIST image's, 14 for each of the 6 × 6 places
LABEL, LINE, GAP = 110, 16, 2  # pixels: the words beside a row, a line of words, between cells
BAR = 10  # pixels: height of the scale
FAINT = 1e-4  # bits: where the scale of decided couplings begins
VIRIDIS = np.array(  # ten of the colours, from 0 to 1; what lies between is interpolated
    [
        [0x44, 0x01, 0x54],
        [0x48, 0x28, 0x78],
        [0x3E, 0x49, 0x89],
        [0x31, 0x68, 0x8E],
        [0x26, 0x82, 0x8E],
        [0x1F, 0x9E, 0x89],
        [0x35, 0xB7, 0x79],
        [0x6E, 0xCE, 0x58],
        [0xB5, 0xDE, 0x2B],
        [0xFD, 0xE7, 0x25],
    ]
)


def reconstruction_sheet(
    images: Floats, drawn: Floats | None, names: Sequence[str], read: Sequence[str]
) -> Bytes:
    """Return images above what the network draws of them, and what it reads.

    Args:
        images: [N, H, W], values 0…1.
        drawn: The reconstructions, the same shape; None for a network without a decoder.
        names: The true classes, N.
        read: What the network reads in each image, N.
    """
    rows = [("image", grey(images))]
    if drawn is not None:
        rows.append(("reconstruction", grey(drawn)))
    return sheet(names, rows, read)


def entropy_sheet(entropy: Floats, names: Sequence[str], bits: float) -> Bytes:
    """Return where the couplings have decided, a row an iteration, and the scale.

    The entropies of three iterations differ in the third decimal, so the colours tell how far
    below equal couplings each place is, from FAINT to all `bits` bits, equal steps for equal
    factors.

    Args:
        entropy: Mean over the types at each place, [T, N, grid, grid], in 0…`bits`.
        names: The true classes, N.
        bits: log₂ of the number of classes, the entropy of equal couplings.
    """
    decided = np.log(np.maximum(bits - entropy, FAINT) / FAINT) / np.log(bits / FAINT)
    rows = [
        (f"iteration {t}\n{entropy[t - 1].mean():.4f} bits", viridis(maps))
        for t, maps in enumerate(decided, start=1)
    ]
    scale = np.linspace(0, 1, len(names) * CELL).reshape(len(names), 1, CELL).repeat(BAR, axis=1)
    feet = [f"{FAINT:g}", *[""] * (len(names) - 2), f"{bits:.2f}"][-len(names) :]
    return sheet(names, [*rows, ("bits below even", viridis(scale))], feet)


def grey(values: Floats) -> Bytes:
    """Return greys [..., 3] of values 0…1, black to white."""
    return np.repeat((255 * values).round().astype(np.uint8)[..., None], 3, axis=-1)


def viridis(values: Floats) -> Bytes:
    """Return colours [..., 3] of values 0…1; what lies outside has the colour of the end."""
    stops = np.linspace(0, 1, len(VIRIDIS))
    channels = [np.interp(values, stops, VIRIDIS[:, k]) for k in range(3)]
    return np.stack(channels, axis=-1).round().astype(np.uint8)


def sheet(
    heads: Sequence[str], rows: Sequence[tuple[str, Bytes]], feet: Sequence[str] = ()
) -> Bytes:
    """Return rows of pictures, each with its words at the left, under the columns' heads.

    Args:
        heads: Words above the columns, N.
        rows: Words, and the pictures [N, H, W, 3], which are enlarged by a whole number.
        feet: Words below the columns, N or none.

    Returns:
        [height, width, 3], on white.
    """
    strips = [(words, enlarge(cells)) for words, cells in rows]
    cell = max(cells.shape[2] for _, cells in strips)
    height = LINE * (2 if feet else 1) + sum(GAP + cells.shape[1] for _, cells in strips)
    canvas = Image.new("RGB", (LABEL + len(heads) * (cell + GAP), height), "white")
    pen = ImageDraw.Draw(canvas)
    left = [LABEL + k * (cell + GAP) for k in range(len(heads))]
    for x, head in zip(left, heads, strict=True):
        pen.text((x, 2), fitting(pen, head, cell), fill="black")
    y = LINE
    for words, cells in strips:
        pen.text((4, y), words, fill="black")
        for x, picture in zip(left, cells, strict=True):
            canvas.paste(Image.fromarray(picture), (x, y))
        y += cells.shape[1] + GAP
    for x, foot in zip(left, feet, strict=bool(feet)):
        pen.text((x, y), fitting(pen, foot, cell), fill="black")
    return np.asarray(canvas)


def fitting(pen: ImageDraw.ImageDraw, words: str, width: int) -> str:
    """Return so much of some words as fits into a width in pixels."""
    while words and pen.textlength(words) > width:
        words = words[:-1]
    return words


def enlarge(cells: Bytes) -> Bytes:
    """Repeat the pixels of pictures [N, H, W, 3] so that they come near CELL in width."""
    times = max(1, CELL // cells.shape[2])
    return cells.repeat(times, axis=1).repeat(times, axis=2)
