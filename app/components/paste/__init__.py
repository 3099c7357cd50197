"""A picture pasted from the clipboard or dropped, anywhere on the page."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from app.components import kit

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_BYTES = 8_000_000  # of a picture; the browser makes larger ones smaller before it sends them

_KEY = "paste"
_mount = kit.load(Path(__file__).parent)


def paste(on_picture: Callable[[bytes, str], None]) -> None:
    """Show how to paste, and listen while the page is open.

    Args:
        on_picture: Called with the picture's file and its name; with an empty file where what came
            is none.
    """

    def sent() -> object:
        return st.session_state[_KEY].get("picture") if _KEY in st.session_state else None

    def take() -> None:
        if (message := sent()) is not None:
            on_picture(*received(message))

    # A picture that has arrived is named back, so that the browser stops sending it.
    message = sent()
    arrived = message.get("seq") if isinstance(message, Mapping) else None
    _mount(key=_KEY, data={"most": MAX_BYTES, "arrived": arrived}, on_picture_change=take)


def received(sent: object) -> tuple[bytes, str]:
    """The component's message as a file and its name; empty where it makes no sense."""
    message = sent if isinstance(sent, Mapping) else {}
    name, data = message.get("name"), message.get("data")
    name = name[:80] if isinstance(name, str) and name else "The pasted picture"
    if not isinstance(data, str) or len(data) > MAX_BYTES * 4 / 3 + 4:
        return b"", name
    try:
        return base64.b64decode(data, validate=True), name
    except (binascii.Error, ValueError):
        return b"", name
