import pytest
import torch
from torch import nn

from capsnet.convolution import bilinear_algorithm, convolution_pair


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
def test_its_gradients_equal_those_of_the_plain_convolutions(case):
    size, channels, *rest = case
    images = torch.rand(4, channels, size, size)
    gradients = []
    for function in (convolution_pair, plain):
        first, second = layers(channels, *rest)
        function(images, first, second).square().sum().backward()
        gradients.append([p.grad for p in (*first.parameters(), *second.parameters())])
    for actual, expected in zip(*gradients, strict=True):
        torch.testing.assert_close(actual, expected, rtol=1e-3, atol=1e-3)


def test_the_papers_sizes_take_148_products_instead_of_729():
    algorithm = bilinear_algorithm(10, 5)
    assert len(algorithm.forward) == 148
    assert 36 * 81 / (4 * 148) > 4.9  # multiplications saved, the four phases counted


def test_the_kept_matrices_serve_training_after_inference():
    bilinear_algorithm.cache_clear()
    first, second = layers(1, 3, 4, 9, 9, 2)
    images = torch.rand(2, 1, 28, 28)
    with torch.inference_mode():
        convolution_pair(images, first, second)
    convolution_pair(images, first, second).sum().backward()
    assert first.weight.grad is not None
