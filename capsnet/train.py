"""Train a capsule network: `python -m capsnet.train --data-dir DIR --epochs N --out FILE`.

The recipe: Adam with a one-cycle learning rate, shifted, turned and scaled images, an exponential
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
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import torch

from capsnet.checkpoint import (
    CheckpointError,
    Provenance,
    check_writable,
    load_checkpoint,
    save_checkpoint,
)
from capsnet.config import CapsNetConfig
from capsnet.data import DIGITS, DataError, LabelledImages, in_words, load_dataset
from capsnet.datasets.pen import load_pen
from capsnet.device import (
    DeviceError,
    compute_deterministically,
    keep_freed_memory,
    out_of_memory,
)
from capsnet.evaluate import evaluate, lengths_of
from capsnet.model import CapsNet
from capsnet.provenance import code_version
from capsnet.samples import AMONG, choose_samples
from capsnet.training.board import BoardError, check_board, open_board
from capsnet.training.distributed import ALONE, ProcessError, Processes
from capsnet.training.dry_run import expectation, load_at_hand
from capsnet.training.epoch import Learner, TrainingError, train_epoch
from capsnet.training.options import network, parse
from capsnet.training.recipe import Recipe, TrainingData
from capsnet.training.resume import ResumeState, load_resume, save_resume
from capsnet.training.stopping import StopRequest, undisturbed

log = logging.getLogger("capsnet.train")


def train(
    config: CapsNetConfig,
    recipe: Recipe,
    data: TrainingData,
    out: Path,
    *,
    device: torch.device,
    provenance: Provenance,
    resume: bool = False,
    logdir: Path | None = None,
    processes: Processes = ALONE,
    stop: StopRequest | None = None,
) -> CapsNet:
    """Train, writing after each epoch the averaged weights, the resume state and a line of metrics.

    Several processes call this alike, each with its own view of them; one of them writes.

    Returns:
        The averaged network.

    Raises:
        TrainingError: The loss is no longer finite.
        CheckpointError: A file cannot be written, the resume state is not this run's, or the
            weights to start from are not of this config.
        ProcessError: Another process failed.
        KeyboardInterrupt: Passed on, after leaving a usable checkpoint; also where `stop` was
            asked for, once an epoch is finished and saved.
    """
    torch.manual_seed(recipe.seed)
    model = CapsNet(config, class_names=data.images.class_names)
    state = ResumeState(
        config, asdict(recipe), data.size(recipe), provenance.data, model.class_names
    )
    with processes.together():
        if recipe.start is not None:
            model.load_state_dict(starting_weights(recipe.start, config))
        learner = Learner.of(model.to(device), recipe)
        if resume:
            state = load_resume(out, state, learner)
    learner = learner.among(processes)
    average, history = learner.average.model, state.history
    if len(set(processes.gather(len(history)))) > 1:
        raise CheckpointError(
            "not every process finds the same resume file: it must lie where all do"
        )
    if len(history) >= recipe.epochs:
        log.info("all %d epochs are done already", recipe.epochs)
    per_epoch = math.ceil(data.size(recipe) / recipe.batch_size)
    board = open_board(
        logdir if processes.writes else None, data.test, done=per_epoch * len(history)
    )
    for epoch in range(len(history), recipe.epochs):
        started = time.perf_counter()
        try:
            digits = data.of_epoch(recipe, epoch)
            trained = train_epoch(learner, digits, recipe, epoch, board=board)
            seconds = time.perf_counter() - started
            sets = {"test": data.test, "pen": data.unseen, "validation": data.validation}
            tested = {
                name: evaluate(average, held_out, progress=True, processes=processes)
                for name, held_out in sets.items()
                if held_out is not None
            }
        except KeyboardInterrupt:
            # Otherwise the last epoch's, or an older one, stands.
            if processes.writes and not history and not out.exists():
                average.metrics = {"epochs": 0, "interrupted": True}
                with undisturbed():
                    save_checkpoint(out, average, provenance)
            raise
        line: dict[str, Any] = {
            "epoch": epoch + 1,
            "train": trained,
            **{name: result.without_confusion() for name, result in tested.items()},
            "seconds": round(seconds, 1),
            "images_per_second": round(len(digits) / seconds, 1),
        }
        history.append(line)
        metrics = {"data": data.test.name, **asdict(tested["test"])}
        metrics |= {"epochs": epoch + 1, "history": history}
        metrics |= {name: asdict(result) for name, result in tested.items() if name != "test"}
        average.metrics = metrics
        with processes.together():
            if processes.writes:
                few = data.test.take(AMONG)
                average.samples = choose_samples(lengths_of(average, few.images), few)
                save_checkpoint(out, average, provenance)
                save_resume(out, state, learner)
                write_log(out, history)
                rate = learner.optimiser.param_groups[0]["lr"]
                board.epoch(per_epoch * len(history), rate, line, average)
        log.info(
            "epoch %d: loss %.4f, %s, %.0f images/s",
            epoch + 1,
            trained["loss"],
            ", ".join(
                f"{name} error {result.error_percent:.2f} % ({result.errors} of {result.count})"
                for name, result in tested.items()
            ),
            line["images_per_second"],
        )
        if stop is not None and stop.agreed():
            raise KeyboardInterrupt
    board.close()
    return average


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
    """Write one JSON line an epoch beside the checkpoint, `NAME.jsonl`.

    Raises:
        CheckpointError: The file cannot be written.
    """
    path, partial = out.with_suffix(".jsonl"), out.with_suffix(".jsonl.tmp")
    try:
        partial.write_text("".join(json.dumps(line) + "\n" for line in history))
        partial.replace(path)
    except OSError as error:
        raise CheckpointError(f"{path} cannot be written: {error.strerror}") from error


def load_data(
    options: argparse.Namespace,
    *,
    progress: bool = True,
    load: Callable[..., LabelledImages] = load_dataset,
) -> tuple[TrainingData, str]:
    """Return what the command line names, as `load` reads it, and its name.

    Raises:
        DataError: It is missing or broken, or `--strokes` goes with anything but digits.
    """
    images, test = (
        load(options.dataset, options.data_dir, train=train, progress=progress)
        for train in (True, False)
    )
    images, held_out = images.take(options.limit).split(options.validation)
    test = test.take(options.limit)
    if options.strokes is None:
        return TrainingData(images, test, validation=held_out), images.name
    if images.class_names != DIGITS:
        raise DataError(
            f"--strokes adds pen digits, and {images.name} shows {in_words(images.class_names)}"
        )
    pen, unseen = load_pen(options.strokes).split(options.hold_out)
    source = f"{images.name} and pen strokes of {len(pen.writers.unique())} writers"
    return (
        TrainingData(
            images,
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
    processes = Processes.of_torchrun()
    level = logging.INFO if processes.writes else logging.WARNING
    logging.basicConfig(level=level, format="%(message)s")
    keep_freed_memory()
    if options.deterministic:
        compute_deterministically()
    given = list(sys.argv[1:] if arguments is None else arguments)
    command = shlex.join(["python", "-m", "capsnet.train", *(x for x in given if x != "--resume")])
    settings = vars(options)
    recipe = Recipe(**{name: settings[name] for name in asdict(Recipe())})
    try:
        device = processes.device(options.device)
        if options.dry_run:
            if processes.writes:
                data, _ = load_data(options, load=load_at_hand)
                config = network(options, len(data.images.class_names))
                print(expectation(config, recipe, data, device))
            return 0
        with processes.joined(device):
            with processes.together():
                if processes.writes:
                    check_writable(options.out)
                    check_board(options.logdir, resume=options.resume)
            data, source = processes.in_turn(lambda: load_data(options, progress=processes.writes))
            with StopRequest(processes) as stop:
                train(
                    network(options, len(data.images.class_names)),
                    recipe,
                    data,
                    options.out,
                    device=device,
                    provenance=Provenance(source, code_version(), command, asdict(recipe)),
                    resume=options.resume,
                    logdir=options.logdir,
                    processes=processes,
                    stop=stop,
                )
    except (
        BoardError,
        CheckpointError,
        DataError,
        DeviceError,
        ProcessError,
        TrainingError,
    ) as error:
        processes.say(f"error: {error}")
        return 1
    except RuntimeError as error:
        if not out_of_memory(error):
            raise
        processes.say(
            "error: this does not fit into the memory: make --batch-size or the layers smaller; "
            "--dry-run tells what takes how much"
        )
        return 1
    except KeyboardInterrupt:
        left = f"{options.out} is usable" if options.out.exists() else "nothing was saved yet"
        processes.say(f"stopped; {left}, and --resume goes on after the last whole epoch")
        return 130
    return 0


if __name__ == "__main__":
    # Being told to end is like Ctrl-C, also where a shell started this in the background.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    status = main()
    for late in (signal.SIGINT, signal.SIGTERM):  # torchrun, or a hand, ends what is ending already
        signal.signal(late, signal.SIG_IGN)
    sys.exit(status)
