"""Train a capsule network: `python -m capsnet.train --data-dir DIR --epochs N --out FILE`.

The recipe: Adam with a one-cycle learning rate, shifted, turned and scaled digits, an exponential
moving average of the weights, which is what is tested and saved. With `--strokes` pen digits are
trained on too, drawn anew for every epoch.
"""

from __future__ import annotations

import argparse
import json
import logging
import math
import shlex
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from capsnet.checkpoint import (
    CheckpointError,
    Provenance,
    check_writable,
    load_checkpoint,
    save_checkpoint,
)
from capsnet.config import CapsNetConfig
from capsnet.data import CLASS_NAMES, DataError, Digits, load_mnist
from capsnet.device import DeviceError, keep_freed_memory, pick_device
from capsnet.evaluate import evaluate
from capsnet.losses import margin_loss, plateau, reconstruction_loss, total_loss
from capsnet.model import CapsNet
from capsnet.options import parse
from capsnet.pen import load_pen
from capsnet.provenance import code_version
from capsnet.recipe import Recipe, TrainingData, batches, learning_rate
from capsnet.resume import ResumeState, load_resume, save_resume

log = logging.getLogger("capsnet.train")


class TrainingError(RuntimeError):
    """Training cannot go on; the message says why and what to try."""


class WeightAverage:
    """An exponential moving average of a network's weights, short-sighted at the start."""

    def __init__(self, model: CapsNet, decay: float) -> None:
        """Start from the weights of `model`."""
        self.model = CapsNet(model.config, class_names=model.class_names)
        self.model.to(next(model.parameters()).device).load_state_dict(model.state_dict())
        self.model.eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model: CapsNet, step: int) -> None:
        """Take in the weights after `step` steps."""
        decay = min(self.decay, (1 + step) / (10 + step))
        for averaged, current in zip(self.model.parameters(), model.parameters(), strict=True):
            averaged.lerp_(current, 1 - decay)


def train_epoch(
    model: CapsNet,
    average: WeightAverage,
    optimiser: torch.optim.Optimizer,
    digits: Digits,
    recipe: Recipe,
    epoch: int,
) -> dict[str, float]:
    """Train one epoch (numbered from 0) and return its means: losses and training error.

    Raises:
        TrainingError: The loss is no longer a finite number.
    """
    device = next(model.parameters()).device
    per_epoch = math.ceil(len(digits) / recipe.batch_size)
    steps = per_epoch * recipe.epochs
    seen, sums = 0, torch.zeros(4, device=device)
    model.train()
    bar = tqdm(
        batches(digits, recipe, epoch),
        total=per_epoch,
        desc=f"epoch {epoch + 1}/{recipe.epochs}",
        unit="batch",
    )
    for index, (images, labels) in enumerate(bar):
        images, labels = images.to(device, non_blocking=True), labels.to(device, non_blocking=True)
        step = epoch * per_epoch + index
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(recipe, step, steps)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            lengths, poses = model(images, full_gradient=recipe.full_gradient)
            # In training the decoder sees the capsule of the true label.
            reconstruction = model.decode(poses, labels)
        margin = margin_loss(lengths, labels)
        squared_error = reconstruction_loss(reconstruction.float(), images)
        loss = total_loss(margin, squared_error, recipe.reconstruction)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        average.update(model, step + 1)

        wrong = (lengths.detach().argmax(dim=1) != labels).float().mean()
        means = torch.stack([loss.detach(), margin.detach(), squared_error.detach(), wrong])
        sums += means * len(labels)
        seen += len(labels)
        if index % 10 == 9 or index + 1 == per_epoch:  # reading a number waits for the device
            so_far = (sums / seen).tolist()
            if not math.isfinite(so_far[0]):
                raise TrainingError(
                    f"the loss became {so_far[0]} in epoch {epoch + 1}, near batch {index + 1}. "
                    "The last epoch's checkpoint is untouched; try a smaller --learning-rate."
                )
            bar.set_postfix(
                loss=f"{so_far[0]:.4f}",
                error=f"{100 * so_far[3]:.2f}%",
                rate=f"{(bar.format_dict['rate'] or 0) * recipe.batch_size:.0f} images/s",
                refresh=False,
            )
        if index == per_epoch // 2 and (warning := plateau(lengths.detach(), margin.detach())):
            tqdm.write(f"warning: {warning}", file=sys.stderr)
    loss_mean, margin_mean, squared_mean, error = (sums / seen).tolist()
    return {
        "loss": loss_mean,
        "margin_loss": margin_mean,
        "reconstruction_sse": squared_mean,
        "error_percent": 100 * error,
    }


def train(
    config: CapsNetConfig,
    recipe: Recipe,
    data: TrainingData,
    out: Path,
    *,
    device: torch.device,
    provenance: Provenance,
    resume: bool = False,
) -> CapsNet:
    """Train, writing after each epoch the averaged weights, the resume state and a line of metrics.

    Returns:
        The averaged network.

    Raises:
        TrainingError: The loss is no longer finite.
        CheckpointError: A file cannot be written, the resume state is not this run's, or the
            weights to start from are not of this config.
        KeyboardInterrupt: Passed on, after leaving a usable checkpoint.
    """
    torch.manual_seed(recipe.seed)
    model = CapsNet(config, class_names=CLASS_NAMES[: config.classes])
    if recipe.start is not None:
        model.load_state_dict(starting_weights(recipe.start, config))
    model.primary.lay_out_for_training()
    model = model.to(device)
    average = WeightAverage(model, recipe.average)
    optimiser = torch.optim.Adam(model.parameters(), lr=recipe.learning_rate, fused=True)
    state = ResumeState(config, asdict(recipe), data.size(recipe))
    if resume:
        state = load_resume(out, state, model, average.model, optimiser)
    history = state.history
    for epoch in range(len(history), recipe.epochs):
        started = time.perf_counter()
        try:
            digits = data.of_epoch(recipe, epoch)
            trained = train_epoch(model, average, optimiser, digits, recipe, epoch)
            seconds = time.perf_counter() - started
            tested = {"test": evaluate(average.model, data.test, progress=True)}
            others = {"pen": data.unseen, "validation": data.validation}
            for name, held_out in others.items():
                if held_out is not None:
                    tested[name] = evaluate(average.model, held_out, progress=True)
        except KeyboardInterrupt:
            if not history and not out.exists():  # else the last epoch's, or an older one, stands
                average.model.metrics = {"epochs": 0, "interrupted": True}
                save_checkpoint(out, average.model, provenance)
            raise
        line: dict[str, Any] = {
            "epoch": epoch + 1,
            "train": trained,
            **{name: result.without_confusion() for name, result in tested.items()},
            "seconds": round(seconds, 1),
            "images_per_second": round(len(digits) / seconds, 1),
        }
        history.append(line)
        metrics = {**asdict(tested["test"]), "epochs": epoch + 1, "history": history}
        metrics |= {name: asdict(result) for name, result in tested.items() if name != "test"}
        average.model.metrics = metrics
        save_checkpoint(out, average.model, provenance)
        save_resume(out, state, model, average.model, optimiser)
        write_log(out, history)
        log.info(
            "epoch %d: loss %.4f, test error %s, %.0f images/s",
            epoch + 1,
            trained["loss"],
            ", ".join(
                f"{result.error_percent:.2f} % ({result.errors} of {result.count})"
                for result in tested.values()
            ),
            line["images_per_second"],
        )
    return average.model


def starting_weights(path: str, config: CapsNetConfig) -> dict[str, torch.Tensor]:
    """Return the weights of a checkpoint to train on from.

    Raises:
        CheckpointError: It cannot be read, or its network has other sizes.
    """
    begun = load_checkpoint(path)
    if replace(begun.config, iterations=config.iterations) != config:
        raise CheckpointError(f"{path} is a network of other sizes; --start needs one like it")
    return begun.state_dict()


def write_log(out: Path, history: Sequence[dict[str, Any]]) -> None:
    """Write one JSON line an epoch beside the checkpoint, `NAME.jsonl`."""
    partial = out.with_suffix(".jsonl.tmp")
    partial.write_text("".join(json.dumps(line) + "\n" for line in history))
    partial.replace(out.with_suffix(".jsonl"))


def load_data(options: argparse.Namespace) -> tuple[TrainingData, str]:
    """Return what the command line names, and its name.

    Raises:
        DataError: It is missing or broken.
    """
    digits = load_mnist(options.data_dir, train=True).take(options.limit)
    digits, held_out = digits.split(options.validation)
    test = load_mnist(options.data_dir, train=False).take(options.limit)
    if options.strokes is None:
        return TrainingData(digits, test, validation=held_out), "MNIST"
    pen, unseen = load_pen(options.strokes).split(options.hold_out)
    source = f"MNIST and pen strokes of {len(pen.writers.unique())} writers"
    return (
        TrainingData(
            digits,
            test,
            pen.take(options.limit),
            unseen.take(options.limit).drawn() if unseen else None,
            held_out,
        ),
        source,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    options = parse(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    keep_freed_memory()
    given = list(sys.argv[1:] if arguments is None else arguments)
    command = shlex.join(["python", "-m", "capsnet.train", *(x for x in given if x != "--resume")])
    settings = vars(options)
    recipe = Recipe(**{name: settings[name] for name in asdict(Recipe())})
    try:
        device = pick_device(options.device)
        check_writable(options.out)
        data, source = load_data(options)
        train(
            CapsNetConfig(iterations=options.iterations),
            recipe,
            data,
            options.out,
            device=device,
            provenance=Provenance(source, code_version(), command, asdict(recipe)),
            resume=options.resume,
        )
    except (CheckpointError, DataError, DeviceError, TrainingError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        left = f"{options.out} is usable" if options.out.exists() else "nothing was saved yet"
        print(f"stopped; {left}, and --resume goes on after the last whole epoch", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    # Being told to end is like Ctrl-C, also where a shell started this in the background.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
