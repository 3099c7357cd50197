"""Fixtures shared by the tests: real digits and small networks."""

import os
from pathlib import Path

import numpy as np
import pytest
import torch

from capsnet import CapsNet, CapsNetConfig
from capsnet.data import LabelledImages
from tests.idx import write_set
from tests.networks import write_networks
from tests.unipen import unipen

if "PYTEST_XDIST_WORKER" in os.environ:
    torch.set_num_threads(1)  # workers that share the cores would wait for each other's threads

SLICE = Path(__file__).parent / "data" / "mnist_slice.npz"


@pytest.fixture(scope="session")
def mnist_slice():
    """The first images of MNIST's two sets, as uint8 arrays."""
    with np.load(SLICE) as arrays:
        return dict(arrays)


@pytest.fixture(scope="session")
def test_digits(mnist_slice):
    """MNIST's first 300 test images."""
    return LabelledImages(
        torch.from_numpy(mnist_slice["test_images"]),
        torch.from_numpy(mnist_slice["test_labels"]).long(),
        name="MNIST",
    )


@pytest.fixture(scope="session")
def images(test_digits):
    """Network inputs, [300, 1, 28, 28], 0…1."""
    return test_digits.images[:, None].float() / 255


@pytest.fixture(scope="session")
def paper_model():
    """The paper's network, fresh weights, votes large enough to route decidedly."""
    torch.manual_seed(1)
    model = CapsNet().eval().requires_grad_(False)
    model.W.mul_(8)
    return model


@pytest.fixture(scope="session")
def small_config():
    """Another image size, class count and every width changed."""
    return CapsNetConfig(
        image_size=20,
        image_channels=2,
        classes=4,
        conv_channels=6,
        conv_kernel=5,
        primary_types=3,
        primary_dim=5,
        primary_kernel=4,
        primary_stride=3,
        digit_dim=7,
        iterations=2,
        decoder_hidden=(11, 13),
    )


@pytest.fixture(scope="session")
def other_networks(tmp_path_factory):
    """A folder of small networks of other classes than the digits, after that of MNIST's."""
    return write_networks(tmp_path_factory.mktemp("networks"))


@pytest.fixture
def mnist_root(tmp_path, mnist_slice):
    """A torchvision root that holds the slice as IDX files."""
    write_set(tmp_path / "data" / "MNIST" / "raw", mnist_slice)
    return tmp_path / "data"


@pytest.fixture
def fashion_root(tmp_path, mnist_slice):
    """A torchvision root that holds the slice as if its digits were clothes."""
    write_set(tmp_path / "data" / "FashionMNIST" / "raw", mnist_slice)
    return tmp_path / "data"


@pytest.fixture
def pen_folder(tmp_path):
    """A folder of five pen digits: writers 1 and 2, and two digits of writer 3."""
    folder = tmp_path / "pen"
    folder.mkdir()
    text = unipen([(7, 1), (4, 1), (7, 2), (1, 3), (7, 3)])
    (folder / "pendigits-orig.tra").write_text(text)
    return folder
