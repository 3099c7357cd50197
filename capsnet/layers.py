"""The network layer by layer, counted from its config alone: shapes, parameters, arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from capsnet.config import CapsNetConfig


@dataclass(frozen=True)
class Layer:
    """One layer of the network.

    Attributes:
        name: What it is and does.
        output: Shape of its output for one image.
        parameters: Number of its weights and biases.
        multiply_adds: Multiplications for one image, each with an addition; of a convolution as
            it is written down (`capsnet.convolution` gets by with fewer).
    """

    name: str
    output: tuple[int, ...]
    parameters: int
    multiply_adds: int


def layers(config: CapsNetConfig) -> list[Layer]:
    """Return the network's layers in the order the data flows (section 4, figures 1 and 2)."""
    channels, dim = config.conv_channels, config.primary_types * config.primary_dim
    taps = config.conv_kernel**2 * config.image_channels
    primary_taps = config.primary_kernel**2 * channels
    capsules, classes = config.primary_capsules, config.classes
    votes = capsules * classes * config.digit_dim
    rounds = config.iterations  # each a weighted sum; between two of them the agreements
    found = [
        Layer(
            f"convolution {config.conv_kernel} × {config.conv_kernel}, ReLU",
            (channels, config.conv_size, config.conv_size),
            (taps + 1) * channels,
            taps * channels * config.conv_size**2,
        ),
        Layer(
            f"primary capsules: convolution {config.primary_kernel} × {config.primary_kernel}, "
            f"stride {config.primary_stride}, squash",
            (capsules, config.primary_dim),
            (primary_taps + 1) * dim,
            primary_taps * dim * config.places,
        ),
        Layer(
            "votes of each primary capsule",
            (capsules, classes, config.digit_dim),
            votes * config.primary_dim,
            votes * config.primary_dim,
        ),
        Layer(
            f"digit capsules: {rounds} iteration{'s' * (rounds > 1)} of routing",
            (classes, config.digit_dim),
            0,
            votes * (2 * rounds - 1),
        ),
    ]
    if config.decoder_hidden is not None:
        sizes = (classes * config.digit_dim, *config.decoder_hidden, config.pixels)
        for k, (before, after) in enumerate(pairwise(sizes)):
            name = f"decoder {k + 1}: {'sigmoid' if k == 2 else 'ReLU'}"
            found.append(Layer(name, (after,), (before + 1) * after, before * after))
    return found
