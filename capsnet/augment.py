"""Small random affine changes of a batch of digits, drawn anew for every image."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Augmentation:
    """How far an image may be moved.

    Attributes:
        shift: Largest shift along each axis, in pixels (the paper: 2).
        rotation: Largest rotation, in degrees.
        scale: Largest relative change of size along each axis, 0…1.
    """

    shift: float = 2.0
    rotation: float = 12.0
    scale: float = 0.12

    def __call__(self, images: Tensor, generator: torch.Generator) -> Tensor:
        """Return changed copies of images [B, C, H, W]; what leaves the frame is lost.

        Args:
            images: Values in 0…1.
            generator: The source of the random numbers, on the processor.
        """
        batch, size = len(images), images.shape[-1]

        def uniform(count: int) -> Tensor:
            return torch.rand(batch, count, generator=generator) * 2 - 1

        angle = uniform(1)[:, 0] * math.radians(self.rotation)
        # Whole pixels, as in the paper: a shift by a fraction would blur the strokes.
        move = (uniform(2) * (self.shift + 0.5)).clamp(-self.shift, self.shift).round()
        stretch = 1 + uniform(2) * self.scale
        cos, sin = angle.cos(), angle.sin()
        affine = torch.empty(batch, 2, 3)
        affine[:, 0, 0], affine[:, 0, 1] = cos * stretch[:, 0], -sin * stretch[:, 1]
        affine[:, 1, 0], affine[:, 1, 1] = sin * stretch[:, 0], cos * stretch[:, 1]
        affine[:, :, 2] = move * 2 / size  # the sampling grid spans -1…1
        grid = torch.nn.functional.affine_grid(affine, list(images.shape), align_corners=False)
        return torch.nn.functional.grid_sample(
            images, grid.to(images.device), align_corners=False
        ).clamp_(0, 1)
