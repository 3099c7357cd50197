"""Libraries of others (README.md)."""

from __future__ import annotations

from pathlib import Path

from app.components.library import give

_HERE = Path(__file__).parent


def libraries(*names: str) -> None:
    """Give the browser libraries: folders here; `svgcanvas` holds svgcanvas.esm.js."""
    for name in names:
        give(name, {name: (_HERE / name / f"{name}.esm.js").read_text("utf-8")})
