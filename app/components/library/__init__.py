"""Long texts, given to the browser once and kept there until a component asks for one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.components import kit

if TYPE_CHECKING:
    from collections.abc import Mapping

_mount = kit.load_bare(Path(__file__).parent)


def give(name: str, texts: Mapping[str, str]) -> None:
    """Give the browser texts by their names, under the name of what they belong to.

    `TEXTS.text(name)` is one of them, `kit.library(name)` the JavaScript module that one is, which
    runs at first use. What a component has in its own scripts is sent again with each change of
    its data; these are not.
    """
    _mount(key=f"library_{name}", data=dict(texts))
