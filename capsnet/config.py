"""The one frozen description of a capsule network: every size and width, nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any


@dataclass(frozen=True)
class CapsNetConfig:
    """Sizes of a capsule network; the defaults are the paper's MNIST network (section 4).

    Args:
        image_size: Height and width of the square input, in pixels.
        image_channels: Channels of the input.
        classes: Number of digit capsules.
        conv_channels: Feature maps of the first convolution.
        conv_kernel: Kernel of the first convolution (stride 1, ReLU), in pixels.
        primary_types: Capsule types in the primary layer.
        primary_dim: Dimensions of a primary capsule.
        primary_kernel: Kernel of the primary convolution, in places of the first one's output.
        primary_stride: Stride of the primary convolution.
        digit_dim: Dimensions of a digit capsule.
        iterations: Routing iterations r at training and, unless told otherwise, at inference.
        decoder_hidden: Widths of the decoder's two hidden layers; None for no decoder.

    Raises:
        ValueError: A size is not a positive integer, or the kernels do not fit into the image.
    """

    image_size: int = 28
    image_channels: int = 1
    classes: int = 10
    conv_channels: int = 256
    conv_kernel: int = 9
    primary_types: int = 32
    primary_dim: int = 8
    primary_kernel: int = 9
    primary_stride: int = 2
    digit_dim: int = 16
    iterations: int = 3
    decoder_hidden: tuple[int, int] | None = (512, 1024)

    def __post_init__(self) -> None:
        """Refuse sizes that describe no network."""
        for name, value in asdict(self).items():
            sizes = (value,) if name != "decoder_hidden" else () if value is None else value
            if not all(type(size) is int and size > 0 for size in sizes):
                raise ValueError(f"{name} must be made of positive integers, got {value!r}")
        if self.decoder_hidden is not None and len(self.decoder_hidden) != 2:
            raise ValueError(f"decoder_hidden needs two widths, got {self.decoder_hidden!r}")
        if self.grid < 1:
            raise ValueError(
                f"an image of {self.image_size} pixels is too small for kernels of "
                f"{self.conv_kernel} and {self.primary_kernel}"
            )

    @property
    def conv_size(self) -> int:
        """Height and width of the first convolution's output (20)."""
        return self.image_size - self.conv_kernel + 1

    @property
    def grid(self) -> int:
        """Rows and columns of places in the primary layer (6)."""
        return (self.conv_size - self.primary_kernel) // self.primary_stride + 1

    @property
    def places(self) -> int:
        """Places of the primary grid (36)."""
        return self.grid**2

    @property
    def primary_capsules(self) -> int:
        """Number of primary capsules (1152)."""
        return self.primary_types * self.places

    @property
    def pixels(self) -> int:
        """Numbers in one image (784)."""
        return self.image_channels * self.image_size**2

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain JSON types."""
        hidden = self.decoder_hidden
        return {**asdict(self), "decoder_hidden": None if hidden is None else list(hidden)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> CapsNetConfig:
        """Rebuild a config from `to_dict`'s output.

        Raises:
            ValueError: A field is unknown, missing or out of range.
        """
        names = {field.name for field in fields(cls)}
        if names != set(values):
            odd = ", ".join(sorted(names ^ set(values)))
            raise ValueError(f"the config's fields do not match this version: {odd}")
        hidden = values["decoder_hidden"]
        if not isinstance(hidden, list | tuple | None):
            raise ValueError(f"decoder_hidden needs two widths, got {hidden!r}")
        return cls(**{**values, "decoder_hidden": None if hidden is None else tuple(hidden)})
