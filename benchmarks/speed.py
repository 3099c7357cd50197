"""How fast the network trains and answers, beside the plain formulation, in one run.

`python benchmarks/speed.py` prints a table. The plain form is what one writes down first: two
`Conv2d`, votes and routing by einsum, the gradient through every iteration, all in float32. Both
are trained by the same loop (`capsnet.training.epoch`: augmentation, decoder, Adam, averaged
weights), in turns, and the median counts. Beside the throughput stand the memory that a process of
its own held at its peak, and the arithmetic: the multiplications and additions that are really
done, and how near their rate comes to that of a large matrix product on the same machine.

On CUDA what is trained takes bfloat16 autocast, as `capsnet.train` does. On a processor it is
float32 everywhere: with so few products it is faster than bfloat16 was measured to be where the
processor has it (2.9 times the plain form), and without such instructions bfloat16 is slower still.
`--bfloat16` adds a row to look at that.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

import torch
from torch.utils.flop_counter import FlopCounterMode

from capsnet import CapsNet
from capsnet.data import LabelledImages
from capsnet.device import keep_freed_memory, pick_device
from capsnet.model import CapsNetOutput
from capsnet.routing import lengths_of, squash
from capsnet.training.dry_run import peak_memory
from capsnet.training.epoch import Learner, train_epoch
from capsnet.training.recipe import Recipe

BATCHES = 2  # of a training round
SIDE = 4096 if torch.cuda.is_available() else 2048  # of the large matrix product


class PlainCapsNet(CapsNet):
    """The same network and weights, computed without any thought for speed."""

    def forward(
        self,
        images: torch.Tensor,
        iterations: int | None = None,
        *,
        full_gradient: bool = True,
    ) -> CapsNetOutput:
        """As `CapsNet.forward`, the gradient always through all iterations."""
        with torch.autocast(images.device.type, enabled=False):
            features = self.primary.conv2(self.primary.conv1(images).relu())
            types, dim = self.config.primary_types, self.config.primary_dim
            grouped = features.flatten(2).unflatten(1, (types, dim)).transpose(2, 3)
            votes = torch.einsum("bik,ikjd->bijd", squash(grouped.flatten(1, 2)), self.W)
            logits = torch.zeros_like(votes[..., 0])
            for _ in range(iterations or self.config.iterations):
                poses = squash(torch.einsum("bij,bijd->bjd", logits.softmax(-1), votes))
                logits = logits + torch.einsum("bijd,bjd->bij", votes, poses)
            return CapsNetOutput(lengths_of(poses), poses)


class HalvedCapsNet(CapsNet):
    """The same under bfloat16 autocast, for processors that multiply it."""

    def forward(
        self, images: torch.Tensor, iterations: int | None = None, *, full_gradient: bool = False
    ) -> CapsNetOutput:
        """As `CapsNet.forward`."""
        with torch.autocast(images.device.type, torch.bfloat16):
            return super().forward(images, iterations, full_gradient=full_gradient)


FORMS = {"plain": PlainCapsNet, "this": CapsNet, "bfloat16": HalvedCapsNet}


def training(form: str, batch: int, device: torch.device) -> Callable[[], object]:
    """Return some steps of the training loop on random images, as a function."""
    recipe = Recipe(batch_size=batch)
    learner = Learner.of(FORMS[form]().to(device), recipe)
    count = BATCHES * batch
    images = LabelledImages(
        torch.randint(0, 256, (count, 28, 28), dtype=torch.uint8), torch.randint(0, 10, (count,))
    )
    return partial(train_epoch, learner, images, recipe, 0, progress=False)


def inference(form: str, batch: int, device: torch.device) -> Callable[[], object]:
    """Return one forward pass of a random batch, as a function."""
    model = FORMS[form]().to(device).eval()
    images = torch.rand(batch, 1, 28, 28, device=device)

    @torch.inference_mode()
    def answer() -> float:
        return float(model(images).lengths.sum())  # a number read: no device lags behind

    return answer


WORK = {"training": training, "inference": inference}


def medians(functions: list[Callable[[], object]], rounds: int) -> list[float]:
    """Return each function's median time in seconds; they take turns."""
    times: list[list[float]] = [[] for _ in functions]
    for turn in range(rounds + 1):
        for function, own in zip(functions, times, strict=True):
            started = time.perf_counter()
            function()
            if turn:  # one to warm up
                own.append(time.perf_counter() - started)
    return [statistics.median(own) for own in times]


def matrix_speed(device: torch.device) -> float:
    """Return the additions and multiplications a second of a large float32 matrix product."""
    a, b = torch.rand(2, SIDE, SIDE, device=device)
    best = min(medians([lambda: float((a @ b)[0, 0])], 1)[0] for _ in range(5))
    return 2 * SIDE**3 / best


def arithmetic(work: Callable[[], object]) -> int:
    """Return the additions and multiplications in the matrix products and convolutions."""
    with FlopCounterMode(display=False) as counter:
        work()
    return counter.get_total_flops()


def memory(what: str, form: str, batch: int, device: torch.device) -> int:
    """Return the bytes that a process held at most which does only this."""
    command = [sys.executable, __file__, "--peak", what, form, str(batch), str(device)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--device", help="cpu, cuda or mps; the fastest present by default")
    parser.add_argument("--bfloat16", action="store_true", help="also with autocast to bfloat16")
    parser.add_argument("--peak", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    keep_freed_memory()
    torch.manual_seed(0)
    if options.peak:
        what, form, batch, name = options.peak
        WORK[what](form, int(batch), torch.device(name))()
        print(peak_memory(torch.device(name)) or 0)
        return
    device = pick_device(options.device)
    forms = ["plain", "this"] + ["bfloat16"] * options.bfloat16
    speed = matrix_speed(device)
    where = f"{torch.get_num_threads()} threads" if device.type == "cpu" else str(device)
    print(f"torch {torch.__version__}, {where}; a {SIDE} × {SIDE} matrix product in float32: ")
    print(f"{speed / 1e9:,.0f} GFLOP/s\n")
    print(
        "| | form | speed | ratio | GFLOP an image | share of the product's speed | peak memory |"
    )
    print("| --- | --- | --: | --: | --: | --: | --: |")
    for what, batch, rounds in (
        ("training", 128, options.rounds),
        ("inference", 128, 2 * options.rounds),
        ("inference", 1, 20 * options.rounds),
    ):
        works = [WORK[what](form, batch, device) for form in forms]
        times = medians(works, rounds)
        images = batch * (BATCHES if what == "training" else 1)
        for form, work, taken in zip(forms, works, times, strict=True):
            done = arithmetic(work)
            held = memory(what, form, batch, device)
            cells = [
                f"{what}, {'one image' if batch == 1 else f'batch {batch}'}",
                form,
                f"{1000 * taken:.1f} ms" if batch == 1 else f"{images / taken:,.0f} images/s",
                f"{times[0] / taken:.2f}",
                f"{done / images / 1e9:.2f}",
                f"{100 * done / taken / speed:.0f} %",
                f"{held / 1e9:.2f} GB",
            ]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
