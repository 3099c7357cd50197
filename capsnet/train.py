"""Train a capsule network: `python -m capsnet.train --data-dir DIR --epochs N --out FILE`.

The recipe: Adam with a one-cycle learning rate, shifted, turned and scaled digits, an exponential
moving average of the weights, which is what is tested and saved. Every epoch's randomness comes
from (seed, epoch) alone, so that a resumed run follows the uninterrupted one.
"""

from __future__ import annotations

import argparse
import json
import logging
import math
import shlex
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from tqdm import tqdm

from capsnet.arguments import Parser
from capsnet.augment import Augmentation
from capsnet.checkpoint import CheckpointError, Provenance, save_checkpoint
from capsnet.config import CapsNetConfig
from capsnet.data import CLASS_NAMES, DataError, Digits, load_mnist, to_input
from capsnet.device import DeviceError, keep_freed_memory, pick_device
from capsnet.evaluate import evaluate
from capsnet.losses import margin_loss, plateau, reconstruction_loss, total_loss
from capsnet.model import CapsNet
from capsnet.provenance import code_version
from capsnet.resume import ResumeState, load_resume, save_resume

log = logging.getLogger("capsnet.train")


class TrainingError(RuntimeError):
    """Training cannot go on; the message says why and what to try."""


@dataclass(frozen=True)
class Recipe:
    """What decides the trained weights, besides the data and the network's config."""

    epochs: int = 13
    batch_size: int = 128
    learning_rate: float = 2e-3
    average: float = 0.999
    shift: float = 2.0
    rotation: float = 12.0
    scale: float = 0.12
    seed: int = 0
    limit: int | None = None


def learning_rate(recipe: Recipe, step: int, steps: int) -> float:
    """Return the rate of a step: linear up over the first tenth, then a cosine down to 0."""
    warm_up = max(1, steps // 10)
    if step < warm_up:
        return recipe.learning_rate * (step + 1) / warm_up
    return (
        recipe.learning_rate * 0.5 * (1 + math.cos(math.pi * (step - warm_up) / (steps - warm_up)))
    )


def batches(digits: Digits, recipe: Recipe, epoch: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield one epoch of augmented inputs [B, 1, 28, 28] and labels [B], in random order."""
    generator = torch.Generator().manual_seed(recipe.seed * 100_003 + epoch)
    augment = Augmentation(recipe.shift, recipe.rotation, recipe.scale)
    order = torch.randperm(len(digits), generator=generator)
    for chosen in order.split(recipe.batch_size):
        yield augment(to_input(digits.images[chosen]), generator), digits.labels[chosen]


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
            lengths, poses = model(images)
            # In training the decoder sees the capsule of the true label.
            reconstruction = model.decode(poses, labels)
        margin = margin_loss(lengths, labels)
        squared_error = reconstruction_loss(reconstruction.float(), images)
        loss = total_loss(margin, squared_error)
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
    digits: Digits,
    test: Digits,
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
        CheckpointError: A file cannot be written, or the resume state is not this run's.
        KeyboardInterrupt: Passed on, after leaving a usable checkpoint.
    """
    torch.manual_seed(recipe.seed)
    model = CapsNet(config, class_names=CLASS_NAMES[: config.classes]).to(device)
    average = WeightAverage(model, recipe.average)
    optimiser = torch.optim.Adam(model.parameters(), lr=recipe.learning_rate, fused=True)
    state = ResumeState(config, asdict(recipe), len(digits))
    if resume:
        state = load_resume(out, state, model, average.model, optimiser)
    history = state.history
    for epoch in range(len(history), recipe.epochs):
        started = time.perf_counter()
        try:
            trained = train_epoch(model, average, optimiser, digits, recipe, epoch)
            seconds = time.perf_counter() - started
            result = evaluate(average.model, test, progress=True)
        except KeyboardInterrupt:
            if not history and not out.exists():  # else the last epoch's, or an older one, stands
                average.model.metrics = {"epochs": 0, "interrupted": True}
                save_checkpoint(out, average.model, provenance)
            raise
        line: dict[str, Any] = {
            "epoch": epoch + 1,
            "train": trained,
            "test": {key: value for key, value in asdict(result).items() if key != "confusion"},
            "seconds": round(seconds, 1),
            "images_per_second": round(len(digits) / seconds, 1),
        }
        history.append(line)
        average.model.metrics = {**asdict(result), "epochs": epoch + 1, "history": history}
        save_checkpoint(out, average.model, provenance)
        save_resume(out, state, model, average.model, optimiser)
        write_log(out, history)
        log.info(
            "epoch %d: loss %.4f, test error %.2f %% (%d of %d), %.0f images/s",
            epoch + 1,
            trained["loss"],
            result.error_percent,
            result.errors,
            result.count,
            line["images_per_second"],
        )
    return average.model


def write_log(out: Path, history: Sequence[dict[str, Any]]) -> None:
    """Write one JSON line an epoch beside the checkpoint, `NAME.jsonl`."""
    partial = out.with_suffix(".jsonl.tmp")
    partial.write_text("".join(json.dumps(line) + "\n" for line in history))
    partial.replace(out.with_suffix(".jsonl"))


def check_writable(out: Path) -> None:
    """Refuse a checkpoint's name before hours are spent on it.

    Raises:
        CheckpointError: It has another ending, is a folder, or its folder cannot be written.
    """
    if out.suffix != ".safetensors":
        raise CheckpointError(f"--out must end in .safetensors, not {out.name!r}")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out.parent):
            pass
        if out.is_dir():
            raise CheckpointError(f"{out} is a folder; name a file for --out")
    except OSError as error:
        raise CheckpointError(f"{out} cannot be written: {error.strerror}") from error


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    recipe, config = Recipe(), CapsNetConfig()
    parser = Parser(
        prog="python -m capsnet.train",
        description="Train a capsule network and write a checkpoint that describes itself.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    positive = _number(int, 1)
    add("--dataset", choices=["mnist"], default="mnist", help="what to train on")
    add("--data-dir", default="data", help="holds MNIST/raw/…; downloaded where missing")
    add("--out", type=Path, default=Path("checkpoints/mnist.safetensors"), help="the checkpoint")
    add("--resume", action="store_true", help="go on after the last finished epoch, if any")
    add("--epochs", type=positive, default=recipe.epochs, help="passes over the training set")
    add("--batch-size", type=positive, default=recipe.batch_size, help="images a step")
    add(
        "--learning-rate",
        type=_number(float, 0, 1),
        default=recipe.learning_rate,
        help="peak rate of Adam",
    )
    add(
        "--average",
        type=_number(float, 0, 1),
        default=recipe.average,
        help="decay of the averaged weights",
    )
    add("--shift", type=_number(float, 0, 14), default=recipe.shift, help="largest shift, pixels")
    add(
        "--rotation",
        type=_number(float, 0, 180),
        default=recipe.rotation,
        help="largest rotation, degrees",
    )
    add(
        "--scale",
        type=_number(float, 0, 0.9),
        default=recipe.scale,
        help="largest relative change of size",
    )
    add(
        "--seed",
        type=_number(int, 0, 2**31),
        default=recipe.seed,
        help="of weights, order and augmentation",
    )
    add("--limit", type=positive, help="train and test on the first N images only")
    add("--iterations", type=positive, default=config.iterations, help="routing iterations r")
    add("--device", help="cpu, cuda or mps; the fastest present by default")
    return parser.parse_args(arguments)


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
        digits = load_mnist(options.data_dir, train=True).take(options.limit)
        test = load_mnist(options.data_dir, train=False).take(options.limit)
        train(
            CapsNetConfig(iterations=options.iterations),
            recipe,
            digits,
            test,
            options.out,
            device=device,
            provenance=Provenance("MNIST", code_version(), command, asdict(recipe)),
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


def _number(
    kind: Callable[[str], float], low: float, high: float = math.inf
) -> Callable[[str], float]:
    def number(text: str) -> float:
        value = kind(text)
        if not low <= value <= high:
            limits = f"at least {low}" if high == math.inf else f"between {low} and {high}"
            raise argparse.ArgumentTypeError(f"must be {limits}, got {text}")
        return value

    return number


if __name__ == "__main__":
    # Being told to end is like Ctrl-C, also where a shell started this in the background.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
