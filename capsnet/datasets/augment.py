"""Small random changes of a batch of digits, drawn anew for every image: affine, and elastic."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from capsnet.device import send

BENDS = 5  # random displacements along each side, smooth between them


@dataclass(frozen=True)
class Augmentation:
    """How far an image may be moved.

    Attributes:
        shift: Largest shift along each axis, in pixels (the paper: 2).
        rotation: Largest rotation, in degrees.
        scale: Largest relative change of size along each axis, 0…1.
        shear: Largest shear: by how much the columns slide per row, 0…1.
        elastic: How far the strokes bend, in pixels: the standard deviation of a displacement that
            changes smoothly over a quarter of the image (after Simard, Steinkraus and Platt, 2003).
    """

    shift: float = 2.0
    rotation: float = 12.0
    scale: float = 0.12
    shear: float = 0.0
    elastic: float = 0.0

    def __call__(
        self,
        images: Tensor,
        generator: torch.Generator,
        *,
        batch: int | None = None,
        share: slice = slice(None),
    ) -> Tensor:
        """Return changed copies of images [B, C, H, W]; what leaves the frame is lost.

        Args:
            images: Values in 0…1, on any device.
            generator: The source of the random numbers, on the processor.
            batch: Where `images` are a part of a batch: how many images that has. They are then
                changed as they would be among the whole.
            share: Which part.
        """
        batch, size = len(images) if batch is None else batch, images.shape[-1]

        def uniform(count: int) -> Tensor:
            return torch.rand(batch, count, generator=generator)[share] * 2 - 1

        angle = uniform(1)[:, 0] * math.radians(self.rotation)
        # Whole pixels, as in the paper: a shift by a fraction would blur the strokes.
        move = (uniform(2) * (self.shift + 0.5)).clamp(-self.shift, self.shift).round()
        stretch = 1 + uniform(2) * self.scale
        cos, sin = angle.cos(), angle.sin()
        affine = torch.empty(len(images), 2, 3)
        affine[:, 0, 0], affine[:, 0, 1] = cos * stretch[:, 0], -sin * stretch[:, 1]
        affine[:, 1, 0], affine[:, 1, 1] = sin * stretch[:, 0], cos * stretch[:, 1]
        if self.shear:
            affine[:, :, 1] += affine[:, :, 0] * uniform(1) * self.shear
        affine[:, :, 2] = move * 2 / size  # the sampling grid spans -1…1
        grid = torch.nn.functional.affine_grid(
            send(affine, images.device), list(images.shape), align_corners=False
        )
        if self.elastic:
            coarse = torch.randn(batch, 2, BENDS, BENDS, generator=generator)[share]
            bent = torch.nn.functional.interpolate(
                send(coarse, images.device), images.shape[-2:], mode="bicubic"
            )
            grid += bent.permute(0, 2, 3, 1) * (self.elastic * 2 / size)
        return torch.nn.functional.grid_sample(images, grid, align_corners=False).clamp_(0, 1)
