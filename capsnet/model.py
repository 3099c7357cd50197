"""The capsule network of Sabour, Frosst & Hinton, "Dynamic Routing Between Capsules" (2017).

Top to bottom in the order the data flows: image → primary capsules u → votes û → routing →
digit capsules v → decoder. Sizes in comments are those of the paper's MNIST network.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor, nn

from capsnet.config import CapsNetConfig
from capsnet.convolution import convolution_as_product, convolution_pair
from capsnet.routing import (
    RoutingTrace,
    lengths_of,
    route,
    route_without_votes,
    squash,
    trace_routing,
)

if TYPE_CHECKING:
    from capsnet.samples import Samples

# On a processor, by the number of images (measured on two cores):
FEW = 4  # up to so many, the second convolution is quickest as one matrix product
MANY, MANY_TRAINING = 64, 24  # from so many on, in `convolution_pair`'s few products
WEIGHT_STD = 0.03  # of W, truncated at 2 σ: the fresh digit capsules begin 0.02 to 0.15 long


def in_products(images: Tensor, *, training: bool) -> bool:
    """Whether a batch is large enough, on a processor, for the forms that save memory traffic."""
    many = MANY_TRAINING if training else MANY
    return len(images) >= many and _on_processor(images)


def _on_processor(images: Tensor) -> bool:
    cpu_float = images.device.type == "cpu" and images.dtype == torch.float32
    return cpu_float and not torch.is_autocast_enabled("cpu")


class CapsNetOutput(NamedTuple):
    """What the network says of a batch.

    Attributes:
        lengths: ‖v_j‖, [B, classes], in 0…1: how present each class is; not a softmax.
        poses: v_j, [B, classes, 16].
    """

    lengths: Tensor
    poses: Tensor


class PrimaryCapsules(nn.Module):
    """Image → primary capsules: two convolutions, grouped into vectors, squashed.

    Capsule i = type · places + row · grid + column; its numbers are eight channels of one place.
    """

    def __init__(self, config: CapsNetConfig) -> None:
        """Make the two convolutions of `config`."""
        super().__init__()
        self.config = config
        self.conv1 = nn.Conv2d(config.image_channels, config.conv_channels, config.conv_kernel)
        self.conv2 = nn.Conv2d(
            config.conv_channels,
            config.primary_types * config.primary_dim,
            config.primary_kernel,
            stride=config.primary_stride,
        )
        nn.init.kaiming_uniform_(self.conv1.weight, nonlinearity="relu")
        nn.init.kaiming_uniform_(self.conv2.weight, nonlinearity="linear")
        nn.init.zeros_(self.conv1.bias)  # type: ignore[arg-type]
        nn.init.zeros_(self.conv2.bias)  # type: ignore[arg-type]

    def pre_squash(self, images: Tensor) -> Tensor:
        """Return the primary capsules before the squash, [B, 1152, 8]."""
        types, dim = self.config.primary_types, self.config.primary_dim
        if in_products(images, training=self.training):
            features = convolution_pair(
                images, self.conv1, self.conv2, training=self.training
            )  # [36, B, 256]
            # In memory [B, 8, 32, 36]: the capsules side by side, for what follows.
            columns = features.unflatten(2, (types, dim)).permute(1, 3, 2, 0).flatten(2)
            return columns.transpose(1, 2)
        hidden = self.conv1(images).relu()
        if len(images) <= FEW and _on_processor(images):
            features = convolution_as_product(hidden, self.conv2)  # [B, 36, 256]; no second ReLU
        else:
            features = self.conv2(hidden).flatten(2).transpose(1, 2)  # the same
        return features.unflatten(2, (types, dim)).transpose(1, 2).flatten(1, 2)  # [B, 1152, 8]

    def lay_out_for_training(self) -> None:
        """On a processor, keep the second convolution's weights as `convolution_pair` reads them.

        The values and the shape stay; a step then transposes no weights. The plain convolution,
        which answers single images, wants them as they were.
        """
        weight = self.conv2.weight
        if weight.device.type == "cpu":
            weight.data = weight.data.permute(2, 3, 1, 0).contiguous().permute(3, 2, 0, 1)

    def forward(self, images: Tensor) -> Tensor:
        """Return u, [B, 1152, 8], of images [B, 1, 28, 28]."""
        return squash(self.pre_squash(images).float())


class Decoder(nn.Sequential):
    """Poses, all but one capsule zeroed → image: three fully connected layers (figure 2)."""

    def __init__(self, config: CapsNetConfig, hidden: tuple[int, int]) -> None:
        """Make the layers of `config`, with two hidden layers of these widths."""
        first, second = hidden
        super().__init__(
            nn.Linear(config.classes * config.digit_dim, first),  # 160 -> 512
            nn.ReLU(),
            nn.Linear(first, second),  # -> 1024
            nn.ReLU(),
            nn.Linear(second, config.pixels),  # -> 784
            nn.Sigmoid(),
        )


class CapsNet(nn.Module):
    """The whole network. Each stage is a method that returns what it computed.

    Args:
        config: Sizes; the paper's MNIST network by default.
        class_names: What the digit capsules stand for; "0", "1", … by default.
        metrics: What was measured of these weights, as the checkpoint tells it.
    """

    def __init__(
        self,
        config: CapsNetConfig | None = None,
        *,
        class_names: tuple[str, ...] | None = None,
        metrics: Mapping[str, Any] | None = None,
    ) -> None:
        """Make a network with fresh weights."""
        super().__init__()
        self.config = config = config or CapsNetConfig()
        self.class_names = class_names or tuple(str(j) for j in range(config.classes))
        self.metrics = dict(metrics or {})
        self.samples: Samples | None = None  # test images to look at, as the checkpoint holds them
        self.primary = PrimaryCapsules(config)
        # W_ij, stored so that the votes' sum over i (iteration 1) is one matrix product:
        # u.view(B, 9216) @ W.view(9216, 160)
        self.W = nn.Parameter(
            torch.empty(
                config.primary_capsules, config.primary_dim, config.classes, config.digit_dim
            )
        )
        nn.init.trunc_normal_(self.W, std=WEIGHT_STD, a=-2 * WEIGHT_STD, b=2 * WEIGHT_STD)
        hidden = config.decoder_hidden
        self.decoder = None if hidden is None else Decoder(config, hidden)

    def votes(self, primary: Tensor) -> Tensor:
        """Return û_j|i = W_ij u_i (eq. 2), [B, 1152, 10, 16], of u [B, 1152, 8].

        Laid out in memory as [B, 10, 1152, 16]: routing then reads it without a copy.
        """
        I, d_in, J, D = self.W.shape  # noqa: E741
        flat = torch.bmm(primary.transpose(0, 1), self.W.view(I, d_in, J * D))  # [I, B, J·D]
        return flat.view(I, -1, J, D).permute(1, 2, 0, 3).contiguous().transpose(1, 2)

    def forward(
        self, images: Tensor, iterations: int | None = None, *, full_gradient: bool = False
    ) -> CapsNetOutput:
        """Recognise a batch.

        Args:
            images: [B, 1, 28, 28], values 0…1, ink is 1.
            iterations: Routing iterations; the config's r by default.
            full_gradient: In training, let the gradient flow through all iterations instead of
                through the last weighted sum alone (see the README).

        Returns:
            Lengths and poses after the last iteration.

        Raises:
            ValueError: `images` is not a batch of the config's size, or `iterations` is below 1.
        """
        self._check(images)
        primary = self.primary(images)
        rounds = self.config.iterations if iterations is None else iterations
        detach = self.training and not full_gradient
        if in_products(images, training=self.training):
            poses = route_without_votes(primary, self.W, rounds, detach=detach)
        else:
            poses = route(self.votes(primary), rounds, detach=detach)
        return CapsNetOutput(lengths_of(poses), poses)

    @torch.inference_mode()
    def trace(self, images: Tensor, iterations: int = 10) -> RoutingTrace:
        """Recognise a batch and keep every quantity of every iteration.

        The first r iterations are those of `forward(images, r)`.

        Raises:
            ValueError: As for `forward`.
        """
        self._check(images)
        primary = self.primary(images)
        return trace_routing(primary, self.votes(primary), iterations)

    def decode(self, poses: Tensor, digit: int | Tensor | None = None) -> Tensor:
        """Draw the image that one digit capsule stands for (section 4.1).

        Args:
            poses: v, [B, 10, 16].
            digit: The capsule to keep, one for all (int) or one each ([B] tensor); the others
                are set to 0. None keeps the longest.

        Returns:
            [B, 1, 28, 28], values in 0…1.

        Raises:
            ValueError: `poses` has another shape, `digit` names no capsule, or the network has no
                decoder.
        """
        config = self.config
        if self.decoder is None:
            raise ValueError("this network was made without a decoder and cannot draw")
        if poses.shape[1:] != (config.classes, config.digit_dim):
            raise ValueError(
                f"poses must be [B, {config.classes}, {config.digit_dim}], got {list(poses.shape)}"
            )
        kept = one_capsule(poses, digit)
        size = config.image_size
        return self.decoder(kept.flatten(1)).view(-1, config.image_channels, size, size)

    def _check(self, images: Tensor) -> None:
        expected = (self.config.image_channels, self.config.image_size, self.config.image_size)
        if images.dim() != 4 or images.shape[1:] != expected:
            raise ValueError(
                f"images must be [B, {', '.join(map(str, expected))}], got {list(images.shape)}"
            )


def one_capsule(poses: Tensor, digit: int | Tensor | None) -> Tensor:
    """Set every capsule but `digit` (None: the longest) to 0; shapes as in `CapsNet.decode`."""
    batch, classes, _ = poses.shape
    if digit is None:
        digit = lengths_of(poses).argmax(dim=1)
    digit = torch.as_tensor(digit)
    if digit.is_floating_point() or digit.shape not in {(), (batch,)}:
        raise ValueError(f"digit must be an integer or one for each of {batch} images")
    # Labels on an accelerator are trusted: looking at them would make each step wait.
    if digit.device.type == "cpu" and bool(((digit < 0) | (digit >= classes)).any()):
        raise ValueError(f"digit must lie in 0…{classes - 1}")
    mask = digit.to(poses.device).expand(batch)[:, None] == torch.arange(
        classes, device=poses.device
    )  # [B, 10]
    return poses * mask[..., None]
