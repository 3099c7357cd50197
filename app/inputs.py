"""What the network looks at, and what it makes of it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.links import Stroke

Floats = NDArray[np.float32]
Kind = Literal["strokes", "sample", "upload", "rebuilt"]

SURE_LENGTH = 0.5  # a verdict needs the longest capsule to be at least this long …
SURE_MARGIN = 0.1  # … and longer than the second longest by at least this


@dataclass(frozen=True)
class Step:
    """One picture of how an input became what the network sees.

    Args:
        title: What was done, in a few words.
        strokes: Points [x, y] per stroke, in units of which `side` make the picture's width.
        side: Width and height of the picture.
        url: Data URL of a picture, instead of strokes.
    """

    title: str
    strokes: Sequence[Stroke] = ()
    side: float = 1.0
    url: str = ""


@dataclass(frozen=True)
class Input:
    """What the network looks at.

    Args:
        kind: Where it comes from.
        image: float32 [1, 1, 28, 28], 0…1, ink is 1.
        title: Its name for the visitor: "your drawing", "MNIST test image 247".
        label: The digit the writer meant, where known (samples).
        sample: Index in the MNIST test set, for samples.
        strokes: [[x, y, …], …] per stroke on the 0…1023 pad, for drawings.
        steps: How the image came about, before it; none for samples.
    """

    kind: Kind
    image: Floats
    title: str
    label: int | None = None
    sample: int | None = None
    strokes: Sequence[Stroke] = ()
    steps: Sequence[Step] = ()

    @property
    def pixels(self) -> Floats:
        """The image as [28, 28]."""
        return self.image[0, 0]

    @property
    def blank(self) -> bool:
        """True where there is no ink."""
        return not self.image.any()

    @property
    def key(self) -> str:
        """A short name for the image's content, for caches and component keys."""
        return hashlib.sha256(self.image.tobytes()).hexdigest()[:16]


@dataclass(frozen=True)
class Drawing:
    """What is on the pad, with its history.

    Args:
        ops: What was done, oldest first: a stroke drawn, or None where the pad was cleared.
        redo: What was undone, the next to bring back last.
        seq: The number of the pad's message that brought it, which the pad waits to get back.
    """

    ops: Sequence[Stroke | None] = ()
    redo: Sequence[Stroke | None] = ()
    seq: int = 0

    @property
    def strokes(self) -> list[Stroke]:
        """The strokes after the last clear."""
        strokes: list[Stroke] = []
        for op in self.ops:
            strokes = [] if op is None else [*strokes, op]
        return strokes


@dataclass(frozen=True)
class Reading:
    """What the network makes of an input.

    Args:
        lengths: float32 [10], ‖v_j‖.
        poses: float32 [10, 16], v_j.
        reconstruction: float32 [28, 28], decoded from the longest capsule.
        error: Σ (reconstruction − image)² over the 784 pixels.
        names: What the classes are called.
    """

    lengths: Floats
    poses: Floats
    reconstruction: Floats
    error: float
    names: tuple[str, ...]

    @property
    def digit(self) -> int:
        """The class of the longest capsule."""
        return int(self.lengths.argmax())

    @property
    def second(self) -> int:
        """The class of the second longest capsule."""
        return int(self.lengths.argsort()[-2])

    @property
    def length(self) -> float:
        """The longest length."""
        return float(self.lengths.max())

    @property
    def sure(self) -> bool:
        """Whether the longest capsule is long, and alone in it."""
        margin = self.length - float(self.lengths[self.second])
        return self.length >= SURE_LENGTH and margin >= SURE_MARGIN

    @property
    def words(self) -> str:
        """The verdict: "reads 7, length 0.94" or "not sure: 4 or 9"."""
        best, next_best = self.names[self.digit], self.names[self.second]
        if self.sure:
            return f"reads {best}, length {self.length:.2f}"
        if self.length < SURE_LENGTH:
            return f"not sure: no capsule is long, {best} is the longest with {self.length:.2f}"
        return f"not sure: {best} or {next_best}"
