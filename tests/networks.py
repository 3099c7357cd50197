"""Small networks of other classes than the ten digits, made in seconds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from capsnet import CapsNet, CapsNetConfig, save_checkpoint
from capsnet.checkpoint import Provenance
from capsnet.datasets.idx_sets import IDX_SETS
from capsnet.datasets.labelled import LabelledImages, to_input
from capsnet.evaluate import lengths_of
from capsnet.losses import margin_loss
from capsnet.samples import choose_samples

BUNDLED = Path(__file__).parents[1] / "checkpoints" / "mnist.safetensors"
CLOTHES = IDX_SETS["fashion-mnist"].class_names
SHAPES = ("Circle, filled", "Ring", "A star with very many points")
LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
STEPS = 60  # of training, after which the patches are told apart
ODD = 39  # a sample of clothes that is an ankle boot, but labelled the first class


def write_networks(folder: Path) -> Path:
    """Write checkpoints into a folder, and return it.

    mnist: the bundled network, first of all. clothes: ten classes, with samples, of which ODD is
    misread. plain: the same without a decoder. shapes: three classes, without samples. letters:
    26 classes, untrained.
    """
    (folder / "mnist.safetensors").write_bytes(BUNDLED.read_bytes())
    torch.manual_seed(0)
    clothes = _trained(CLOTHES)
    test = _patches(40, len(CLOTHES))
    test.labels[ODD] = 0
    clothes.samples = choose_samples(lengths_of(clothes, test.images), test)
    plain = CapsNet(replace(clothes.config, decoder_hidden=None), class_names=CLOTHES)
    plain.load_state_dict(clothes.state_dict(), strict=False)
    plain.samples = clothes.samples
    for name, model, data in (
        ("clothes", clothes, "Fashion-MNIST"),
        ("plain", plain, "Fashion-MNIST"),
        ("shapes", _trained(SHAPES), "shapes"),
        ("letters", CapsNet(_config(len(LETTERS)), class_names=LETTERS), "handwriting"),
    ):
        model.metrics["error_percent"] = 12.5
        save_checkpoint(folder / f"{name}.safetensors", model, Provenance(data))
    return folder


def _config(classes: int) -> CapsNetConfig:
    return CapsNetConfig(
        classes=classes, conv_channels=8, primary_types=3, digit_dim=6, decoder_hidden=(8, 8)
    )


def _trained(names: tuple[str, ...]) -> CapsNet:
    """A network that has learned where a patch lies."""
    model = CapsNet(_config(len(names)), class_names=names)
    optimiser = torch.optim.Adam(model.parameters(), 5e-3)
    for _ in range(STEPS):
        batch = _patches(32, len(names))
        loss = margin_loss(model(to_input(batch.images)).lengths, batch.labels)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return model.eval().requires_grad_(False)


def _patches(count: int, classes: int) -> LabelledImages:
    """Images with a bright patch, each class in its place of a grid of 4 × 3."""
    labels = torch.arange(count) % classes
    images: Tensor = torch.randint(0, 60, (count, 28, 28), dtype=torch.uint8)
    for image, label in zip(images, labels.tolist(), strict=True):
        row, column = 1 + 9 * (label // 4), 1 + 7 * (label % 4)
        image[row : row + 7, column : column + 5] += 190
    return LabelledImages(images, labels)
