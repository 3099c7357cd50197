from functools import partial

import pytest
import torch
from torch import nn

from capsnet.convolution import (
    NOISE,
    algorithm_for,
    convolution_as_product,
    convolution_pair,
    fourier,
    noise,
    toom_cook,
)


def layers(channels, hidden, out, kernel, kernel2, stride, bias=True):
    torch.manual_seed(5)
    first = nn.Conv2d(channels, hidden, kernel, bias=bias)
    return first, nn.Conv2d(hidden, out, kernel2, stride=stride, bias=bias)


def plain(images, first, second):
    return second(first(images).relu()).flatten(2).permute(2, 0, 1)


CASES = [
    # image, channels, hidden, out, kernel, second kernel, stride
    (28, 1, 12, 16, 9, 9, 2),  # the paper's sizes
    (20, 2, 6, 15, 5, 4, 3),
    (17, 1, 4, 5, 3, 5, 1),
    (21, 3, 4, 5, 4, 6, 2),
    (9, 1, 3, 4, 4, 6, 2),  # one place only
]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("bias", [True, False])
def test_it_equals_the_two_plain_convolutions(case, bias):
    size, channels, *rest = case
    first, second = layers(channels, *rest, bias=bias)
    images = torch.rand(5, channels, size, size)
    actual = convolution_pair(images, first, second)
    expected = plain(images.double(), first.double(), second.double())
    torch.testing.assert_close(actual.double(), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("case", CASES)
def test_in_training_it_is_as_close_as_the_noise_it_allows_itself(case):
    size, channels, *rest = case
    first, second = layers(channels, *rest)
    images = torch.rand(5, channels, size, size)
    actual = convolution_pair(images, first, second, training=True)
    expected = plain(images.double(), first.double(), second.double())
    error = (actual.double() - expected).square().mean().sqrt()
    assert error < NOISE * expected.square().mean().sqrt()


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("training", [False, True])
def test_its_gradients_equal_those_of_the_plain_convolutions(case, training):
    size, channels, *rest = case
    images = torch.rand(4, channels, size, size)
    gradients = []
    for function in (partial(convolution_pair, training=training), plain):
        first, second = layers(channels, *rest)
        function(images, first, second).square().sum().backward()
        gradients.append([p.grad for p in (*first.parameters(), *second.parameters())])
    for actual, expected in zip(*gradients, strict=True):
        torch.testing.assert_close(actual, expected, rtol=1e-3, atol=1e-3)


def test_the_papers_sizes_take_148_or_100_products_instead_of_729():
    assert len(fourier(10, 5).forward) == 148
    assert len(toom_cook(10, 5).forward) ** 2 == 100
    assert 36 * 81 / (4 * 100) > 7.2  # multiplications saved, the four phases counted


def test_training_takes_the_fewest_products_until_they_round_too_coarsely():
    assert noise(10, 5) < NOISE < noise(24, 5)
    assert algorithm_for(10, 5, training=True) is toom_cook(10, 5)
    assert algorithm_for(10, 5, training=False) is fourier(10, 5)
    assert algorithm_for(24, 5, training=True) is fourier(24, 5)


@pytest.mark.parametrize(("size", "taps"), [(10, 5), (7, 3), (12, 4)])
def test_the_noise_foretold_is_what_float32_leaves(size, taps):
    algorithm = toom_cook(size, taps)
    generator = torch.Generator().manual_seed(0)
    image = torch.rand(size**2, 2000, generator=generator) - 0.5
    kernel = torch.rand(taps**2, 2000, generator=generator) - 0.5
    values = algorithm.apply(algorithm.forward, image) * algorithm.apply(algorithm.kernel, kernel)
    actual = algorithm.apply(algorithm.backward, values).double()
    expected = nn.functional.conv2d(
        image.double().T.reshape(1, 2000, size, size),
        kernel.double().T.reshape(2000, 1, taps, taps),
        groups=2000,
    )
    expected = expected.reshape(2000, -1).T
    left = (actual - expected).square().mean().sqrt() / expected.square().mean().sqrt()
    assert 0.1 < left / noise(size, taps) < 2


def test_the_kept_matrices_serve_training_after_inference():
    for algorithm in (fourier, toom_cook):
        algorithm.cache_clear()
    first, second = layers(1, 3, 4, 9, 9, 2)
    images = torch.rand(2, 1, 28, 28)
    for training in (False, True):
        with torch.inference_mode():
            convolution_pair(images, first, second, training=training)
        convolution_pair(images, first, second, training=training).sum().backward()
    assert first.weight.grad is not None


@pytest.mark.parametrize(("size", "kernel", "stride"), [(20, 9, 2), (7, 3, 1), (8, 3, 3)])
@pytest.mark.parametrize("bias", [True, False])
def test_one_product_equals_the_plain_convolution(size, kernel, stride, bias):
    layer = nn.Conv2d(3, 5, kernel, stride=stride, bias=bias)
    images = torch.rand(2, 3, size, size)
    expected = layer(images).flatten(2).transpose(1, 2)
    torch.testing.assert_close(convolution_as_product(images, layer), expected)
