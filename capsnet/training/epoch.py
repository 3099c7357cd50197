"""One epoch of training: what is learned by, step for step, and the running means."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from tqdm import tqdm

from capsnet.data import LabelledImages
from capsnet.losses import margin_loss, plateau, reconstruction_loss, total_loss
from capsnet.model import CapsNet
from capsnet.training.board import NO_BOARD, Board
from capsnet.training.distributed import ALONE, Processes
from capsnet.training.recipe import Recipe, batches, learning_rate

EVERY = 10  # steps between two looks at the numbers: reading one waits for the device


class TrainingError(RuntimeError):
    """Training cannot go on; the message says why and what to try."""


class WeightAverage:
    """An exponential moving average of a network's weights, short-sighted at the start."""

    def __init__(self, model: CapsNet, decay: float) -> None:
        """Start from the weights of `model`."""
        self.model = CapsNet(model.config, class_names=model.class_names)
        self.model.to(next(model.parameters()).device).load_state_dict(model.state_dict())
        self.model.primary.lay_out_for_training()
        self.model.eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model: CapsNet, step: int) -> None:
        """Take in the weights after `step` steps."""
        decay = min(self.decay, (1 + step) / (10 + step))
        torch._foreach_lerp_(
            list(self.model.parameters()), list(model.parameters()), weight=1 - decay
        )


class Losses(nn.Module):
    """Images and labels → what training minimises: network, decoder and losses as one module.

    DistributedDataParallel watches the forward pass of the module it wraps: all of it is in here.
    """

    def __init__(self, model: CapsNet, recipe: Recipe) -> None:
        """Wrap `model`, whose weights stay its own."""
        super().__init__()
        self.model = model
        self.recipe = recipe

    def forward(self, images: Tensor, labels: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the loss of a batch, what is reported of it, and the lengths.

        Args:
            images: [B, 1, 28, 28], 0…1.
            labels: int64 [B].

        Returns:
            The loss, a scalar; without gradients the means of loss, margin loss, squared error and
            wrong verdicts, [4]; and without gradients the lengths, [B, classes].
        """
        recipe, device = self.recipe, images.device.type
        squared_error = images.new_zeros(())
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            lengths, poses = self.model(images, full_gradient=recipe.full_gradient)
            if self.model.decoder is not None:
                # In training the decoder sees the capsule of the true label.
                reconstruction = self.model.decode(poses, labels)
                squared_error = reconstruction_loss(reconstruction.float(), images)
        margin = margin_loss(lengths, labels)
        loss = total_loss(margin, squared_error, recipe.reconstruction)
        wrong = (lengths.argmax(dim=1) != labels).float().mean()
        means = torch.stack([loss, margin, squared_error, wrong])
        return loss, means.detach(), lengths.detach()


@dataclass(frozen=True)
class Learner:
    """A network in training.

    Attributes:
        model: The network.
        average: Its averaged weights.
        optimiser: What changes its weights.
        losses: Its `Losses`, wrapped where several processes train it.
        processes: The processes that train it.
    """

    model: CapsNet
    average: WeightAverage
    optimiser: torch.optim.Optimizer
    losses: nn.Module
    processes: Processes = ALONE

    @classmethod
    def of(cls, model: CapsNet, recipe: Recipe) -> Learner:
        """Prepare to train `model`, where its weights are, with Adam."""
        model.primary.lay_out_for_training()
        return cls(
            model,
            WeightAverage(model, recipe.average),
            torch.optim.Adam(model.parameters(), lr=recipe.learning_rate, fused=True),
            Losses(model, recipe),
        )

    def among(self, processes: Processes) -> Learner:
        """Return the same, trained by `processes` together, all from the weights of the first."""
        return replace(self, losses=processes.parallel(self.losses), processes=processes)


def train_epoch(
    learner: Learner,
    digits: LabelledImages,
    recipe: Recipe,
    epoch: int,
    *,
    board: Board = NO_BOARD,
    progress: bool = True,
) -> dict[str, float | None]:
    """Train one epoch (numbered from 0) and return its means: losses and training error.

    Between two looks at the numbers a step waits for no accelerator. Looked at for that: images
    and labels lie there as bytes, the order and the augmentation's few numbers are sent without
    waiting (`batches`), the decoder and the margin loss trust labels that lie there, Adam is fused
    and keeps its step there, the rate and the averaging's weight are plain numbers that it is
    given, and the sums stay there.

    Several processes take the same batches, each its part: what they learn and return is what one
    would.

    Args:
        learner: What is trained.
        digits: The epoch's images.
        recipe: How.
        epoch: Number of the epoch, from 0.
        board: Takes notes of the steps.
        progress: Show a bar and warnings on standard error.

    Raises:
        TrainingError: The loss is no longer a finite number.
    """
    model, processes = learner.model, learner.processes
    shown = progress and processes.writes
    device = next(model.parameters()).device
    per_epoch = math.ceil(len(digits) / recipe.batch_size)
    steps = per_epoch * recipe.epochs
    seen, sums = 0, torch.zeros(4, device=device)
    model.train()
    with tqdm(
        total=len(digits),
        desc=f"epoch {epoch + 1}/{recipe.epochs}",
        unit=" images",
        disable=not shown,
    ) as bar:
        for index, (images, labels) in enumerate(
            batches(digits, recipe, epoch, device=device, processes=processes)
        ):
            step = epoch * per_epoch + index
            for group in learner.optimiser.param_groups:
                group["lr"] = learning_rate(recipe, step, steps)
            count = min(recipe.batch_size, len(digits) - seen)  # over all processes
            weight = processes.share(count).weight
            loss, means, lengths = learner.losses(images, labels)
            learner.optimiser.zero_grad(set_to_none=True)
            # The gradients are averaged over the processes, whose losses sum to the batch's.
            (loss * (weight * processes.count)).backward()
            learner.optimiser.step()
            learner.average.update(model, step + 1)

            sums += means * (weight * count)
            seen += count
            if index % EVERY == EVERY - 1 or index + 1 == per_epoch:
                so_far = (processes.total(sums) / seen).tolist()
                if not math.isfinite(so_far[0]):
                    raise TrainingError(
                        f"the loss became {so_far[0]} in epoch {epoch + 1}, near batch "
                        f"{index + 1}. The last epoch's checkpoint is untouched; try a smaller "
                        "--learning-rate."
                    )
                bar.set_postfix(
                    loss=f"{so_far[0]:.4f}", error=f"{100 * so_far[3]:.2f}%", refresh=False
                )
                bar.update(seen - bar.n)
                board.step(step + 1, so_far[0], seen, learning_rate(recipe, step, steps))
            if index == per_epoch // 2 and shown:
                warning = plateau(lengths, means[1])
                if warning is not None:
                    tqdm.write(f"warning: {warning}", file=sys.stderr)
    loss_mean, margin_mean, squared_mean, error = so_far
    return {
        "loss": loss_mean,
        "margin_loss": margin_mean,
        "reconstruction_sse": None if model.decoder is None else squared_mean,
        "error_percent": 100 * error,
    }
