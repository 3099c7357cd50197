"""Measure a trained checkpoint further, and write the result into the file:

`python -m capsnet.measure CHECKPOINT --data-dir DIR --strokes DIR`

It chooses and tests the thresholds below which the app says "not sure": on every other picture they
are chosen, on the rest tested. For digits they leave the fewest letters and scribbles sure, and it
reads the pen digits of the writers held out of training; for other classes, of which no drawing can
be said to be none, they leave the fewest mistakes on the test set sure. The weights stay as they
are, bit for bit.
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
from capsnet.data import DIGITS, DataError, LabelledImages
from capsnet.datasets.idx_sets import IDX_SETS
from capsnet.datasets.non_digits import non_digits
from capsnet.datasets.pen import load_pen
from capsnet.device import DeviceError, keep_freed_memory, pick_device
from capsnet.evaluate import add_dataset, evaluate, lengths_of, load_test_set
from capsnet.model import CapsNet
from capsnet.samples import Samples, choose_samples, to_tensors
from capsnet.training.recipe import Recipe

NON_DIGITS = 2000
"""How many letters, and as many scribbles."""

MISTAKES = 20
"""Thresholds are not chosen by fewer mistakes than this."""

PEN_DIGITS = "data/pendigits"
MNIST = IDX_SETS["mnist"].title


def measure_digits(model: CapsNet, test: LabelledImages, unseen: LabelledImages) -> dict[str, Any]:
    """Return what to add to the metrics of a network of digits.

    Args:
        model: A network in eval mode.
        test: Its test set.
        unseen: Pen digits of writers the network has not been trained on.

    Returns:
        `pen`, the evaluation on `unseen`, and `doubt`: `length`, `margin` and, of the pictures the
        two were not chosen on, `rates` for mnist (test for another set), pen, non_digits, letters
        and scribbles.

    Raises:
        DataError: The fonts of the letters are not installed.
    """
    drawn = non_digits(NON_DIGITS)
    drawn["non_digits"] = torch.cat(list(drawn.values()))
    others = {name: lengths_of(model, images).numpy() for name, images in drawn.items()}
    sets = {"mnist" if test.name == MNIST else "test": test, "pen": unseen}
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


def measure_others(model: CapsNet, test: LabelledImages) -> dict[str, Any]:
    """Return what to add to the metrics of a network of other classes.

    Args:
        model: A network in eval mode.
        test: Its test set.

    Returns:
        `doubt`, as for digits: its thresholds leave the fewest mistakes sure, and it has `rates`
        for test alone. Nothing where there are too few mistakes to choose by, or all is.
    """
    lengths, labels = lengths_of(model, test.images).numpy(), test.labels.numpy()
    chosen_on = lengths[::2]
    right = chosen_on.argmax(axis=1) == labels[::2]
    if (~right).sum() < MISTAKES or not right.any():
        return {}
    doubt = choose_doubt([chosen_on[right]], chosen_on[~right])
    shares = {"test": rates(doubt, lengths[1::2], labels[1::2])}
    return {"doubt": {**asdict(doubt), "rates": shares}}


def write(path: Path, measured: dict[str, Any], samples: Samples | None = None) -> None:
    """Add to the metrics in a checkpoint's metadata, and put samples in the place of its own.

    Raises:
        CheckpointError: The file cannot be read or written.
    """
    tensors, metadata = read_tensors(path)
    if samples is not None:
        tensors |= to_tensors(samples)
    write_tensors(path, tensors, metadata | {"metrics": metadata["metrics"] | measured})


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(prog="python -m capsnet.measure", description=(__doc__ or "").split("\n\n")[2])
    parser.add_argument("checkpoint", type=Path, help="a .safetensors file of capsnet.train")
    add_dataset(parser)
    parser.add_argument(
        "--strokes", metavar="DIR", help=f"for digits: pen digits (default: {PEN_DIGITS})"
    )
    parser.add_argument(
        "--hold-out",
        type=number(int, 1),
        default=Recipe().hold_out,
        help="the last writers, which training left out: how many (default: %(default)s)",
    )
    parser.add_argument(
        "--samples",
        action="store_true",
        help="choose the test images anew that the checkpoint holds to look at",
    )
    parser.add_argument("--device", help="cpu, cuda or mps (default: the fastest present)")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    options = parse(arguments)
    keep_freed_memory()
    try:
        model = load_checkpoint(options.checkpoint).to(pick_device(options.device))
        test = load_test_set(options.checkpoint, model, options.dataset, options.data_dir)
        if model.class_names == DIGITS:
            _, unseen = load_pen(options.strokes or PEN_DIGITS).split(options.hold_out)
            measured = measure_digits(model, test, unseen.drawn())
        elif options.strokes:
            raise DataError(f"--strokes are pen digits, and {options.checkpoint} knows no digits")
        else:
            measured = measure_others(model, test)
        samples = None
        if options.samples:
            samples = choose_samples(lengths_of(model, test.images), test)
        write(options.checkpoint, measured, samples)
    except (CheckpointError, DataError, DeviceError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    pen = {"pen_error_percent": measured["pen"]["error_percent"]} if "pen" in measured else {}
    print(json.dumps(pen | measured.get("doubt", {})))
    if "doubt" not in measured:
        told = (
            f"no thresholds: they need a right reading and {MISTAKES} mistakes in half the test set"
        )
        print(told, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
