"""What a training writes down while it runs, for TensorBoard: `--logdir DIR`.

Everything stands over the number of steps done. A run that goes on in the same folder first takes
back what was written after the step it starts from.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch

from capsnet.analysis.couplings import coupling_entropy
from capsnet.data import LabelledImages, to_input
from capsnet.evaluate import lengths_of
from capsnet.model import CapsNet
from capsnet.training.board_pictures import entropy_sheet, reconstruction_sheet

EVERY = 50  # steps from one note of the loss to the next
SHOWN = 10  # test images in the pictures: the first of each of so many classes
COUNTED = 500  # test images in the histograms of the lengths
SINGLE = ("loss", "margin_loss", "reconstruction_sse", "error_percent")


class BoardError(RuntimeError):
    """The log cannot be written; the message says what to do."""


class Board:
    """Takes notes of a training. This one takes none."""

    def step(self, step: int, loss: float, seen: int, rate: float) -> None:
        """Note how the steps go.

        Args:
            step: Steps done.
            loss: Mean loss of the epoch so far.
            seen: Images of the epoch so far.
            rate: Learning rate of the last step.
        """

    def epoch(self, step: int, rate: float, line: Mapping[str, Any], model: CapsNet) -> None:
        """Note an epoch.

        Args:
            step: Steps done.
            rate: The learning rate of the last one.
            line: The epoch's entry in the history.
            model: The averaged network, in eval mode.
        """

    def close(self) -> None:
        """Write what is not written yet."""


NO_BOARD = Board()


class TensorBoard(Board):
    """Writes the notes into a folder that TensorBoard reads.

    The tags are `steps/loss`, the mean since the note before, and `steps/learning_rate`, about
    every EVERY steps; and every epoch `train/…`, `test/…` and what else is tested on, with the
    numbers of the history, `epochs/images_per_second`, `epochs/learning_rate`, `routing/entropy_t`
    in bits for each iteration t, the pictures `samples/reconstructions` and
    `samples/coupling_entropy` of the first test image of each class, and the histograms
    `lengths/CLASS` of every digit capsule over COUNTED test images.
    """

    def __init__(self, logdir: Path, test: LabelledImages, done: int = 0) -> None:
        """Open the log; `check_board` says beforehand whether that works.

        Args:
            logdir: The folder.
            test: The test set, some of which is shown.
            done: Steps of the training that were done before; later notes are taken back.
        """
        from torch.utils.tensorboard import SummaryWriter

        # Some readers drop what an earlier file says of this step and of later ones; others, the
        # later part of a curve that goes back: so the first look is noted.
        self.writer = SummaryWriter(str(logdir), purge_step=done + 1)
        self.noted = done - EVERY
        self.before = (0, 0.0)  # images of the epoch so far, and the sum of their losses
        self.counted = test.take(COUNTED)
        classes = test.labels.unique()[:SHOWN]  # sorted
        first = torch.stack([(test.labels == j).nonzero()[0, 0] for j in classes])
        self.shown = replace(test, images=test.images[first], labels=test.labels[first])

    def step(self, step: int, loss: float, seen: int, rate: float) -> None:
        """Note loss and rate, unless less than EVERY steps have passed since the last note."""
        if step - self.noted < EVERY:
            return
        seen_before, sum_before = self.before
        self.noted, self.before = step, (seen, loss * seen)
        since = (loss * seen - sum_before) / (seen - seen_before)
        self.writer.add_scalar("steps/loss", since, step)
        self.writer.add_scalar("steps/learning_rate", rate, step)

    def epoch(self, step: int, rate: float, line: Mapping[str, Any], model: CapsNet) -> None:
        """Note the history's numbers, then look at some test images."""
        self.before = (0, 0.0)
        add = self.writer.add_scalar
        for part, values in line.items():
            for name in SINGLE if isinstance(values, Mapping) else ():
                if values.get(name) is not None:
                    add(f"{part}/{name}", values[name], step)
        add("epochs/images_per_second", line["images_per_second"], step)
        add("epochs/learning_rate", rate, step)
        self._look(step, model)
        self.writer.flush()

    def close(self) -> None:
        """Write what is not written yet."""
        self.writer.close()

    @torch.inference_mode()
    def _look(self, step: int, model: CapsNet) -> None:
        """Note pictures, entropies and lengths."""
        config = model.config
        known = [
            # The sheets' font has no other letters.
            name.encode("ascii", "ignore").decode().strip() or f"class {j}"
            for j, name in enumerate(model.class_names)
        ]
        names = [known[j] for j in self.shown.labels.tolist()]
        images = to_input(self.shown.images).to(next(model.parameters()).device)
        trace = model.trace(images, config.iterations)
        verdicts = trace.lengths[-1].argmax(dim=1)
        drawn = None
        if model.decoder is not None:
            drawn = model.decode(trace.poses[-1], verdicts)[:, 0].float().cpu().numpy()
        lengths = trace.lengths[-1].amax(dim=1)
        read = [
            f"{length:.2f} {known[j]}"
            for j, length in zip(verdicts.tolist(), lengths.tolist(), strict=True)
        ]
        sheets = {
            "reconstructions": reconstruction_sheet(images[:, 0].cpu().numpy(), drawn, names, read)
        }

        entropy = coupling_entropy(trace.couplings.float().cpu())  # [T, N, 1152]
        for t, mean in enumerate(entropy.mean(axis=(1, 2)), start=1):
            self.writer.add_scalar(f"routing/entropy_{t}", mean, step)
        maps = entropy.reshape(*entropy.shape[:2], -1, config.grid, config.grid).mean(axis=2)
        sheets["coupling_entropy"] = entropy_sheet(maps, names, float(np.log2(config.classes)))
        for name, picture in sheets.items():
            self.writer.add_image(f"samples/{name}", picture, step, dataformats="HWC")

        lengths = lengths_of(model, self.counted.images)  # [500, 10]
        for name, of_class in zip(model.class_names, lengths.unbind(1), strict=True):
            self.writer.add_histogram(f"lengths/{name}", of_class, step)


def check_board(logdir: Path | None, *, resume: bool = False) -> None:
    """Refuse a log that could not be written, before hours are spent.

    Raises:
        BoardError: TensorBoard is not installed, the folder cannot be written, or it holds the log
            of another run and this one does not `resume`.
    """
    if logdir is None:
        return
    if find_spec("tensorboard") is None:
        raise BoardError("--logdir needs TensorBoard; install it with: pip install tensorboard")
    try:
        logdir.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=logdir):
            pass
    except OSError as error:
        raise BoardError(f"--logdir {logdir} cannot be written: {error.strerror}") from error
    if not resume and any(logdir.glob("events.out.tfevents.*")):
        raise BoardError(
            f"--logdir {logdir} holds the log of a run: name another folder, or go on with --resume"
        )


def open_board(logdir: Path | None, test: LabelledImages, done: int = 0) -> Board:
    """Return a board that writes into a folder, or takes no notes where none is named."""
    return NO_BOARD if logdir is None else TensorBoard(logdir, test, done)
