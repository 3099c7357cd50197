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

MEASURED = """## Side by side

The errors of the last epoch's averaged weights, r = 3. *MNIST* is its test set. *Pen strokes* are
digits of the writers held out of training, drawn by `capsnet.preprocess.from_strokes` as the app
draws them."""

DOUBT = """### When the app says "not sure"

A verdict is sure where the longest capsule is at least as long as the first threshold and longer
than the second longest by at least the second one. `python -m capsnet.measure` chose both: of the
thresholds that doubt at most 3 % of the digits that are read rightly, of MNIST as of the pen
strokes, those that leave the fewest drawings sure that are no digits: letters in single-line fonts
(those that look like digits left out) and scribbles, drawn as pen digits are. They were chosen on
every other picture; the shares below are of the rest. A blank image is never sure."""

LIMITS = """## Limits

- One digit a picture, white on black, scaled into a 20 × 20 box and centred by mass;
  `capsnet.preprocess` brings drawings and pictures into this form.
- `mnist.safetensors` has not seen other ways of writing than MNIST's: it misreads crossed sevens,
  ones with a foot and open fours more often than the table's MNIST column tells. Both know ten
  digits and nothing else: they find some digit in any scribble, sometimes with a long capsule.
- A length is not a probability: the ten need not add up to 1, and a long capsule can be wrong.
- The test error is measured after every epoch, but no epoch was chosen by it: the last epoch's
  averaged weights are what is shipped. The thresholds above are chosen with digits of the test
  sets; the verdict itself does not depend on them.
- What a pose's dimension means is not fixed by training; two runs give two different sets.

## Credits

MNIST: Y. LeCun, C. Cortes and C. Burges, CC BY-SA 3.0. Pen strokes: Pen-Based Recognition of
Handwritten Digits, E. Alpaydin and F. Alimoglu, UCI Machine Learning Repository, CC BY 4.0. Letters
of the thresholds: A. V. Hershey's fonts, in the package Hershey-Fonts, MIT."""


def model_card(paths: Sequence[Path]) -> str:
    """Return the card of some checkpoints, as Markdown.

    Raises:
        CheckpointError: A file cannot be read or does not describe itself.
    """
    described = []
    for path in paths:
        try:
            metadata = read_metadata(path)
            described.append((path.name, metadata, _section(path, metadata)))
        except KeyError as error:
            raise CheckpointError(f"{path} does not tell its {error.args[0]!r}") from error
    metrics = {name: metadata["metrics"] for name, metadata, _ in described}
    tables = [_errors(metrics), _doubts(metrics)]
    sections = [section for _, _, section in described]
    return "\n\n".join([INTRODUCTION, *filter(None, tables), *sections, LIMITS]) + "\n"


def _errors(metrics: dict[str, dict[str, Any]]) -> str:
    """Errors of all checkpoints, whole and digit by digit, on each set they were measured on."""
    columns = [
        (f"{name}, {title}", measured)
        for name, all_measured in metrics.items()
        for title, measured in (("MNIST", all_measured), ("pen strokes", all_measured.get("pen")))
        if measured
    ]
    digits = range(len(columns[0][1]["confusion"]))
    rows = [["all, %", *(f"**{measured['error_percent']:.2f}**" for _, measured in columns)]]
    rows.append(["wrong", *(f"{m['errors']} of {m['count']}" for _, m in columns)])
    for k in digits:
        seen = [(m["confusion"][k][k], sum(m["confusion"][k])) for _, m in columns]
        shares = [f"{100 * (1 - right / max(count, 1)):.2f}" for right, count in seen]
        rows.append([f"{k}, %", *shares])
    return "\n".join([MEASURED, "", *_table(["error", *(title for title, _ in columns)], rows)])


def _doubts(metrics: dict[str, dict[str, Any]]) -> str:
    """Thresholds of doubt and what they do, empty where none was measured."""
    doubts = {name: measured["doubt"] for name, measured in metrics.items() if "doubt" in measured}
    if not doubts:
        return ""

    def row(title: str, kind: str, share: str) -> list[str]:
        shares = [100 * doubt["rates"][kind][share] for doubt in doubts.values()]
        return [title, *(f"{value:.2f} %" for value in shares)]

    rows = [
        ["length at least", *(f"{doubt['length']:.2f}" for doubt in doubts.values())],
        ["margin at least", *(f"{doubt['margin']:.2f}" for doubt in doubts.values())],
        row("MNIST, sure", "mnist", "sure"),
        row("MNIST, sure and wrong", "mnist", "sure_and_wrong"),
        row("pen strokes, sure", "pen", "sure"),
        row("pen strokes, sure and wrong", "pen", "sure_and_wrong"),
        row("letters, sure", "letters", "sure"),
        row("scribbles, sure", "scribbles", "sure"),
    ]
    return "\n".join([DOUBT, "", *_table(["", *doubts], rows)])


def _section(path: Path, metadata: dict[str, Any]) -> str:
    metrics, settings = metadata["metrics"], metadata["settings"]
    names = metadata["class_names"]
    confusion = metrics["confusion"]
    begun, copies = settings.get("start"), settings.get("strokes_copies")
    start = f"from the weights of `{Path(begun).name}`, " if begun else ""
    pen = (
        f"; each pen digit drawn {copies} times an epoch, bent, tilted and with another pen "
        "each time"
        if "pen" in metrics["history"][-1]
        else ""
    )
    recipe = (
        f"{start}{settings['epochs']} epochs in batches of {settings['batch_size']}; Adam, "
        f"the rate up to {settings['learning_rate']:g} over the first tenth and down to 0 as a "
        f"cosine; every image moved by up to ±{settings['shift']:g} px, turned by up to "
        f"±{settings['rotation']:g}° and scaled by up to ±{100 * settings['scale']:g} % along each "
        f"axis{pen}; moving average of the weights, decay {settings['average']:g}; "
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
                    *(["pen error %"] if pen else []),
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
                        *([f"{line['pen']['error_percent']:.2f}"] if pen else []),
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
