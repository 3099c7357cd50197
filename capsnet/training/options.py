"""The command line of `python -m capsnet.train`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from capsnet.arguments import Parser, number
from capsnet.config import CapsNetConfig
from capsnet.data import DATASETS
from capsnet.training.recipe import Recipe

positive = number(int, 1)
width = number(int, 1, 2**16)


def name(text: str) -> str:
    """Return a name that the command line gives."""
    if not text:
        raise argparse.ArgumentTypeError("needs a name, and got an empty one")
    return text


def path(text: str) -> Path:
    """Return a path that the command line gives."""
    return Path(name(text))


class HelpFormatter(argparse.ArgumentDefaultsHelpFormatter):
    """Tells the default of every option that has one."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        told = action.default is not None and action.default is not False
        return super()._get_help_string(action) if told else action.help


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(
        prog="python -m capsnet.train",
        description="Train a capsule network and write a checkpoint that describes itself.",
        formatter_class=HelpFormatter,
    )
    add_data(parser)
    add_network(parser)
    add_recipe(parser)
    add_run(parser)
    options = parser.parse_args(arguments)
    if options.out is None:
        stem = Path(options.dataset).resolve().name
        options.out = Path("checkpoints") / f"{stem}.safetensors"
    if options.reconstruction is None:
        options.reconstruction = 0.0 if options.decoder_hidden is None else Recipe().reconstruction
    elif options.decoder_hidden is None:
        parser.error("--no-decoder leaves nothing that --reconstruction could weigh: drop one")
    return options


def network(options: argparse.Namespace, classes: int = CapsNetConfig.classes) -> CapsNetConfig:
    """Return the network that the options describe.

    Args:
        options: What `parse` returned.
        classes: How many classes the data have.

    Raises:
        ValueError: The sizes describe no network.
    """
    hidden = options.decoder_hidden
    return CapsNetConfig(
        classes=classes,
        conv_channels=options.conv_channels,
        primary_types=options.primary_types,
        primary_dim=options.primary_dim,
        digit_dim=options.digit_dim,
        iterations=options.routing_iterations,
        decoder_hidden=None if hidden is None else tuple(hidden),
    )


def add_data(parser: argparse.ArgumentParser) -> None:
    """Add what is trained and tested on."""
    recipe = Recipe()
    add = parser.add_argument_group("data").add_argument
    add(
        "--dataset",
        type=name,
        default="mnist",
        metavar="SET",
        help=f"what to train on: {', '.join(DATASETS)} or a folder of images, a folder a class",
    )
    add(
        "--data-dir",
        type=name,
        default="data",
        help="holds MNIST/raw/… and the like; downloaded if missing",
    )
    add("--limit", type=positive, metavar="N", help="train and test on the first N images only")
    add(
        "--validation",
        type=number(int, 0),
        default=recipe.validation,
        metavar="N",
        help="hold out the last N training images and test on them, too",
    )
    add("--strokes", metavar="DIR", help="pen digits to train on too: holds pendigits-orig.tra")
    add(
        "--strokes-copies",
        type=number(int, 1, 1000),
        default=recipe.strokes_copies,
        metavar="N",
        help="how often an epoch draws each pen digit, changed anew each time",
    )
    add(
        "--hold-out",
        type=number(int, 0),
        default=recipe.hold_out,
        metavar="N",
        help="the last writers of the pen digits are tested on instead: how many",
    )


def add_network(parser: argparse.ArgumentParser) -> None:
    """Add the network's sizes; the paper's by default."""
    config = CapsNetConfig()
    group = parser.add_argument_group("network")
    for field, help in (
        ("conv_channels", "feature maps of the first convolution"),
        ("primary_types", "capsule types in the primary layer"),
        ("primary_dim", "dimensions of a primary capsule"),
        ("digit_dim", "dimensions of a digit capsule"),
    ):
        group.add_argument(
            "--" + field.replace("_", "-"),
            type=width,
            default=getattr(config, field),
            metavar="N",
            help=help,
        )
    group.add_argument(
        "--routing-iterations",
        type=number(int, 1, 1000),
        default=config.iterations,
        metavar="R",
        help="iterations of the routing, r",
    )
    decoder = group.add_mutually_exclusive_group()
    decoder.add_argument(
        "--decoder-hidden",
        type=width,
        nargs=2,
        default=config.decoder_hidden,
        metavar=("N", "M"),
        help="widths of the decoder's two hidden layers",
    )
    decoder.add_argument(
        "--no-decoder",
        dest="decoder_hidden",
        action="store_const",
        const=None,
        default=argparse.SUPPRESS,
        help="leave the decoder and the reconstruction loss out",
    )


def add_recipe(parser: argparse.ArgumentParser) -> None:
    """Add what decides the weights besides."""
    recipe = Recipe()
    group = parser.add_argument_group("recipe")
    for field, kind, help in (
        ("epochs", positive, "passes over the training set"),
        ("batch_size", number(int, 1, 2**20), "images a step"),
        ("learning_rate", number(float, 0, 1), "peak rate of Adam"),
        ("average", number(float, 0, 1), "decay of the averaged weights"),
        ("shift", number(float, 0, 14), "largest shift, pixels"),
        ("rotation", number(float, 0, 180), "largest rotation, degrees"),
        ("scale", number(float, 0, 0.9), "largest relative change of size"),
        ("shear", number(float, 0, 1), "largest shear"),
        ("elastic", number(float, 0, 4), "how far strokes bend, pixels"),
        ("seed", number(int, 0, 2**31), "of weights, order and augmentation"),
    ):
        group.add_argument(
            "--" + field.replace("_", "-"),
            type=kind,
            default=getattr(recipe, field),
            metavar="X" if isinstance(getattr(recipe, field), float) else "N",
            help=help,
        )
    group.add_argument(
        "--reconstruction",
        type=number(float, 0, 1),
        metavar="X",
        help="weight of the reconstruction loss; 0 leaves the decoder as it began "
        f"(default: {recipe.reconstruction})",
    )
    group.add_argument(
        "--full-gradient",
        action="store_true",
        help="let the gradient flow through all routing iterations, not the last alone",
    )
    group.add_argument(
        "--start", metavar="FILE", help="a checkpoint to train on from, instead of fresh weights"
    )


def add_run(parser: argparse.ArgumentParser) -> None:
    """Add where to compute and what to write."""
    add = parser.add_argument_group("run").add_argument
    add(
        "--out",
        type=path,
        metavar="FILE",
        help="the checkpoint (default: checkpoints/SET.safetensors)",
    )
    add("--resume", action="store_true", help="go on after the last finished epoch, if any")
    add("--device", help="cpu, cuda or mps; the fastest present by default")
    add(
        "--deterministic",
        action="store_true",
        help="use only algorithms that always round alike: the same command then gives the same "
        "weights to the last bit on the same machine with as many threads and processes, more "
        "slowly on CUDA; elsewhere, and with another version of torch, it may not",
    )
    add("--logdir", type=path, metavar="DIR", help="write logs for TensorBoard there")
    add(
        "--dry-run",
        action="store_true",
        help="train and write nothing: print the layers, and the memory and time to expect",
    )
