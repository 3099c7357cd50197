"""Measure a checkpoint on a test set: `python -m capsnet.evaluate CHECKPOINT --data-dir DIR`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor
from tqdm import tqdm

from capsnet.arguments import Parser, number
from capsnet.checkpoint import CheckpointError, load_checkpoint
from capsnet.config import CapsNetConfig
from capsnet.data import DataError, Digits, load_mnist, to_input
from capsnet.device import DeviceError, pick_device
from capsnet.losses import margin_loss
from capsnet.model import CapsNet
from capsnet.pen import load_pen


@dataclass(frozen=True)
class Evaluation:
    """What a network makes of a test set.

    Attributes:
        error_percent: Share of images whose longest capsule is not the label's, in percent.
        errors: Their number.
        count: Number of images.
        margin_loss: Mean margin loss (eq. 4).
        reconstruction_sse: Squared error of the longest capsule's reconstruction, summed over
            the pixels, mean over the images.
        iterations: Routing iterations used.
        confusion: `confusion[label][verdict]` counts images.
    """

    error_percent: float
    errors: int
    count: int
    margin_loss: float
    reconstruction_sse: float
    iterations: int
    confusion: list[list[int]]

    def without_confusion(self) -> dict[str, Any]:
        """Return the single numbers."""
        return {name: value for name, value in asdict(self).items() if name != "confusion"}


@torch.inference_mode()
def evaluate(
    model: CapsNet,
    digits: Digits,
    *,
    iterations: int | None = None,
    batch_size: int = 250,
    progress: bool = False,
) -> Evaluation:
    """Run `model` over `digits`.

    Args:
        model: A network in eval mode.
        digits: Images and labels, N > 0.
        iterations: Routing iterations; the config's by default.
        batch_size: Images at a time.
        progress: Show a bar on standard error.
    """
    device = next(model.parameters()).device
    classes = model.config.classes
    confusion = torch.zeros(classes, classes, dtype=torch.int64)
    margin = squared_error = 0.0
    batches = range(0, len(digits), batch_size)
    for start in tqdm(batches, desc="test", unit="batch", disable=not progress, leave=False):
        images = to_input(digits.images[start : start + batch_size].to(device))
        labels = digits.labels[start : start + batch_size].to(device)
        lengths, poses = model(images, iterations)
        verdicts = lengths.argmax(dim=1)
        margin += float(margin_loss(lengths, labels)) * len(labels)
        squared_error += float((model.decode(poses, verdicts) - images).square().sum())
        cells = labels * classes + verdicts
        confusion += torch.bincount(cells.cpu(), minlength=classes**2).view(classes, classes)
    count = len(digits)
    errors = count - int(confusion.trace())
    return Evaluation(
        error_percent=100 * errors / count,
        errors=errors,
        count=count,
        margin_loss=margin / count,
        reconstruction_sse=squared_error / count,
        iterations=model.config.iterations if iterations is None else iterations,
        confusion=confusion.tolist(),
    )


def check_for_mnist(config: CapsNetConfig, path: str | os.PathLike[str]) -> None:
    """Refuse a network that cannot read MNIST's images.

    Raises:
        CheckpointError: It is for other images or another number of classes; `path` names it.
    """
    if (config.image_size, config.image_channels, config.classes) != (28, 1, 10):
        raise CheckpointError(
            f"{path} is for {config.classes} classes of {config.image_size} × "
            f"{config.image_size} images in {config.image_channels} channels, not for MNIST"
        )


@torch.inference_mode()
def lengths_of(model: CapsNet, images: Tensor, batch_size: int = 250) -> Tensor:
    """Return the lengths of the digit capsules [N, 10] of uint8 images [N, 28, 28]."""
    device = next(model.parameters()).device
    parts = images.split(batch_size)
    return torch.cat([model(to_input(part.to(device))).lengths.float().cpu() for part in parts])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = Parser(
        prog="python -m capsnet.evaluate", description="Measure a checkpoint on a test set."
    )
    parser.add_argument("checkpoint", help="a .safetensors file made by capsnet.train")
    parser.add_argument("--dataset", choices=["mnist", "pendigits"], default="mnist")
    parser.add_argument(
        "--data-dir",
        default="data",
        help="holds MNIST/raw/…, or pendigits-orig.tra (default: data)",
    )
    parser.add_argument(
        "--hold-out",
        type=number(int, 1),
        metavar="N",
        help="of the pen digits only those of the last N writers (default: all)",
    )
    parser.add_argument(
        "--iterations", type=number(int, 1), help="routing iterations (default: as trained)"
    )
    parser.add_argument("--batch-size", type=number(int, 1), default=250)
    parser.add_argument("--device", help="cpu, cuda or mps (default: the fastest present)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    if options.hold_out and options.dataset != "pendigits":
        parser.error("--hold-out is about writers: it needs --dataset pendigits")
    try:
        device = pick_device(options.device)
        model = load_checkpoint(options.checkpoint).to(device)
        if options.dataset == "mnist":
            digits = load_mnist(options.data_dir, train=False)
        else:
            pen = load_pen(options.data_dir)
            digits = (pen.split(options.hold_out)[1] if options.hold_out else pen).drawn()
        check_for_mnist(model.config, options.checkpoint)
    except (CheckpointError, DataError, DeviceError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    result = evaluate(
        model,
        digits,
        iterations=options.iterations,
        batch_size=options.batch_size,
        progress=True,
    )
    print(json.dumps(asdict(result)) if options.json else report(result))
    return 0


def report(result: Evaluation) -> str:
    """Return the evaluation in words and a confusion table."""
    head = "label " + "".join(f"{k:>6}" for k in range(len(result.confusion)))
    rows = [
        f"{label:>5} " + "".join(f"{count:>6}" for count in row)
        for label, row in enumerate(result.confusion)
    ]
    return "\n".join(
        [
            f"error {result.error_percent:.2f} % ({result.errors} of {result.count}), "
            f"{result.iterations} routing iterations",
            f"margin loss {result.margin_loss:.5f}, "
            f"reconstruction error {result.reconstruction_sse:.2f} (summed over the pixels)",
            "",
            head,
            *rows,
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
