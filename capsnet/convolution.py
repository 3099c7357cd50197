"""The two convolutions under the primary capsules, by matrix products in the frequency domain.

A 9 × 9 convolution with 256 channels in and out is 95 % of the network's arithmetic. On a
processor it is cheaper as a *bilinear algorithm*: split the input by the stride into phases,
take a small discrete Fourier transform of each, multiply the channels frequency by frequency,
transform back. An input phase of 10 × 10 places and an output of 6 × 6 need exactly a 10 × 10
transform: what wraps around falls outside the output, so the result is exact, not approximate.
Written with real matrices only (a complex product by Gauss's three real ones),

    output = backward · ((forward · input) ⊗ (kernel · weight)),

with one [channels in, channels out] matrix product for each of 148 products a phase, instead of
81 · 36 multiplications for every pair of channels: 5 times fewer. Autograd differentiates it as
it stands. Both convolutions keep the places in front, [place, image, channel], so that each
transform is one matrix product and nothing is transposed between them.

Worth it for batches only: the transformed weights are 7 times the weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class BilinearAlgorithm:
    """The three matrices of a valid 2-D correlation by real products.

    Attributes:
        forward: [products, size²], applied to an input of size × size places.
        kernel: [products, taps²], applied to the taps.
        backward: [places², products], back to the output's places.
    """

    forward: Tensor
    kernel: Tensor
    backward: Tensor


@lru_cache(maxsize=16)
def bilinear_algorithm(size: int, taps: int) -> BilinearAlgorithm:
    """Return the matrices that correlate `size` × `size` places with `taps` × `taps` taps.

    Real frequencies cost one real product; of each conjugate pair one is kept and costs three:
    (a + bi)(c − di) = (ac + bd) + ((a + b)(c − d) − ac + bd) i.
    """
    places = size - taps + 1
    waves = np.exp(-2j * np.pi * np.outer(np.arange(size), np.arange(size)) / size)
    transform = np.kron(waves, waves)  # [frequency, place], both row by row
    frequency = np.arange(size**2)
    conjugate = (-(frequency // size) % size) * size + (-(frequency % size)) % size
    real = transform[frequency == conjugate].real
    pair = transform[frequency < conjugate]
    a, b = pair.real, pair.imag
    taken = (np.arange(taps)[:, None] * size + np.arange(taps)).ravel()
    out = (np.arange(places)[:, None] * size + np.arange(places)).ravel()
    # Inverse transform: a real frequency counts once, a pair twice by its real part; the sum
    # re·A + im·B with re = p1 + p2 and im = p3 − p1 + p2 is regrouped by product.
    A, B = 2 * a[:, out], 2 * b[:, out]  # conj(transform) = a − bi, and Re((x + yi)(a − bi))
    inverse = np.concatenate([real[:, out], A - B, A + B, B]) / size**2
    matrices = {
        "forward": np.concatenate([real, a, b, a + b]),
        "kernel": np.concatenate([real, a, b, a - b])[:, taken],
        "backward": inverse.T,
    }
    # Kept for later calls: what is made in inference mode could never be trained with.
    with torch.inference_mode(False):
        return BilinearAlgorithm(
            **{name: torch.tensor(m, dtype=torch.float32) for name, m in matrices.items()}
        )


def convolution_pair(images: Tensor, first: nn.Conv2d, second: nn.Conv2d) -> Tensor:
    """Return second(relu(first(images))), the places in front.

    Args:
        images: [B, C, H, H].
        first: Stride 1, no padding.
        second: Square stride and kernel, no padding.

    Returns:
        [grid · grid, B, channels out], the places row by row.
    """
    batch, stride, taps_all = len(images), second.stride[0], second.kernel_size[0]
    kernel = first.kernel_size[0]
    conv_size = images.shape[-1] - kernel + 1
    places = (conv_size - taps_all) // stride + 1
    taps = -(-taps_all // stride)  # of a phase, rounded up
    size = places + taps - 1  # places of a phase that the output can see
    algorithm = bilinear_algorithm(size, taps)

    # First convolution: one row per (place of a phase, image, phase), so that its output is
    # already laid out for the transform.
    needed = size * stride
    padding = max(0, needed - conv_size)
    padded = nn.functional.pad(images, (0, padding, 0, padding))
    patches = padded.unfold(2, kernel, 1).unfold(3, kernel, 1)  # [B, C, H', W', kernel, kernel]
    patches = patches[:, :, :needed, :needed].unflatten(3, (size, stride))
    patches = patches.unflatten(2, (size, stride))  # [B, C, size, stride, size, stride, k, k]
    rows = patches.permute(2, 4, 0, 3, 5, 1, 6, 7).reshape(-1, first.weight[0].numel())
    hidden = nn.functional.linear(rows, first.weight.flatten(1), first.bias).relu_()

    # Second: transform, multiply channels with channels, transform back.
    channels = stride * stride * first.out_channels
    spectrum = algorithm.forward @ hidden.view(size * size, batch * channels)
    weight = nn.functional.pad(second.weight, (0, taps * stride - taps_all) * 2)
    weight = weight.unflatten(3, (taps, stride)).unflatten(2, (taps, stride))
    weight = weight.permute(2, 4, 3, 5, 1, 0)  # [taps, taps, stride, stride, in, out]
    filters = algorithm.kernel @ weight.reshape(taps * taps, -1)
    products = torch.bmm(
        spectrum.view(-1, batch, channels), filters.view(-1, channels, second.out_channels)
    )
    output = algorithm.backward @ products.view(len(products), -1)
    output = output.view(places * places, batch, second.out_channels)
    return output if second.bias is None else output + second.bias
