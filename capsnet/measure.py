"""Measure a trained checkpoint further, and write the result into the file:

`python -m capsnet.measure CHECKPOINT --data-dir DIR --strokes DIR`

It reads the pen digits of the writers held out of training, and chooses and tests the thresholds
below which the app says "not sure": on every other picture they are chosen, on the rest tested.
The weights stay as they are, bit for bit.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from capsnet.analysis.doubt import choose_doubt, rates
from capsnet.arguments import Parser, number
from capsnet.checkpoint import CheckpointError, load_checkpoint, read_tensors, write_tensors
from capsnet.data import DataError, Digits, load_mnist
from capsnet.device import DeviceError, pick_device
from capsnet.evaluate import evaluate, lengths_of
from capsnet.model import CapsNet
from capsnet.non_digits import non_digits
from capsnet.pen import load_pen
from capsnet.recipe import Recipe

NON_DIGITS = 2000
"""How many letters, and as many scribbles."""


def measure(model: CapsNet, test: Digits, unseen: Digits) -> dict[str, Any]:
    """Return what to add to a checkpoint's metrics.

    Args:
        model: A network in eval mode.
        test: MNIST's test set.
        unseen: Pen digits of writers the network has not been trained on.

    Returns:
        `pen`, the evaluation on `unseen`, and `doubt`: `length`, `margin` and, of the pictures the
        two were not chosen on, `rates` for mnist, pen, non_digits, letters and scribbles.

    Raises:
        DataError: The fonts of the letters are not installed.
    """
    drawn = non_digits(NON_DIGITS)
    drawn["non_digits"] = torch.cat(list(drawn.values()))
    others = {name: lengths_of(model, images).numpy() for name, images in drawn.items()}
    sets = {"mnist": test, "pen": unseen}
    digits = {name: lengths_of(model, part.images).numpy() for name, part in sets.items()}
    labels = {name: part.labels.numpy() for name, part in sets.items()}
    right = [
        lengths[::2][lengths[::2].argmax(axis=1) == labels[name][::2]]
        for name, lengths in digits.items()
    ]
    doubt = choose_doubt(right, others["non_digits"][::2])
    shares = {
        name: rates(doubt, lengths[1::2], labels[name][1::2]) for name, lengths in digits.items()
    } | {name: rates(doubt, lengths[1::2]) for name, lengths in others.items()}
    return {
        "pen": asdict(evaluate(model, unseen)),
        "doubt": {**asdict(doubt), "rates": shares},
    }


def write(path: Path, measured: dict[str, Any]) -> None:
    """Add to the metrics in a checkpoint's metadata.

    Raises:
        CheckpointError: The file cannot be read or written.
    """
    tensors, metadata = read_tensors(path)
    write_tensors(path, tensors, metadata | {"metrics": metadata["metrics"] | measured})


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(prog="python -m capsnet.measure", description=(__doc__ or "").split("\n\n")[2])
    parser.add_argument("checkpoint", type=Path, help="a .safetensors file of capsnet.train")
    parser.add_argument("--data-dir", default="data", help="holds MNIST/raw/… (default: data)")
    parser.add_argument(
        "--strokes", default="data/pendigits", help="pen digits (default: data/pendigits)"
    )
    parser.add_argument(
        "--hold-out",
        type=number(int, 1),
        default=Recipe().hold_out,
        help="the last writers, which training left out: how many (default: %(default)s)",
    )
    parser.add_argument("--device", help="cpu, cuda or mps (default: the fastest present)")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    options = parse(arguments)
    try:
        model = load_checkpoint(options.checkpoint).to(pick_device(options.device))
        test = load_mnist(options.data_dir, train=False)
        unseen = load_pen(options.strokes).split(options.hold_out)[1].drawn()
        measured = measure(model, test, unseen)
        write(options.checkpoint, measured)
    except (CheckpointError, DataError, DeviceError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(json.dumps({"pen_error_percent": measured["pen"]["error_percent"]} | measured["doubt"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
