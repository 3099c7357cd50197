"""What decides the trained weights: the recipe's numbers, the data, and their order.

Every epoch's randomness comes from (seed, epoch) alone, so that a resumed run follows the
uninterrupted one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from capsnet.data import LabelledImages, to_input
from capsnet.datasets.augment import Augmentation
from capsnet.datasets.pen import PenChange, PenDigits
from capsnet.device import PROCESSOR, fits, send
from capsnet.losses import RECONSTRUCTION_WEIGHT
from capsnet.training.distributed import ALONE, Processes


@dataclass(frozen=True)
class Recipe:
    """What decides the trained weights, besides the data and the network's config.

    Attributes:
        reconstruction: Weight of the reconstruction loss (the paper: 0.0005); 0 leaves the decoder
            as it began.
        full_gradient: Let the gradient flow through all iterations of the routing, not through the
            last alone.
        validation: So many of the last training images are not trained on but tested on, for
            choices that the test set must not make.
    """

    epochs: int = 13
    batch_size: int = 128
    learning_rate: float = 2e-3
    average: float = 0.999
    shift: float = 2.0
    rotation: float = 12.0
    scale: float = 0.12
    shear: float = 0.0
    elastic: float = 0.0
    reconstruction: float = RECONSTRUCTION_WEIGHT
    full_gradient: bool = False
    validation: int = 0
    strokes_copies: int = 2
    hold_out: int = 5
    start: str | None = None
    seed: int = 0
    limit: int | None = None


@dataclass(frozen=True)
class TrainingData:
    """What is trained on and what is tested on after each epoch.

    Attributes:
        images: Pictures, shown once an epoch.
        test: Pictures to test on.
        pen: Pen digits, drawn anew for every epoch.
        unseen: Pen digits of other writers, to test on too; empty where no writers are held out.
        validation: Training images that were held out, to test on too.
    """

    images: LabelledImages
    test: LabelledImages
    pen: PenDigits | None = None
    unseen: LabelledImages | None = None
    validation: LabelledImages | None = None

    def size(self, recipe: Recipe) -> int:
        """Return the number of images of an epoch."""
        return len(self.images) + (recipe.strokes_copies * len(self.pen) if self.pen else 0)

    def of_epoch(self, recipe: Recipe, epoch: int) -> LabelledImages:
        """Return the images of an epoch, in no order: the pictures, and the pen digits drawn."""
        if self.pen is None:
            return self.images
        first = (recipe.seed * 100_003 + epoch) * recipe.strokes_copies
        drawn = [
            self.pen.redrawn(PenChange(), first + copy) for copy in range(recipe.strokes_copies)
        ]
        parts = [self.images, *drawn]
        return LabelledImages(
            torch.cat([part.images for part in parts]), torch.cat([part.labels for part in parts])
        )


def learning_rate(recipe: Recipe, step: int, steps: int) -> float:
    """Return the rate of a step: linear up over the first tenth, then a cosine down to 0."""
    warm_up = max(1, steps // 10)
    if step < warm_up:
        return recipe.learning_rate * (step + 1) / warm_up
    return (
        recipe.learning_rate * 0.5 * (1 + math.cos(math.pi * (step - warm_up) / (steps - warm_up)))
    )


def batches(
    digits: LabelledImages,
    recipe: Recipe,
    epoch: int,
    *,
    device: torch.device = PROCESSOR,
    processes: Processes = ALONE,
) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield one epoch of augmented inputs [B, 1, 28, 28] and labels [B], in random order.

    All images are sent to the device as bytes once, where they fit well. The random numbers are
    drawn on the processor, for whole batches: neither the device nor the number of processes
    changes what an image becomes.

    Args:
        digits: The epoch's images.
        recipe: Size of a batch, seed, and how far images are changed.
        epoch: Its number.
        device: Where the batches shall be.
        processes: Of each batch comes the share of this one of them.
    """
    home = device if fits(digits.images.nbytes, device) else PROCESSOR
    pixels, labels = digits.images.to(home), digits.labels.to(home)
    generator = torch.Generator().manual_seed(recipe.seed * 100_003 + epoch)
    augment = Augmentation(
        recipe.shift, recipe.rotation, recipe.scale, recipe.shear, recipe.elastic
    )
    order = torch.randperm(len(digits), generator=generator)
    for batch in order.split(recipe.batch_size):
        share = processes.share(len(batch)).images
        chosen = send(batch[share], home)
        images = to_input(send(pixels[chosen], device))
        yield (
            augment(images, generator, batch=len(batch), share=share),
            send(labels[chosen], device),
        )
