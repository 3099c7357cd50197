"""Which pixels a primary capsule can see, and where it stands."""

from __future__ import annotations

from capsnet.config import CapsNetConfig

PAPER = CapsNetConfig()


def receptive_field(row: int, column: int, config: CapsNetConfig = PAPER) -> tuple[slice, slice]:
    """Return the pixels that the primary capsules at one place can see.

    On MNIST 17 × 17 pixels: rows 2·row … 2·row + 16. Row and column 27 are seen by no capsule.

    Args:
        row: Row of the place, 0…grid - 1.
        column: Column of the place, likewise.
        config: The network's sizes.

    Returns:
        Rows and columns as slices: `image[..., rows, columns]` is what the place sees.

    Raises:
        ValueError: The place lies outside the grid.
    """
    if not (0 <= row < config.grid and 0 <= column < config.grid):
        raise ValueError(f"place ({row}, {column}) lies outside the {config.grid} × {config.grid}")
    extent = config.conv_kernel + config.primary_kernel - 1
    top, left = row * config.primary_stride, column * config.primary_stride
    return slice(top, top + extent), slice(left, left + extent)


def capsule_index(kind: int, row: int, column: int, config: CapsNetConfig = PAPER) -> int:
    """Return i = type · places + row · grid + column of a primary capsule.

    Args:
        kind: The capsule's type, 0…31.
        row: Its row, 0…5.
        column: Its column, 0…5.
        config: The network's sizes.

    Raises:
        ValueError: There is no such capsule.
    """
    if not 0 <= kind < config.primary_types:
        raise ValueError(f"type {kind} is not one of {config.primary_types}")
    receptive_field(row, column, config)  # checks the place
    return kind * config.places + row * config.grid + column
