"""Which choices in training matter? A table like the paper's table 1, with more rows.

`python benchmarks/choices.py --data-dir data --out choices.jsonl`

Every choice is trained for a few epochs with several seeds, on all of MNIST's training images but
the last 5,000, and tested on these and on the test set: the former are for choosing, the latter to
report. Each run adds a line to the file; what is there already is not run again, so that the table
can be made in several sittings. In the end, and with `--only-table`, the means are printed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from dataclasses import replace
from pathlib import Path

from capsnet.checkpoint import Provenance
from capsnet.config import CapsNetConfig
from capsnet.data import load_dataset
from capsnet.device import keep_freed_memory, pick_device
from capsnet.train import train
from capsnet.training.recipe import Recipe, TrainingData

HELD_OUT = 5000
CHOICES: dict[str, tuple[int, dict[str, object]]] = {
    "as trained here": (3, {}),
    "r = 1": (1, {}),
    "no reconstruction": (3, {"reconstruction": 0.0}),
    "r = 1, no reconstruction": (1, {"reconstruction": 0.0}),
    "shifts alone (the paper's)": (3, {"rotation": 0.0, "scale": 0.0}),
    "nothing moved": (3, {"shift": 0.0, "rotation": 0.0, "scale": 0.0}),
    "shear and bends, too": (3, {"shear": 0.15, "elastic": 0.6}),
    "gradient through all iterations": (3, {"full_gradient": True}),
}
"""Routing iterations and what differs from the recipe, by what the table calls it."""


def main() -> None:
    """Train what is not in the file yet, then print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", default="data")
    parser.add_argument("--out", type=Path, default=Path("choices.jsonl"))
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--limit", type=int, help="train on the first N images only")
    parser.add_argument("--only-table", action="store_true")
    options = parser.parse_args()
    known = read(options.out)
    if not options.only_table:
        keep_freed_memory()
        digits, held_out = load_dataset("mnist", options.data_dir, train=True).split(HELD_OUT)
        test = load_dataset("mnist", options.data_dir, train=False)
        data = TrainingData(digits.take(options.limit), test, validation=held_out)
        for seed in range(options.seeds):  # all choices with one seed first
            for choice in CHOICES:
                asked = {"choice": choice, "seed": seed, "epochs": options.epochs}
                asked["images"] = len(data.images)
                if not any(asked.items() <= line.items() for line in known):
                    known.append(asked | run(choice, seed, options.epochs, data))
                    with options.out.open("a") as file:
                        file.write(json.dumps(known[-1]) + "\n")
    print(table(known))


def run(choice: str, seed: int, epochs: int, data: TrainingData) -> dict[str, float]:
    """Train once and return the errors in percent and the speed of the last epoch."""
    iterations, changes = CHOICES[choice]
    recipe = replace(Recipe(epochs=epochs, seed=seed, validation=HELD_OUT), **changes)
    with tempfile.TemporaryDirectory() as folder:
        model = train(
            CapsNetConfig(iterations=iterations),
            recipe,
            data,
            Path(folder) / "run.safetensors",
            device=pick_device(),
            provenance=Provenance(),
        )
    metrics = model.metrics
    return {
        "validation": metrics["validation"]["error_percent"],
        "test": metrics["error_percent"],
        "reconstruction_sse": metrics["reconstruction_sse"],
        "images_per_second": metrics["history"][-1]["images_per_second"],
    }


def read(path: Path) -> list[dict[str, object]]:
    """The runs that are done."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def table(known: list[dict[str, object]]) -> str:
    """Return mean and spread of every choice as Markdown."""
    rows = ["| choice | runs | validation error | test error |", "| --- | --- | --- | --- |"]
    for choice in CHOICES:
        runs = [line for line in known if line["choice"] == choice]
        if runs:
            errors = [spread([float(str(line[name])) for line in runs]) for name in PARTS]
            rows.append(f"| {choice} | {len(runs)} | {' | '.join(errors)} |")
    return "\n".join(rows)


PARTS = ("validation", "test")


def spread(values: list[float]) -> str:
    """Return mean ± standard deviation, in percent."""
    away = f" ± {statistics.stdev(values):.2f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.2f}{away} %"


if __name__ == "__main__":
    main()
