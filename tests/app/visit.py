"""A visitor without a browser: opening the app, and what its components were given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from app import state

MAIN = str(Path(state.__file__).with_name("main.py"))


def open_app(page: str = "", **query: str) -> AppTest:
    """The app, after its first run on a page ("views/route.py"; the first where none is named)."""
    app = AppTest.from_file(MAIN, default_timeout=90)
    if page:
        app.switch_page(page)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def sent_to(app: AppTest, component: str) -> dict[str, Any]:
    """What a component on the page was given."""
    elements = app.get("bidi_component")
    found = [e.proto for e in elements if e.proto.component_name == f"capsnet_{component}"]
    return json.loads(found[0].json)
