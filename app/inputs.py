"""What the network looks at, and what it makes of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeGuard

import numpy as np
from numpy.typing import NDArray

from capsnet.analysis import doubt as thresholds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.links import Stroke

Floats = NDArray[np.float32]
Kind = Literal["strokes", "sample", "upload", "rebuilt"]


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
        label: The true class, where known (samples).
        sample: Index in the test set, for samples.
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
class Doubt(thresholds.Doubt):
    """When a verdict counts as sure.

    Args:
        length: The longest capsule is at least this long, 0…1 …
        margin: … and longer than the second longest by at least this, 0…1.
        rates: What these two do: per kind of picture ("mnist", "test", "pen", "non_digits") the
            shares, 0…1, of verdicts that are "sure" and "sure_and_wrong"; empty where not measured.
    """

    length: float = 0.5
    margin: float = 0.1
    rates: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @classmethod
    def measured(cls, metrics: Mapping[str, Any]) -> Doubt:
        """The thresholds in a checkpoint's metrics; the defaults where they hold no usable ones."""
        found = metrics.get("doubt")
        if not isinstance(found, Mapping):
            return cls()
        length, margin = found.get("length"), found.get("margin")
        if not (_is_share(length) and _is_share(margin)):
            return cls()
        rates = found.get("rates")
        kinds = rates.items() if isinstance(rates, Mapping) else ()
        shares = {
            kind: {name: share for name, share in of_kind.items() if _is_share(share)}
            for kind, of_kind in kinds
            if isinstance(of_kind, Mapping)
        }
        return cls(length, margin, shares)

    @property
    def origin(self) -> str:
        """What the thresholds do, as one sentence."""
        kinds = {
            "mnist": "MNIST digits",
            "test": "test images",
            "pen": "pen digits",
            "non_digits": "letters and scribbles",
        }
        parts = []
        for kind, called in kinds.items():
            shares = self.rates.get(kind, {})
            if "sure" in shares:
                wrong = shares.get("sure_and_wrong")
                note = "" if wrong is None else f" ({_percent(wrong)} wrongly)"
                parts.append(f"{_percent(shares['sure'])} of the {called}{note}")
        if not parts:
            return "What that does has not been measured with this network."
        return f"Measured with these: sure of {', '.join(parts)}."


@dataclass(frozen=True)
class Reading:
    """What the network makes of an input.

    Args:
        lengths: float32 [10], ‖v_j‖.
        poses: float32 [10, 16], v_j.
        reconstructions: float32 [2, 28, 28], decoded from the longest capsule and from the second;
            [0, 28, 28] by a network without a decoder.
        errors: Σ (reconstruction − image)² over the 784 pixels, of each.
        names: What the classes are called.
        doubt: When the verdict is sure.
    """

    lengths: Floats
    poses: Floats
    reconstructions: Floats
    errors: tuple[float, ...]
    names: tuple[str, ...]
    doubt: Doubt = field(default_factory=Doubt)

    @property
    def digit(self) -> int:
        """The class of the longest capsule."""
        return int(ranked(self.lengths)[0])

    @property
    def second(self) -> int:
        """The class of the second longest capsule."""
        return int(ranked(self.lengths)[1])

    @property
    def length(self) -> float:
        """The longest length."""
        return float(self.lengths.max())

    @property
    def short(self) -> bool:
        """Whether no capsule is long enough."""
        return self.length < self.doubt.length

    @property
    def sure(self) -> bool:
        """Whether the longest capsule is long, and alone in it."""
        return bool(self.doubt.sure(self.lengths[None])[0])

    @property
    def words(self) -> str:
        """The verdict: "reads 7, length 0.94" or "not sure: 4 or 9"."""
        best, next_best = self.names[self.digit], self.names[self.second]
        if self.sure:
            return f"reads {best}, length {self.length:.2f}"
        if self.short:
            longest = f"{best} is the longest with {self.length:.2f}"
            return f"not sure: no capsule is long enough, {longest}"
        return f"not sure: {best} or {next_best}"


def ranked(lengths: Floats) -> NDArray[np.intp]:
    """The classes of lengths [..., 10], the longest first; of equals the lower class."""
    return np.argsort(-lengths, axis=-1, kind="stable")


def _is_share(value: object) -> TypeGuard[float]:
    """Whether a value read from a file is a number 0…1."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _percent(share: float) -> str:
    """A share 0…1 as "99.3 %"."""
    return f"{100 * share:.3g} %"
