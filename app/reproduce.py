"""The lines of Python that compute with the library what the Route view shows."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app import links, wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.inputs import Input
    from app.links import Stroke

WIDTH = 80  # characters of a line, about
MOST_POINTS = 24  # of strokes that are written out; of others the link's text is shorter …
MOST_TEXT = 1200  # … where it has at most this many characters


@dataclass(frozen=True)
class Shown:
    """What is on screen.

    Args:
        network: File name of the checkpoint.
        archive: File name of the trace, as it is downloaded; the image is in it.
        iterations: How many the trace has.
        iteration: The one that is shown, from 1.
        digit: The digit capsule j that is looked at.
        names: What the classes are called.
        dataset: What `load_dataset` knows the samples' test set by; empty where it does not.
        weighted: Whether the maps are weighted by the votes' lengths.
        capsule: The primary capsule i that is opened; None where none was chosen.
        cut: The capsules that are silenced, as `Cut` writes them; empty where none are.
    """

    network: str
    archive: str
    iterations: int
    iteration: int
    digit: int
    names: tuple[str, ...]
    dataset: str = ""
    weighted: bool = True
    capsule: int | None = None
    cut: str = ""


def lines(given: Input, shown: Shown) -> str:
    """A script that runs where the repository lies and prints what is on screen.

    It leaves `images` [1, 1, 28, 28] and `trace`; of a cut, `without`, its trace.
    """
    imports, made = _image(given, shown)
    imports += ["import capsnet", "from capsnet.analysis.couplings import coupling_maps"]
    if shown.cut:
        imports.append("from capsnet.analysis.knockout import Cut, route_without")
    parts = [
        "\n".join(sorted(imports, key=lambda line: (line.startswith("from"), line))),
        f'model = capsnet.load_checkpoint("checkpoints/{shown.network}")\n{made}',
        _routed(shown),
    ]
    if shown.cut:
        parts.append(_cut(shown))
    return "\n\n".join(parts)


def _image(given: Input, shown: Shown) -> tuple[list[str], str]:
    """What is to be imported for `images`, and the lines that make them."""
    if given.sample is not None and shown.dataset:
        made = (
            f'test = load_dataset("{shown.dataset}", "data", train=False)\n'
            f"images = to_input(test.images[[{given.sample}]])  # {given.title}"
        )
        return ["from capsnet.data import load_dataset, to_input"], made
    if given.blank:
        return ["import torch"], "images = torch.zeros(1, 1, 28, 28)  # nothing is drawn"
    if given.kind == "strokes" and (found := _strokes(given.strokes)):
        return found
    if given.kind == "upload" and wording.written(shown.names):  # else it is not the ink alone
        name = "your picture.png" if "…" in given.title else given.title
        made = f"images = from_image(Image.open({name!r}))"
        return ["from PIL import Image", "from capsnet.preprocess import from_image"], made
    made = f'images = torch.from_numpy(np.load("{shown.archive}")["image"])[None]'
    return ["import numpy as np", "import torch"], f"{made}  # the trace, saved from the page"


def _strokes(strokes: Sequence[Stroke]) -> tuple[list[str], str] | None:
    """The same for a drawing; None where it is too long for a few lines."""
    imports = ["from capsnet.preprocess import from_strokes"]
    if sum(map(len, strokes)) <= MOST_POINTS:
        points = [[list(point[:2]) for point in stroke] for stroke in strokes]
        written = "\n".join(
            textwrap.indent(textwrap.fill(f"{stroke},", WIDTH - 4), "    ") for stroke in points
        )
        return imports, f"strokes = [\n{written}\n]\nimages = from_strokes(strokes)"
    text, strays = links.shorten(strokes)
    if strays or len(text) > MOST_TEXT:
        return None
    pieces = "\n".join(f'    "{text[k : k + WIDTH]}"' for k in range(0, len(text), WIDTH))
    imports.append("from app.links import decode")
    return imports, f"strokes = decode(  # the link's\n{pieces}\n)\nimages = from_strokes(strokes)"


def _routed(shown: Shown) -> str:
    weighted = "" if shown.weighted else ", weighted=False"
    kind, kinds = wording.kind(shown.names), wording.kinds(shown.names)
    told = [
        f"trace = model.trace(images, iterations={shown.iterations})",
        f"maps = coupling_maps(trace.couplings[:, 0], trace.votes[0], model.config.grid{weighted})",
        "",
        f"t, j = {shown.iteration - 1}, {shown.digit}  # iteration t + 1, {kind} capsule j",
        f"print(trace.lengths[t, 0])  # ‖v_j‖ of all {kinds}",
        f"print(maps[t, j].round(3))  # couplings to the {kind}, place by place",
    ]
    if shown.capsule is not None:
        told += [
            f"i = {shown.capsule}  # primary capsule i",
            "print(trace.votes[0, i, j])  # û_j|i, its vote",
            f"print(trace.couplings[t, 0, i])  # c_ij, shared out over all {kinds}",
        ]
    return "\n".join(told)


def _cut(shown: Shown) -> str:
    return "\n".join(
        [
            f'silenced = Cut.parse("{shown.cut}").mask(model.config)',
            "u, votes = trace.primary[0], trace.votes[0]",
            f"without = route_without(u, votes, silenced, iterations={shown.iterations})",
            "print(without.lengths[t, 0])  # ‖v_j‖ without the capsules cut",
        ]
    )
