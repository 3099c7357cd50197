"""The model card, written from the checkpoints' own metadata.

`python -m capsnet.model_card checkpoints/*.safetensors > checkpoints/README.md`
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from capsnet.arguments import Parser
from capsnet.checkpoint import CheckpointError, read_metadata

INTRODUCTION = """# Checkpoints

Each file is the capsule network of Sabour, Frosst and Hinton, "Dynamic Routing Between Capsules"
(2017), with its config, class names, metrics, data, code version and training command in its
metadata. Weights are stored as float16 and computed with as float32; nothing is ever unpickled:

```python
import capsnet

model = capsnet.load_checkpoint("checkpoints/mnist.safetensors")
```

This page is made from that metadata: `python -m capsnet.model_card checkpoints/*.safetensors`."""

LIMITS = """## Limits

- Trained on MNIST alone: white digits on black, one a picture, scaled into a 20 × 20 box and
  centred by mass. It has not seen other ways of writing (crossed sevens, ones with a foot, open
  fours), other symbols, or no digit at all: it will find some digit in any scribble, sometimes with
  a long capsule. `capsnet.preprocess` brings drawings and pictures into this form.
- A length is not a probability: the ten need not add up to 1, and a long capsule can be wrong.
- The test error is measured after every epoch, but no epoch was chosen by it: the last epoch's
  averaged weights are what is shipped.
- What a pose's dimension means is not fixed by training; two runs give two different sets.

## Credits

MNIST: Y. LeCun, C. Cortes and C. Burges, CC BY-SA 3.0."""


def model_card(paths: Sequence[Path]) -> str:
    """Return the card of some checkpoints, as Markdown.

    Raises:
        CheckpointError: A file cannot be read or does not describe itself.
    """
    sections = []
    for path in paths:
        try:
            sections.append(_section(path, read_metadata(path)))
        except KeyError as error:
            raise CheckpointError(f"{path} does not tell its {error.args[0]!r}") from error
    return "\n\n".join([INTRODUCTION, *sections, LIMITS]) + "\n"


def _section(path: Path, metadata: dict[str, Any]) -> str:
    metrics, settings = metadata["metrics"], metadata["settings"]
    names = metadata["class_names"]
    confusion = metrics["confusion"]
    recipe = (
        f"{settings['epochs']} epochs in batches of {settings['batch_size']}; Adam, the rate up to "
        f"{settings['learning_rate']:g} over the first tenth and down to 0 as a cosine; every "
        f"image moved by up to ±{settings['shift']:g} px, turned by up to "
        f"±{settings['rotation']:g}° and scaled by up to ±{100 * settings['scale']:g} % along each "
        f"axis; moving average of the weights, decay {settings['average']:g}; "
        f"seed {settings['seed']}; votes detached in all routing iterations but the last."
    )
    facts = [
        ("data", metadata["data"]),
        (
            "test error",
            f"**{metrics['error_percent']:.2f} %** ({metrics['errors']} of "
            f"{metrics['count']} test images), r = {metrics['iterations']}",
        ),
        ("margin loss", f"{metrics['margin_loss']:.5f}, mean over the test set"),
        (
            "reconstruction",
            f"squared error {metrics['reconstruction_sse']:.2f}, summed over the "
            "pixels, mean over the test set, from the longest capsule",
        ),
        ("recipe", recipe),
        ("command", f"`{metadata['command']}`"),
        ("code", metadata["code_version"]),
        ("size", f"{path.stat().st_size / 1e6:.1f} MB"),
    ]
    return "\n".join(
        [
            f"## {path.name}",
            "",
            *_table(["", ""], facts),
            "",
            "Confusion matrix on the test set, rows the label, columns the longest capsule:",
            "",
            *_table(
                ["label", *names],
                [[f"**{names[k]}**", *row] for k, row in enumerate(confusion)],
            ),
            "",
            "Epoch by epoch (training figures are means over the epoch, on augmented images):",
            "",
            *_table(
                [
                    "epoch",
                    "training loss",
                    "training error %",
                    "test error %",
                    "test margin loss",
                    "test squared error",
                    "images/s",
                ],
                [
                    [
                        line["epoch"],
                        f"{line['train']['loss']:.4f}",
                        f"{line['train']['error_percent']:.2f}",
                        f"{line['test']['error_percent']:.2f}",
                        f"{line['test']['margin_loss']:.5f}",
                        f"{line['test']['reconstruction_sse']:.2f}",
                        f"{line['images_per_second']:.0f}",
                    ]
                    for line in metrics["history"]
                ],
            ),
        ]
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(map(str, line)) + " |" for line in lines]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = Parser(
        prog="python -m capsnet.model_card", description="Print the model card of checkpoints."
    )
    parser.add_argument("checkpoints", nargs="+", type=Path)
    options = parser.parse_args(arguments)
    named = [path for path in options.checkpoints if ".resume." not in path.name]
    try:
        print(model_card(named), end="")
    except CheckpointError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
