"""The command line of `python -m capsnet.train`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from capsnet.arguments import Parser, number
from capsnet.config import CapsNetConfig
from capsnet.recipe import Recipe


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    recipe, config = Recipe(), CapsNetConfig()
    parser = Parser(
        prog="python -m capsnet.train",
        description="Train a capsule network and write a checkpoint that describes itself.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    positive = number(int, 1)
    add("--dataset", choices=["mnist"], default="mnist", help="what to train on")
    add("--data-dir", default="data", help="holds MNIST/raw/…; downloaded where missing")
    add("--out", type=Path, default=Path("checkpoints/mnist.safetensors"), help="the checkpoint")
    add("--resume", action="store_true", help="go on after the last finished epoch, if any")
    add("--epochs", type=positive, default=recipe.epochs, help="passes over the training set")
    add("--batch-size", type=positive, default=recipe.batch_size, help="images a step")
    add(
        "--learning-rate",
        type=number(float, 0, 1),
        default=recipe.learning_rate,
        help="peak rate of Adam",
    )
    add(
        "--average",
        type=number(float, 0, 1),
        default=recipe.average,
        help="decay of the averaged weights",
    )
    add("--shift", type=number(float, 0, 14), default=recipe.shift, help="largest shift, pixels")
    add(
        "--rotation",
        type=number(float, 0, 180),
        default=recipe.rotation,
        help="largest rotation, degrees",
    )
    add(
        "--scale",
        type=number(float, 0, 0.9),
        default=recipe.scale,
        help="largest relative change of size",
    )
    add("--shear", type=number(float, 0, 1), default=recipe.shear, help="largest shear")
    add(
        "--elastic",
        type=number(float, 0, 4),
        default=recipe.elastic,
        help="how far strokes bend, pixels",
    )
    add(
        "--reconstruction",
        type=number(float, 0, 1),
        default=recipe.reconstruction,
        help="weight of the reconstruction loss; 0 trains no decoder",
    )
    add(
        "--full-gradient",
        action="store_true",
        help="let the gradient flow through all routing iterations, not the last alone",
    )
    add(
        "--validation",
        type=number(int, 0),
        default=recipe.validation,
        help="hold out the last N training images and test on them, too",
    )
    add("--strokes", metavar="DIR", help="pen digits to train on too: holds pendigits-orig.tra")
    add(
        "--strokes-copies",
        type=positive,
        default=recipe.strokes_copies,
        help="how often an epoch draws each pen digit, changed anew each time",
    )
    add(
        "--hold-out",
        type=number(int, 0),
        default=recipe.hold_out,
        help="the last writers of the pen digits are tested on instead: how many",
    )
    add("--start", metavar="FILE", help="a checkpoint to train on from, instead of fresh weights")
    add(
        "--seed",
        type=number(int, 0, 2**31),
        default=recipe.seed,
        help="of weights, order and augmentation",
    )
    add("--limit", type=positive, help="train and test on the first N images only")
    add("--iterations", type=positive, default=config.iterations, help="routing iterations r")
    add("--device", help="cpu, cuda or mps; the fastest present by default")
    return parser.parse_args(arguments)
