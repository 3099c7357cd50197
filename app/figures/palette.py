"""The palette for Plotly figures, from the same file that the components read."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Literal

Scale = Literal["magnitude", "coupling", "signed"]
_FILE = Path(__file__).parents[1] / "components" / "kit" / "palette.json"


@cache
def scale(name: Scale) -> list[tuple[float, str]]:
    """A colour scale as Plotly wants it: (place 0…1, hex colour), low end first."""
    anchors = json.loads(_FILE.read_text(encoding="utf-8"))["scales"][name]
    return [(i / (len(anchors) - 1), colour) for i, colour in enumerate(anchors)]


@cache
def theme(kind: Literal["light", "dark"]) -> dict[str, str]:
    """The single colours of a theme: accent, warn, muted, ink, paper."""
    colours: dict[str, str] = json.loads(_FILE.read_text(encoding="utf-8"))["themes"][kind]
    return colours
