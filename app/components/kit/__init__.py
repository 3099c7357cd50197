"""What all components share: the loader, the palette, and helpers in kit.js and kit.css."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from streamlit.components.v2.types import ComponentRenderer

KIT = Path(__file__).parent
PALETTE_FILE = KIT / "palette.json"
PALETTE_SLOT = '"{{ palette.json }}"'  # where kit.js wants the palette


def load(folder: Path, panels: Sequence[str] = (), tools: Sequence[str] = ()) -> ComponentRenderer:
    """Register the component in a folder and return the function that mounts it.

    The folder `pad` holds `pad.html`, `pad.css` and `pad.js`; kit.css and kit.js are put before
    the last two, so that `kit` is at hand in the component's script. Other .js files in the folder
    come before `pad.js`, in the order of their names.

    A large component is made of panels, folders like it inside its own. The HTML of the panel
    `votes` takes the place of `<!-- votes -->`; its CSS comes after the component's, its scripts
    before the component's main one.

    Args:
        folder: The component's folder, `Path(__file__).parent`.
        panels: Names of its panels.
        tools: Other scripts of the kit that it uses: "plot" draws, "poster" (needs plot) saves.

    Raises:
        ValueError: A panel has no place in the HTML.
    """
    html, css, js = _bundle(folder, panels, tools)
    return st.components.v2.component(f"capsnet_{folder.name}", html=html, css=css, js=js)


def load_bare(folder: Path) -> ComponentRenderer:
    """Do as `load` for a component that only hands on what it is given, and needs no kit."""
    html, css, (*_, js) = _parts(folder)
    return st.components.v2.component(f"capsnet_{folder.name}", html=html, css=css, js=js)


def load_apart(
    folder: Path, panels: Sequence[str] = (), tools: Sequence[str] = ()
) -> tuple[ComponentRenderer, dict[str, str]]:
    """Do as `load` for a large component, whose parts are to be given as texts.

    Returns:
        The function that mounts it, and its parts for `library.give(folder.name, …)`: with each
        change of the component's data only a few lines are sent again then.
    """
    name = folder.name
    html, css, js = _bundle(folder, panels, tools)
    stub = f"{_read(KIT / 'texts.js')}\n{_read(KIT / 'apart.js')}".replace("{{ name }}", name)
    parts = {name: js, f"{name}.html": html, f"{name}.css": css}
    return st.components.v2.component(f"capsnet_{name}", js=stub), parts


def _bundle(folder: Path, panels: Sequence[str], tools: Sequence[str]) -> tuple[str, str, str]:
    """HTML, CSS and JavaScript of a component with its panels and what it uses of the kit."""
    html, css, scripts = _parts(folder)
    for name in panels:
        slot = f"<!-- {name} -->"
        if slot not in html:
            raise ValueError(f"{folder.name}.html has no {slot}")
        panel_html, panel_css, panel_scripts = _parts(folder / name)
        html = html.replace(slot, panel_html)
        css = f"{css}\n{panel_css}"
        scripts[-1:-1] = panel_scripts
    used = [_kit_js(), *(_read(KIT / f"{tool}.js") for tool in tools)]
    return html, f"{_read(KIT / 'kit.css')}\n{css}", "\n".join([*used, *scripts])


def _kit_js() -> str:
    kit = _read(KIT / "kit.js").replace(PALETTE_SLOT, _read(PALETTE_FILE))
    return f"{_read(KIT / 'texts.js')}\n{kit}"


def _parts(folder: Path) -> tuple[str, str, list[str]]:
    """HTML, CSS and scripts of one folder; the script with the folder's name is the last."""
    name = folder.name
    others = sorted(path for path in folder.glob("*.js") if path.stem != name)
    scripts = [_read(path) for path in (*others, folder / f"{name}.js")]
    return _read(folder / f"{name}.html"), _read(folder / f"{name}.css"), scripts


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def floats(values: NDArray[np.floating]) -> str:
    """An array of any shape as text that `kit.floats` makes a Float32Array of."""
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode()
