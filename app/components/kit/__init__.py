"""What all components share: the loader, the palette, and helpers in kit.js and kit.css."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from streamlit.components.v2.types import ComponentRenderer

KIT = Path(__file__).parent
PALETTE_FILE = KIT / "palette.json"
_KINDS = ("html", "css", "js")
PALETTE_SLOT = '"{{ palette.json }}"'  # where kit.js wants the palette


def load(folder: Path) -> ComponentRenderer:
    """Register the component in a folder and return the function that mounts it.

    The folder `pad` holds `pad.html`, `pad.css` and `pad.js`; kit.css and kit.js are put before
    the last two, so that `kit` is at hand in the component's script. Other .js files in the folder
    come before `pad.js`, in the order of their names.

    Args:
        folder: The component's folder, `Path(__file__).parent`.
    """
    name = folder.name
    palette = PALETTE_FILE.read_text(encoding="utf-8")
    kit_js = (KIT / "kit.js").read_text(encoding="utf-8").replace(PALETTE_SLOT, palette)
    own = {kind: (folder / f"{name}.{kind}").read_text(encoding="utf-8") for kind in _KINDS}
    parts = sorted(path for path in folder.glob("*.js") if path.stem != name)
    scripts = [kit_js, *(path.read_text(encoding="utf-8") for path in parts), own["js"]]
    return st.components.v2.component(
        f"capsnet_{name}",
        html=own["html"],
        css=f"{(KIT / 'kit.css').read_text(encoding='utf-8')}\n{own['css']}",
        js="\n".join(scripts),
    )


def floats(values: NDArray[np.floating]) -> str:
    """An array of any shape as text that `kit.floats` makes a Float32Array of."""
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode()
