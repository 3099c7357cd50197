"""How fast the network trains and answers, beside the plain formulation, in one run.

`python benchmarks/speed.py` prints a table. The plain form is what one writes down first: two
`Conv2d`, votes and routing by einsum, the gradient through every iteration, all in float32. Both
take the same steps of Adam on the same random batch, in turns, and the median counts.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import torch
from torch import Tensor

from capsnet import CapsNet
from capsnet.device import keep_freed_memory
from capsnet.losses import margin_loss, reconstruction_loss, total_loss
from capsnet.model import CapsNetOutput
from capsnet.routing import lengths_of, squash


class PlainCapsNet(CapsNet):
    """The same network and weights, computed without any thought for speed."""

    def forward(self, images: Tensor, iterations: int | None = None) -> CapsNetOutput:
        """As `CapsNet.forward`."""
        features = self.primary.conv2(self.primary.conv1(images).relu())
        types, dim = self.config.primary_types, self.config.primary_dim
        grouped = features.flatten(2).unflatten(1, (types, dim)).transpose(2, 3)
        votes = torch.einsum("bik,ikjd->bijd", squash(grouped.flatten(1, 2)), self.W)
        logits = torch.zeros_like(votes[..., 0])
        for _ in range(iterations or self.config.iterations):
            poses = squash(torch.einsum("bij,bijd->bjd", logits.softmax(-1), votes))
            logits = logits + torch.einsum("bijd,bjd->bij", votes, poses)
        return CapsNetOutput(lengths_of(poses), poses)


def training_step(model: CapsNet, batch: int) -> Callable[[], None]:
    """Return one step of Adam on a random batch, as a function."""
    optimiser = torch.optim.Adam(model.parameters(), fused=True)
    images, labels = torch.rand(batch, 1, 28, 28), torch.randint(0, 10, (batch,))
    model.train()

    def step() -> None:
        lengths, poses = model(images)
        squared_error = reconstruction_loss(model.decode(poses, labels), images)
        loss = total_loss(margin_loss(lengths, labels), squared_error)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()

    return step


def inference(model: CapsNet, batch: int) -> Callable[[], None]:
    """Return one forward pass of a random batch, as a function."""
    images = torch.rand(batch, 1, 28, 28)
    model.eval()

    @torch.inference_mode()
    def answer() -> None:
        model(images)

    return answer


def medians(functions: list[Callable[[], None]], rounds: int) -> list[float]:
    """Return each function's median time in seconds; they take turns."""
    times: list[list[float]] = [[] for _ in functions]
    for turn in range(rounds + 2):
        for function, own in zip(functions, times, strict=True):
            started = time.perf_counter()
            function()
            if turn >= 2:  # two to warm up
                own.append(time.perf_counter() - started)
    return [statistics.median(own) for own in times]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    keep_freed_memory()
    torch.manual_seed(0)
    plain, ours = PlainCapsNet(), CapsNet()
    print(f"{torch.get_num_threads()} threads, torch {torch.__version__}, float32")
    print(f"{'':<26}{'plain':>12}{'this':>12}{'ratio':>8}")
    for name, make, batch, repeats in (
        ("training, batch 128", training_step, 128, 1),
        ("inference, batch 128", inference, 128, 2),
        ("inference, one image", inference, 1, 20),
    ):
        slow, fast = medians([make(plain, batch), make(ours, batch)], options.rounds * repeats)
        rates = [f"{batch / t:.0f}/s" if batch > 1 else f"{1000 * t:.1f} ms" for t in (slow, fast)]
        print(f"{name:<26}{rates[0]:>12}{rates[1]:>12}{slow / fast:>8.2f}", flush=True)


if __name__ == "__main__":
    main()
