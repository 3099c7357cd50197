"""What a training would be, without training: the layers, and the memory and time to expect."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from capsnet.config import CapsNetConfig
from capsnet.data import LabelledImages, load_dataset
from capsnet.datasets.idx_sets import IDX_SETS
from capsnet.datasets.pen import PenChange
from capsnet.evaluate import evaluate
from capsnet.layers import layers
from capsnet.model import CapsNet
from capsnet.training.epoch import Learner, train_epoch
from capsnet.training.recipe import Recipe, TrainingData

STEPS = 5  # of training that are timed
TESTED = 500  # images of the test that are timed
REDRAWN = 100  # pen digits that are timed
SIZES = {"emnist-digits": (240_000, 40_000)}
USUAL_SIZE = (60_000, 10_000)  # training and test images of the other sets


def expectation(
    config: CapsNetConfig, recipe: Recipe, data: TrainingData, device: torch.device
) -> str:
    """Return the layers of a network, and the memory and time that its training would take.

    Where the last two are not counted they are measured: in a few steps, on `device`.
    """
    threads = torch.get_num_threads()
    where = f"cpu, {threads} thread{'s' * (threads > 1)}" if device.type == "cpu" else str(device)
    return report(config, recipe, data, measure(config, recipe, data, device), where)


@dataclass(frozen=True)
class Measured:
    """What a few real steps took on this machine.

    Attributes:
        steps: Their number.
        trained: Training images a second, augmentation and averaging among it.
        tested: Test images a second.
        redrawn: Pen digits drawn anew a second; None where there are none.
        kept: Bytes that a batch's forward pass keeps for the backward pass.
        peak: Bytes that the process (on CUDA: the device) held at most; None where not known.
    """

    steps: int
    trained: float
    tested: float
    redrawn: float | None
    kept: int
    peak: int | None


def measure(
    config: CapsNetConfig, recipe: Recipe, data: TrainingData, device: torch.device
) -> Measured:
    """Train a few steps with a network that is thrown away, and test some images."""
    torch.manual_seed(recipe.seed)
    learner = Learner.of(CapsNet(config).to(device), recipe)
    with counting(learner.model) as kept:
        train_epoch(learner, data.images.take(recipe.batch_size), recipe, 0, progress=False)
    few = data.images.take(STEPS * recipe.batch_size)
    train_time = seconds(lambda: train_epoch(learner, few, recipe, 0, progress=False))
    some = data.test.take(TESTED)
    model = learner.average.model
    evaluate(model, some.take(1))
    test_time = seconds(lambda: evaluate(model, some))
    redrawn = None
    if data.pen:
        pen = data.pen.take(REDRAWN)
        redrawn = len(pen) / seconds(lambda: pen.redrawn(PenChange(), 0))
    return Measured(
        steps=math.ceil(len(few) / recipe.batch_size),
        trained=len(few) / train_time,
        tested=len(some) / test_time,
        redrawn=redrawn,
        kept=sum(kept.values()),
        peak=peak_memory(device),
    )


def seconds(work: Callable[[], object]) -> float:
    """Return how long `work` takes, which ends with a number read: no device lags behind."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


@contextmanager
def counting(model: CapsNet) -> Iterator[dict[int, int]]:
    """Note the bytes of what is kept for the backward pass in the block, by their address.

    The weights, which lie there anyway, are left out. Meant for one step: memory that a second one
    uses again is counted once.
    """
    weights = {parameter.untyped_storage().data_ptr() for parameter in model.parameters()}
    kept: dict[int, int] = {}

    def note(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in weights:
            kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        yield kept


def peak_memory(device: torch.device) -> int | None:
    """Return how many bytes were held at most: on CUDA the device's, else this process's."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    if device.type != "cpu" or sys.platform == "win32":
        return None
    status = Path("/proc/self/status")  # Linux; its `resource` also counts the process before exec
    if status.exists():
        held = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return 1024 * int(held.split()[1])
    import resource  # Unix alone has it

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def load_at_hand(
    name: str, data_dir: str | os.PathLike[str], *, train: bool, progress: bool = False
) -> LabelledImages:
    """Read a data set as `load_dataset` does, but download nothing.

    Where its files are missing, random pixels of the same number take their place.
    """
    known = IDX_SETS.get(name)
    if known is None or not known.missing(Path(data_dir) / known.kind.__name__ / "raw"):
        return load_dataset(name, data_dir, train=train, progress=progress)
    count = SIZES.get(name, USUAL_SIZE)[0 if train else 1]
    return LabelledImages(
        torch.randint(0, 256, (count, 28, 28), dtype=torch.uint8),
        torch.randint(0, len(known.class_names), (count,)),
        known.class_names,
        f"{known.title} (random pixels: it is not in {data_dir})",
    )


def report(
    config: CapsNetConfig, recipe: Recipe, data: TrainingData, measured: Measured, device: str
) -> str:
    """Return everything in words and tables.

    Args:
        config: The network.
        recipe: The training.
        data: What would be trained and tested on.
        measured: What `measure` found.
        device: Where, in words.
    """
    parameters = sum(layer.parameters for layer in layers(config))
    others = [part for part in (data.unseen, data.validation) if part is not None]
    sets = [data.images, data.test, *others]
    trained, tested = data.size(recipe), sum(map(len, sets[1:]))
    drawn = trained - len(data.images)
    epoch = trained / measured.trained + tested / measured.tested
    epoch += drawn / measured.redrawn if measured.redrawn else 0
    weights = 4 * parameters
    memory = [
        ("weights", weights, "counted"),
        ("their gradients", weights, "counted"),
        ("Adam's two moments", 2 * weights, "counted"),
        ("averaged weights", weights, "counted"),
        (f"activations of a batch of {recipe.batch_size}", measured.kept, "measured in one step"),
        ("images", sum(part.images.nbytes for part in sets), "counted"),
    ]
    if measured.peak is not None:
        memory.append(("all, at the peak", measured.peak, f"measured in {measured.steps} steps"))
    times = [
        ("training", f"{measured.trained:,.0f} images/s", f"measured in {measured.steps} steps"),
        ("testing", f"{measured.tested:,.0f} images/s", "measured"),
        ("an epoch", duration(epoch), f"{trained:,} images, and {tested:,} to test on"),
        ("the run", duration(recipe.epochs * epoch), f"{recipe.epochs} epochs"),
    ]
    if measured.redrawn:
        times.insert(2, ("drawing", f"{measured.redrawn:,.0f} pen digits/s", "measured"))
    files = [
        ("checkpoint", megabytes(2 * parameters), "weights in float16, counted"),
        ("resume state", megabytes(4 * weights), "counted"),
    ]
    sections = [
        ("memory", [(what, megabytes(size), how) for what, size, how in memory]),
        (f"time on {device}, with {data.images.name}", times),
        ("files", files),
    ]
    tables = [f"{title}\n{columns(rows)}" for title, rows in sections]
    return "\n\n".join([architecture(config), *tables])


def architecture(config: CapsNetConfig) -> str:
    """Return the layers as a table."""
    found = layers(config)
    rows = [
        (layer.name, shape(layer.output), f"{layer.parameters:,}", f"{layer.multiply_adds:,}")
        for layer in found
    ]
    total = sum(layer.parameters for layer in found), sum(layer.multiply_adds for layer in found)
    side = (config.image_channels, config.image_size, config.image_size)
    return columns(
        [
            ("layer", "output", "parameters", "multiply-adds"),
            ("image", shape(side), "", ""),
            *rows,
            ("all", "", f"{total[0]:,}", f"{total[1]:,}"),
        ]
    )


def shape(sizes: Sequence[int]) -> str:
    """Return a shape in words."""
    return " × ".join(map(str, sizes))


def megabytes(size: int) -> str:
    """Return a number of bytes in words."""
    return f"{size / 1e6:,.1f} MB"


def duration(time: float) -> str:
    """Return a number of seconds in words, to two units."""
    minutes, rest = divmod(round(time), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{time:.1f} s"


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows under each other, numbers to the right; first and third column are words."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    words = (0, 2) if len(widths) == 3 else (0,)
    lines = [
        "  ".join(
            cell.ljust(width) if k in words else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)
