"""The shelf of samples: thumbnails to choose from, by pointer or keyboard."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from app import wording
from app.components import kit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.samples import Samples

_KEY = "shelf"
_mount = kit.load(Path(__file__).parent)


def shelf(
    samples: Samples,
    test_set: str,
    names: Sequence[str],
    verdicts: Sequence[int],
    chosen: int | None,
    on_chosen: Callable[[int], None],
) -> None:
    """Show the samples.

    Args:
        samples: What lies on the shelf.
        test_set: The data set that these are test images of.
        names: What the classes are called.
        verdicts: What the network reads in each.
        chosen: Test index of the sample that is looked at, or None.
        on_chosen: Called with the test index of the sample that was clicked.
    """

    def take() -> None:
        on_chosen(int(st.session_state[_KEY]["chosen"]["index"]))

    _mount(
        key=_KEY,
        data={
            "images": base64.b64encode(samples.images.tobytes()).decode(),
            "set": test_set,
            "names": list(names),
            "called": [wording.a(name) for name in names],
            "labels": samples.labels.tolist(),
            "indices": samples.indices.tolist(),
            "hard": samples.hard.tolist(),
            "verdicts": list(verdicts),
            "chosen": chosen,
        },
        on_chosen_change=take,
    )
