"""Does it matter through which routing iterations the gradient flows?

The paper does not say; its authors' code detaches the votes in all iterations but the last. This
trains the same small network both ways, several seeds each, and prints test error and speed:
`python benchmarks/routing_gradient.py --data-dir data`.
"""

from __future__ import annotations

import argparse
import statistics
import time

import torch

from capsnet import CapsNet, CapsNetConfig
from capsnet.data import LabelledImages, load_dataset
from capsnet.device import keep_freed_memory
from capsnet.evaluate import evaluate
from capsnet.losses import margin_loss, reconstruction_loss, total_loss
from capsnet.routing import lengths_of, route
from capsnet.training.epoch import WeightAverage
from capsnet.training.recipe import Recipe, batches, learning_rate


def train_once(
    config: CapsNetConfig, recipe: Recipe, digits: LabelledImages, *, detach: bool
) -> tuple[CapsNet, float]:
    """Return the averaged network and the images a second it was trained at."""
    torch.manual_seed(recipe.seed)
    model = CapsNet(config)
    average = WeightAverage(model, 0.99)
    optimiser = torch.optim.Adam(model.parameters(), fused=True)
    per_epoch = -(-len(digits) // recipe.batch_size)
    step, started = 0, time.perf_counter()
    for epoch in range(recipe.epochs):
        for images, labels in batches(digits, recipe, epoch):
            optimiser.param_groups[0]["lr"] = learning_rate(recipe, step, per_epoch * recipe.epochs)
            votes = model.votes(model.primary(images))
            poses = route(votes, config.iterations, detach=detach)
            squared_error = reconstruction_loss(model.decode(poses, labels), images)
            loss = total_loss(margin_loss(lengths_of(poses), labels), squared_error)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            step += 1
            average.update(model, step)
    return average.model, len(digits) * recipe.epochs / (time.perf_counter() - started)


def main() -> None:
    """Print one line a run and a summary."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", default="data")
    parser.add_argument("--images", type=int, default=10_000)
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    keep_freed_memory()
    digits = load_dataset("mnist", options.data_dir, train=True).take(options.images)
    test = load_dataset("mnist", options.data_dir, train=False)
    config = CapsNetConfig(conv_channels=options.channels)
    errors: dict[bool, list[float]] = {True: [], False: []}
    speeds: dict[bool, list[float]] = {True: [], False: []}
    for seed in range(options.seeds):
        for detach in (True, False):
            recipe = Recipe(epochs=options.epochs, seed=seed)
            model, speed = train_once(config, recipe, digits, detach=detach)
            error = evaluate(model, test).error_percent
            errors[detach].append(error)
            speeds[detach].append(speed)
            print(f"seed {seed}, {name(detach)}: {error:.2f} %, {speed:.0f} images/s", flush=True)
    for detach in (True, False):
        spread = statistics.stdev(errors[detach]) if options.seeds > 1 else 0.0
        print(
            f"{name(detach)}: test error {statistics.mean(errors[detach]):.2f} ± {spread:.2f} %, "
            f"{statistics.median(speeds[detach]):.0f} images/s"
        )


def name(detach: bool) -> str:
    """Say which way it is."""
    return "last iteration only" if detach else "all iterations"


if __name__ == "__main__":
    main()
