"""Measure a checkpoint on a test set: `python -m capsnet.evaluate CHECKPOINT --data-dir DIR`."""

from __future__ import annotations

import argparse
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
from capsnet.checkpoint import CheckpointError, load_checkpoint, read_metadata
from capsnet.data import (
    DATASETS,
    DataError,
    LabelledImages,
    dataset_of,
    in_words,
    load_dataset,
    to_input,
)
from capsnet.datasets.pen import load_pen
from capsnet.device import DeviceError, keep_freed_memory, pick_device
from capsnet.losses import margin_loss
from capsnet.model import CapsNet
from capsnet.training.distributed import ALONE, Processes


@dataclass(frozen=True)
class Evaluation:
    """What a network makes of a test set.

    Attributes:
        error_percent: Share of images whose longest capsule is not the label's, in percent.
        errors: Their number.
        count: Number of images.
        margin_loss: Mean margin loss (eq. 4).
        reconstruction_sse: Squared error of the longest capsule's reconstruction, summed over
            the pixels, mean over the images; None for a network without a decoder.
        iterations: Routing iterations used.
        confusion: `confusion[label][verdict]` counts images.
    """

    error_percent: float
    errors: int
    count: int
    margin_loss: float
    reconstruction_sse: float | None
    iterations: int
    confusion: list[list[int]]

    def without_confusion(self) -> dict[str, Any]:
        """Return the single numbers."""
        return {name: value for name, value in asdict(self).items() if name != "confusion"}


@torch.inference_mode()
def evaluate(
    model: CapsNet,
    data: LabelledImages,
    *,
    iterations: int | None = None,
    batch_size: int = 250,
    progress: bool = False,
    processes: Processes = ALONE,
) -> Evaluation:
    """Run `model` over `data`.

    Args:
        model: A network in eval mode.
        data: Images and labels, N > 0.
        iterations: Routing iterations; the config's by default.
        batch_size: Images at a time.
        progress: Show a bar on standard error.
        processes: Those that call this alike and share the batches; the result, the same on each,
            is that of one.
    """
    device = next(model.parameters()).device
    classes = model.config.classes
    confusion = torch.zeros(classes, classes, dtype=torch.int64)
    starts = range(0, len(data), batch_size)
    sums = torch.zeros(len(starts), 2, dtype=torch.float64)  # margin loss, squared error
    mine = range(processes.rank, len(starts), processes.count)
    bar = tqdm(
        mine, desc="test", unit="batch", disable=not (progress and processes.writes), leave=False
    )
    for batch in bar:
        chosen = slice(starts[batch], starts[batch] + batch_size)
        images = to_input(data.images[chosen].to(device))
        labels = data.labels[chosen].to(device)
        lengths, poses = model(images, iterations)
        verdicts = lengths.argmax(dim=1)
        sums[batch, 0] = margin_loss(lengths, labels) * len(labels)
        if model.decoder is not None:
            sums[batch, 1] = (model.decode(poses, verdicts) - images).square().sum()
        cells = labels * classes + verdicts
        confusion += torch.bincount(cells.cpu(), minlength=classes**2).view(classes, classes)
    margin, squared_error = processes.total(sums).sum(dim=0).tolist()
    confusion = processes.total(confusion)
    count = len(data)
    errors = count - int(confusion.trace())
    return Evaluation(
        error_percent=100 * errors / count,
        errors=errors,
        count=count,
        margin_loss=margin / count,
        reconstruction_sse=None if model.decoder is None else squared_error / count,
        iterations=model.config.iterations if iterations is None else iterations,
        confusion=confusion.tolist(),
    )


def load_test_set(
    path: str | os.PathLike[str],
    model: CapsNet,
    dataset: str | None,
    data_dir: str | os.PathLike[str],
) -> LabelledImages:
    """Read the test images to ask a checkpoint about.

    Args:
        path: The checkpoint.
        model: Its network.
        dataset: As for `load_dataset`; None for the one that the checkpoint was trained on.
        data_dir: As for `load_dataset`.

    Raises:
        DataError: They are missing or broken, or the checkpoint does not tell which they are.
        CheckpointError: The network is not for these images.
    """
    name = dataset or dataset_of(str(read_metadata(path).get("data") or ""))
    data = load_dataset(name, data_dir, train=False, progress=True)
    check_fits(model, data, path)
    return data


def check_fits(model: CapsNet, data: LabelledImages, path: str | os.PathLike[str]) -> None:
    """Refuse a network that is not for some images.

    Raises:
        CheckpointError: It is for others, or for other classes; `path` names it.
    """
    config = model.config
    sizes = (*data.images.shape[1:], 1, len(data.class_names))
    if (config.image_size, config.image_size, config.image_channels, config.classes) != sizes:
        raise CheckpointError(
            f"{path} is for {config.classes} classes of {config.image_size} × "
            f"{config.image_size} images in {config.image_channels} channels, not for {data.name}"
        )
    if model.class_names != data.class_names:
        raise CheckpointError(
            f"{path} knows {in_words(model.class_names)}, not what {data.name} shows: "
            f"{in_words(data.class_names)}"
        )


@torch.inference_mode()
def lengths_of(model: CapsNet, images: Tensor, batch_size: int = 250) -> Tensor:
    """Return the lengths of the digit capsules [N, J] of uint8 images [N, 28, 28]."""
    device = next(model.parameters()).device
    parts = images.split(batch_size)
    return torch.cat([model(to_input(part.to(device))).lengths.float().cpu() for part in parts])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = Parser(
        prog="python -m capsnet.evaluate", description="Measure a checkpoint on a test set."
    )
    parser.add_argument("checkpoint", help="a .safetensors file made by capsnet.train")
    add_dataset(parser, "pendigits")
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
    keep_freed_memory()
    if options.hold_out and options.dataset != "pendigits":
        parser.error("--hold-out is about writers: it needs --dataset pendigits")
    try:
        device = pick_device(options.device)
        model = load_checkpoint(options.checkpoint).to(device)
        if options.dataset == "pendigits":
            pen = load_pen(options.data_dir)
            data = (pen.split(options.hold_out)[1] if options.hold_out else pen).drawn()
            check_fits(model, data, options.checkpoint)
        else:
            data = load_test_set(options.checkpoint, model, options.dataset, options.data_dir)
    except (CheckpointError, DataError, DeviceError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    result = evaluate(
        model,
        data,
        iterations=options.iterations,
        batch_size=options.batch_size,
        progress=True,
    )
    print(json.dumps(asdict(result)) if options.json else report(result, model.class_names))
    return 0


def add_dataset(parser: argparse.ArgumentParser, *others: str) -> None:
    """Add which test set a checkpoint is asked about, as `load_test_set` takes it."""
    parser.add_argument(
        "--dataset",
        metavar="SET",
        help=f"{', '.join((*DATASETS, *others))} or a folder of images, a folder a class "
        "(default: what the checkpoint was trained on)",
    )
    parser.add_argument(
        "--data-dir", default="data", help="holds MNIST/raw/… and the like (default: data)"
    )


def report(result: Evaluation, class_names: Sequence[str]) -> str:
    """Return the evaluation in words and a confusion table, its columns numbered as its rows."""
    numbers = range(len(class_names))
    titles = [str(k) if class_names[k] == str(k) else f"{k} {class_names[k]}" for k in numbers]
    width = max(map(len, ("label", *titles)))
    head = f"{'label':<{width}} " + "".join(f"{k:>6}" for k in numbers)
    rows = [
        f"{title:<{width}} " + "".join(f"{count:>6}" for count in row)
        for title, row in zip(titles, result.confusion, strict=True)
    ]
    squared_error = result.reconstruction_sse
    return "\n".join(
        [
            f"error {result.error_percent:.2f} % ({result.errors} of {result.count}), "
            f"{result.iterations} routing iterations",
            f"margin loss {result.margin_loss:.5f}, "
            + (
                "no decoder"
                if squared_error is None
                else f"reconstruction error {squared_error:.2f} (summed over the pixels)"
            ),
            "",
            head,
            *rows,
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
