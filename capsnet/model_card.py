"""The model card, written from the checkpoints' own metadata.

`python -m capsnet.model_card checkpoints/*.safetensors > checkpoints/README.md`
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from capsnet import model_card_words as words
from capsnet.arguments import Parser
from capsnet.checkpoint import CheckpointError, read_metadata
from capsnet.data import DIGITS

KINDS = {
    "mnist": "MNIST",
    "test": "test images",
    "pen": "pen strokes",
    "letters": "letters",
    "scribbles": "scribbles",
}
"""What the shares of doubt are of, as `capsnet.measure` names it and as the card does."""


@dataclass(frozen=True)
class Described:
    """A checkpoint as it describes itself.

    Attributes:
        path: The file.
        metadata: What `read_metadata` says of it.
    """

    path: Path
    metadata: dict[str, Any]

    @property
    def metrics(self) -> dict[str, Any]:
        """What was measured."""
        found: dict[str, Any] = self.metadata["metrics"]
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """What the classes are called."""
        return tuple(self.metadata["class_names"])

    @property
    def test_set(self) -> str:
        """What its test images are of; an older file names it as the first of its data."""
        return str(self.metrics.get("data") or self.metadata["data"].split(" and ")[0])


def model_card(paths: Sequence[Path]) -> str:
    """Return the card of some checkpoints, as Markdown.

    Raises:
        CheckpointError: A file cannot be read or does not describe itself.
    """
    described, sections = [], []
    for path in paths:
        try:
            one = Described(path, read_metadata(path))
            sections.append(_section(one))
        except KeyError as error:
            raise CheckpointError(f"{path} does not tell its {error.args[0]!r}") from error
        described.append(one)
    parts = [words.INTRODUCTION, *_errors(described), *_doubts(described), *sections]
    return "\n\n".join([*parts, _limits(described), _credits(described)]) + "\n"


def _errors(described: Sequence[Described]) -> list[str]:
    """Errors of all checkpoints on each set they were measured on, a table for the same classes."""
    measured = [one for one in described if "confusion" in one.metrics]
    notes = {"validation": words.VALIDATION, "pen": words.PEN}
    told = [note for kind, note in notes.items() if any(kind in one.metrics for one in measured)]
    tables = []
    for alike in _alike(measured):
        columns = [
            (f"{one.path.name}, {title}", found)
            for one in alike
            for title, found in (
                (one.test_set, one.metrics),
                ("validation", one.metrics.get("validation")),
                ("pen strokes", one.metrics.get("pen")),
            )
            if found
        ]
        rows = [["all, %", *(f"**{found['error_percent']:.2f}**" for _, found in columns)]]
        rows.append(["wrong", *(f"{found['errors']} of {found['count']}" for _, found in columns)])
        for k, name in enumerate(alike[0].names):
            seen = [(found["confusion"][k][k], sum(found["confusion"][k])) for _, found in columns]
            shares = [f"{100 * (1 - right / max(count, 1)):.2f}" for right, count in seen]
            rows.append([f"{name}, %", *shares])
        tables.append("\n".join(_table(["error", *(title for title, _ in columns)], rows)))
    return [_paragraph(words.MEASURED, *told), *tables] if tables else []


def _doubts(described: Sequence[Described]) -> list[str]:
    """Thresholds of doubt and what they do, nothing where none was measured."""
    measured = [one for one in described if "doubt" in one.metrics]
    tables = []
    for alike in _alike(measured):
        doubts = [one.metrics["doubt"] for one in alike]
        rows = [
            ["length at least", *(f"{doubt['length']:.2f}" for doubt in doubts)],
            ["margin at least", *(f"{doubt['margin']:.2f}" for doubt in doubts)],
        ]
        for kind, title in KINDS.items():
            for share in ("sure", "sure_and_wrong"):
                shares = [doubt["rates"].get(kind, {}).get(share) for doubt in doubts]
                if any(found is not None for found in shares):
                    shown = ("–" if found is None else f"{100 * found:.2f} %" for found in shares)
                    rows.append([f"{title}, {share.replace('_', ' ')}", *shown])
        tables.append("\n".join(_table(["", *(one.path.name for one in alike)], rows)))
    told = [words.DOUBT_DIGITS] * any(one.names == DIGITS for one in measured)
    told += [words.DOUBT_OTHERS] * any(one.names != DIGITS for one in measured)
    return [_paragraph(words.DOUBT, *told), *tables] if tables else []


def _alike(described: Sequence[Described]) -> list[list[Described]]:
    """The checkpoints of the same classes together."""
    groups: dict[tuple[str, ...], list[Described]] = {}
    for one in described:
        groups.setdefault(one.names, []).append(one)
    return list(groups.values())


def _limits(described: Sequence[Described]) -> str:
    """What the networks cannot do."""
    told = [words.DIGIT_LIMITS] * any(one.names == DIGITS for one in described)
    told += [words.OTHER_LIMITS] * any(one.names != DIGITS for one in described)
    told += [words.MNIST_LIMITS] * any(one.path.name == "mnist.safetensors" for one in described)
    return "\n".join(["## Limits", "", *told, words.LIMITS])


def _credits(described: Sequence[Described]) -> str:
    """Whose data they saw."""
    told = [
        credit
        for name, credit in words.CREDITS.items()
        if any(name == one.test_set for one in described)
    ]
    told += [words.PEN_CREDITS] * any("pen" in one.metrics for one in described)
    return "\n".join(["## Credits", "", _paragraph(*told)]) if told else ""


def _section(one: Described) -> str:
    """One checkpoint: facts, confusions, epochs."""
    metrics, names = one.metrics, one.names
    return "\n".join(
        [
            f"## {one.path.name}",
            "",
            *_table(["", ""], _facts(one)),
            "",
            "Confusion matrix on the test set, rows the label, columns the longest capsule:",
            "",
            *_table(
                ["label", *names],
                [[f"**{names[k]}**", *row] for k, row in enumerate(metrics["confusion"])],
            ),
            "",
            "Epoch by epoch (training figures are means over the epoch, on augmented images):",
            "",
            *_epochs(metrics["history"]),
        ]
    )


def _facts(one: Described) -> list[tuple[str, str]]:
    """What is told of a checkpoint in a line each."""
    metrics = one.metrics
    facts = [("data", one.metadata["data"]), ("test error", _error(metrics, "test images"))]
    if "validation" in metrics:
        facts.append(("validation error", _error(metrics["validation"], "held-out images")))
    facts.append(("margin loss", f"{metrics['margin_loss']:.5f}, mean over the test set"))
    if metrics["reconstruction_sse"] is None:
        facts.append(("reconstruction", "none: the network has no decoder"))
    else:
        facts.append(
            (
                "reconstruction",
                f"squared error {metrics['reconstruction_sse']:.2f}, summed over the pixels, mean "
                "over the test set, from the longest capsule",
            )
        )
    return [
        *facts,
        ("recipe", _recipe(one)),
        ("command", f"`{one.metadata['command']}`"),
        ("code", one.metadata["code_version"]),
        ("size", f"{one.path.stat().st_size / 1e6:.1f} MB"),
    ]


def _error(found: dict[str, Any], images: str) -> str:
    return (
        f"**{found['error_percent']:.2f} %** ({found['errors']} of {found['count']} {images}), "
        f"r = {found['iterations']}"
    )


def _recipe(one: Described) -> str:
    """How the weights were trained, in one sentence."""
    settings = one.metadata["settings"]
    begun, copies = settings.get("start"), settings.get("strokes_copies")
    start = f"from the weights of `{Path(begun).name}`, " if begun else ""
    bent = f", sheared by up to ±{settings['shear']:g}" if settings.get("shear") else ""
    bent += f", bent by up to {settings['elastic']:g} px" if settings.get("elastic") else ""
    pen = (
        f"; each pen digit drawn {copies} times an epoch, bent, tilted and with another pen "
        "each time"
        if "pen" in one.metrics["history"][-1]
        else ""
    )
    gradient = (
        "gradient through all routing iterations"
        if settings.get("full_gradient")
        else "votes detached in all routing iterations but the last"
    )
    return (
        f"{start}{settings['epochs']} epochs in batches of {settings['batch_size']}; Adam, "
        f"the rate up to {settings['learning_rate']:g} over the first tenth and down to 0 as a "
        f"cosine; every image moved by up to ±{settings['shift']:g} px, turned by up to "
        f"±{settings['rotation']:g}° and scaled by up to ±{100 * settings['scale']:g} % along each "
        f"axis{bent}{pen}; moving average of the weights, decay {settings['average']:g}; "
        f"seed {settings['seed']}; {gradient}."
    )


def _epochs(history: Sequence[dict[str, Any]]) -> list[str]:
    """A line for each epoch; a column where the last one has a number."""
    last = history[-1]
    columns = {
        "epoch": lambda line: line["epoch"],
        "training loss": lambda line: f"{line['train']['loss']:.4f}",
        "training error %": lambda line: f"{line['train']['error_percent']:.2f}",
        "test error %": lambda line: f"{line['test']['error_percent']:.2f}",
    }
    if "validation" in last:
        columns["validation error %"] = lambda line: f"{line['validation']['error_percent']:.2f}"
    if "pen" in last:
        columns["pen error %"] = lambda line: f"{line['pen']['error_percent']:.2f}"
    columns["test margin loss"] = lambda line: f"{line['test']['margin_loss']:.5f}"
    if last["test"]["reconstruction_sse"] is not None:
        columns["test squared error"] = lambda line: f"{line['test']['reconstruction_sse']:.2f}"
    columns["images/s"] = lambda line: f"{line['images_per_second']:.0f}"
    return _table(list(columns), [[tell(line) for tell in columns.values()] for line in history])


def _paragraph(*parts: str) -> str:
    """Parts as one paragraph, below the heading that the first may begin with."""
    *heading, first = parts[0].split("\n\n")
    text = " ".join([first, *parts[1:]])
    return "\n\n".join([*heading, textwrap.fill(text, 100, break_on_hyphens=False)])


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
