"""The two convolutions under the primary capsules, by matrix products with few multiplications.

A 9 × 9 convolution with 256 channels in and out is 95 % of the network's arithmetic. On a
processor it is cheaper as a *bilinear algorithm*: split the input by the stride into phases, map
the 10 × 10 places of each phase linearly onto products, multiply channels with channels product by
product, map back onto the 6 × 6 places of the output:

    output = backward · ((forward · input) ⊗ (kernel · weight)).

Each product is one [channels in, channels out] matrix product, in the place of 81 · 36
multiplications for every pair of channels. Two such algorithms are used:

- by frequencies (`fourier`): a discrete Fourier transform of 10 × 10 places, exact because what
  wraps around falls outside the output; in real matrices, a complex product by Gauss's three real
  ones. 148 products a phase, 5 times fewer multiplications, rounding like the plain sum's.
- by points (`toom_cook`): polynomials multiplied through their values at 10 real points along each
  axis (Toom 1963, Cook 1966; Winograd 1980). 100 products, 7 times fewer, the fewest possible;
  rounding errors are about 100 times larger, 1e-5 of the output: nothing beside the noise of a
  training step (bfloat16 rounds 4e-3), too much for a library that calls itself exact.

Autograd differentiates both as they stand. The two convolutions keep the places in front,
[place, image, channel], so that each map is a matrix product and nothing is transposed between.
Worth it for batches only: the mapped weights are 5 to 7 times the weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor, nn

NOISE = 1e-4  # relative rounding error up to which `toom_cook` serves training


@dataclass(frozen=True)
class BilinearAlgorithm:
    """The three linear maps of a valid 2-D correlation by real products.

    Attributes:
        forward: From size² places of an input to the products.
        kernel: From taps² taps to the products.
        backward: From the products to the output's places².
        by_axis: The maps are given for one axis, [points, size] and so on, and are to be applied
            along both; else for both at once, [products, size²].
    """

    forward: Tensor
    kernel: Tensor
    backward: Tensor
    by_axis: bool

    def apply(self, matrix: Tensor, values: Tensor) -> Tensor:
        """Map [n², N], row by row, with one of the three matrices: [m², N]."""
        if not self.by_axis:
            return matrix @ values
        m, n = matrix.shape
        rows_mapped = (matrix @ values.view(n, -1)).view(m, n, -1)
        return torch.bmm(matrix.expand(m, m, n), rows_mapped).flatten(0, 1)


def algorithm_for(size: int, taps: int, *, training: bool) -> BilinearAlgorithm:
    """Return what correlates `size` × `size` places with `taps` × `taps` taps.

    In training the quicker one, unless it rounds too coarsely at this size.
    """
    return toom_cook(size, taps) if training and noise(size, taps) < NOISE else fourier(size, taps)


@lru_cache(maxsize=16)
def fourier(size: int, taps: int) -> BilinearAlgorithm:
    """Return the algorithm by frequencies.

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
    return _algorithm(
        np.concatenate([real, a, b, a + b]),
        np.concatenate([real, a, b, a - b])[:, taken],
        inverse.T,
        by_axis=False,
    )


@lru_cache(maxsize=16)
def toom_cook(size: int, taps: int) -> BilinearAlgorithm:
    """Return the algorithm by points."""
    return _algorithm(*_by_points(size, taps), by_axis=True)


@lru_cache(maxsize=16)
def noise(size: int, taps: int) -> float:
    """Return how coarsely `toom_cook` rounds in float32: error over output, both root mean square.

    Each product's rounding error is as large as its own terms, which nearly cancel in the output.
    """
    forward, kernel, backward = _by_points(size, taps)
    terms = np.linalg.norm(forward, axis=1) * np.linalg.norm(kernel, axis=1)
    places = size - taps + 1
    along_an_axis = np.sqrt(np.square(backward * terms).sum() / (places * taps))
    return float(along_an_axis**2 * np.finfo(np.float32).eps)


def _by_points(size: int, taps: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return forward, kernel and backward map along one axis.

    The product of two polynomials of `places` and `taps` coefficients is known from its values at
    `size` points; its transpose is the correlation. The points are directions (cos, sin) spread
    evenly over the half circle, (0, 1) being the point at infinity: the mildest rounding of the
    sets that have a formula.
    """
    angles = np.pi * np.arange(size) / size

    def values(count: int) -> np.ndarray:  # of the powers, [size, count]
        power = np.arange(count)
        return np.cos(angles)[:, None] ** (count - 1 - power) * np.sin(angles)[:, None] ** power

    forward, kernel = np.linalg.inv(values(size)).T, values(taps)
    scale = np.linalg.norm(forward, axis=1) * np.linalg.norm(kernel, axis=1)
    return (
        forward / np.linalg.norm(forward, axis=1, keepdims=True),
        kernel / np.linalg.norm(kernel, axis=1, keepdims=True),
        values(size - taps + 1).T * scale,
    )


def _algorithm(*maps: np.ndarray, by_axis: bool) -> BilinearAlgorithm:
    # Kept for later calls: what is made in inference mode could never be trained with.
    with torch.inference_mode(False):
        forward, kernel, backward = (torch.tensor(m, dtype=torch.float32) for m in maps)
        return BilinearAlgorithm(forward, kernel, backward, by_axis)


def convolution_pair(
    images: Tensor, first: nn.Conv2d, second: nn.Conv2d, *, training: bool = False
) -> Tensor:
    """Return second(relu(first(images))), the places in front.

    Args:
        images: [B, C, H, H].
        first: Stride 1, no padding.
        second: Square stride and kernel, no padding.
        training: Round more coarsely, within the noise of a training step, to be quicker.

    Returns:
        [grid · grid, B, channels out], the places row by row.
    """
    batch, stride, taps_all = len(images), second.stride[0], second.kernel_size[0]
    kernel = first.kernel_size[0]
    conv_size = images.shape[-1] - kernel + 1
    places = (conv_size - taps_all) // stride + 1
    taps = -(-taps_all // stride)  # of a phase, rounded up
    size = places + taps - 1  # places of a phase that the output can see
    algorithm = algorithm_for(size, taps, training=training)

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

    # Second: map onto the products, multiply channels with channels, map back.
    channels = stride * stride * first.out_channels
    spectrum = algorithm.apply(algorithm.forward, hidden.view(size * size, batch * channels))
    weight = second.weight.permute(2, 3, 1, 0)  # [taps, taps, in, out]
    weight = nn.functional.pad(weight, (0, 0, 0, 0) + (0, taps * stride - taps_all) * 2)
    weight = weight.unflatten(1, (taps, stride)).unflatten(0, (taps, stride))
    weight = weight.transpose(1, 2)  # [taps, taps, stride, stride, in, out]
    filters = algorithm.apply(algorithm.kernel, weight.reshape(taps * taps, -1))
    products = torch.bmm(
        spectrum.view(-1, batch, channels), filters.view(-1, channels, second.out_channels)
    )
    output = algorithm.apply(algorithm.backward, products.flatten(1))
    output = output.view(places * places, batch, second.out_channels)
    return output if second.bias is None else output + second.bias


def convolution_as_product(images: Tensor, layer: nn.Conv2d) -> Tensor:
    """Return layer(images), the places in front of the channels, as one matrix product.

    Args:
        images: [B, C, H, H].
        layer: Square stride and kernel, no padding.

    Returns:
        [B, grid · grid, channels out], the places row by row.
    """
    kernel, stride = layer.kernel_size[0], layer.stride[0]
    patches = images.unfold(2, kernel, stride).unfold(3, kernel, stride)  # [B, C, grid, grid, k, k]
    rows = patches.permute(0, 2, 3, 1, 4, 5).flatten(1, 2).flatten(2)  # [B, grid · grid, C · k · k]
    return nn.functional.linear(rows, layer.weight.flatten(1), layer.bias)
