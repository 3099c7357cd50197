"""Long scripts, given to the browser once and kept there until a component asks for one."""

from __future__ import annotations

from pathlib import Path

from app.components import kit

_mount = kit.load(Path(__file__).parent)


def give(name: str, source: str) -> None:
    """Give the browser a JavaScript module, which `kit.library(name)` runs at first use.

    What a component has in its own scripts is sent again with each change of its data; this is not.
    """
    _mount(key=f"library_{name}", data={name: source})
