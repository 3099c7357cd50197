"""What the network makes of the input: verdict, pictures, the length of each capsule."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from app import wording
from app.components import kit

if TYPE_CHECKING:
    from app.inputs import Input, Reading

_mount = kit.load(Path(__file__).parent)


def reading(given: Input, answer: Reading) -> None:
    """Show the network's answer to the current input.

    Args:
        given: What the network looks at.
        answer: What it makes of it.
    """
    _mount(
        key="reading",
        data={
            "title": given.title,
            "blank": given.blank,
            "label": given.label,
            "meant": wording.label(answer.names, given.label),
            "steps": [asdict(step) for step in given.steps],
            "image": kit.floats(given.image),
            "reconstructions": kit.floats(answer.reconstructions),
            "errors": answer.errors,
            "lengths": answer.lengths.round(5).tolist(),
            "poses": kit.floats(answer.poses),
            "names": answer.names,
            "kind": wording.kind(answer.names),
            "wanted": wording.shown(answer.names),
            "digit": answer.digit,
            "second": answer.second,
            "sure": answer.sure,
            "short": answer.short,
            "words": answer.words,
            "doubt": {
                "length": answer.doubt.length,
                "margin": answer.doubt.margin,
                "origin": answer.doubt.origin,
            },
        },
    )
