"""The pose that a visitor holds in the Rebuild view, as its page sends it and as a link says it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

Reach = Literal["paper", "wide", "population"]
Basis = Literal["dimensions", "axes"]
Order = Literal["number", "change"]
Offsets = tuple[float, ...]

THOUSANDTHS = 1000  # the link keeps offsets in these, to a hundredth
FARTHEST = 2.0  # no dimension moves farther than from one end of −1…1 to the other
Q_CAPSULE, Q_POSE, Q_SLIDERS, Q_JOURNEY = "capsule", "pose", "sliders", "journey"
PARAMETERS = (Q_CAPSULE, Q_POSE, Q_SLIDERS, Q_JOURNEY)


@dataclass(frozen=True)
class View:
    """How the sliders are set up.

    Args:
        reach: ±0.25 around the network's pose, as in the paper; −1…1; or as far as real digits go.
        basis: Whether they move the pose's dimensions or the principal axes of the real digits.
        order: By their number, or those first that change the picture most.
    """

    reach: Reach = "paper"
    basis: Basis = "dimensions"
    order: Order = "number"

    @property
    def link(self) -> str:
        """What differs from the usual, as "population-axes"."""
        usual = View()
        told = (self.reach, self.basis, self.order)
        plain = (usual.reach, usual.basis, usual.order)
        return "-".join(here for here, there in zip(told, plain, strict=True) if here != there)

    @classmethod
    def linked(cls, text: str) -> View | None:
        """The view that a link names, or None where it names none."""
        found: dict[str, Any] = {}
        kinds = {"reach": Reach, "basis": Basis, "order": Order}
        for word in filter(None, text.split("-")):
            named = [name for name, kind in kinds.items() if word in get_args(kind)]
            if not named or named[0] in found:
                return None
            found[named[0]] = word
        return cls(**found)


@dataclass(frozen=True)
class Journey:
    """The way from the held pose to another.

    Args:
        to: Where it leads: "sample-449", a sample of the shelf; "pinned", the pinned input; or
            nowhere, "".
        turning: Whether it keeps the length, turning, instead of going straight.
    """

    to: str = ""
    turning: bool = False

    @property
    def link(self) -> str:
        """As "sample-449-turning"; empty where it leads nowhere."""
        return self.to + ("-turning" if self.turning else "") if self.to else ""

    @property
    def known(self) -> bool:
        """Whether it leads to anything of the kinds that there are, or nowhere."""
        return self.to in ("", "pinned") or self.sample is not None

    @property
    def sample(self) -> int | None:
        """The sample's index in the MNIST test set, or None."""
        kind, _, number = self.to.partition("-")
        plain = kind == "sample" and number.isascii() and number.isdecimal() and len(number) < 6
        return int(number) if plain and number == str(int(number)) else None

    @classmethod
    def linked(cls, text: str) -> Journey | None:
        """The journey that a link names, or None where it names none."""
        found = cls(text.removesuffix("-turning"), text.endswith("-turning"))
        return found if not text or (found.to and found.known) else None


@dataclass(frozen=True)
class Held:
    """The capsule in the visitor's hand, and how far the poses were moved.

    Args:
        digit: Which digit capsule.
        edits: By capsule, what is added to each dimension of the network's pose; a capsule that is
            not in it is as the network has it.
        dimension: Which slider is chosen, from 0.
        view: How the sliders are set up.
        journey: Where the journey leads.
        seq: The number of the message that brought it.
    """

    digit: int
    edits: Mapping[int, Offsets] = field(default_factory=dict)
    dimension: int = 0
    view: View = View()
    journey: Journey = Journey()
    seq: int = 0

    def offsets(self, size: int) -> Offsets:
        """What is added to each of the `size` dimensions of the held capsule's pose."""
        return self.edits.get(self.digit, (0.0,) * size)

    def of_another_input(self, digit: int) -> Held:
        """What stays of it for an input that was not looked at yet: how things are set up."""
        return Held(digit, view=self.view, journey=self.journey)

    @classmethod
    def checked(cls, sent: object, classes: int, size: int) -> Held | None:
        """What the page sent, or None where it does not describe poses of such a network.

        Args:
            sent: {"digit", "edits": {"4": [16 numbers]}, "dimension", "seq", "reach", "basis",
                "order", "journey": {"to", "turning"}}; all but the digit may be missing.
            classes: J, digit capsules.
            size: D, dimensions of a pose.
        """
        if not isinstance(sent, Mapping):
            return None
        whole = [sent.get("digit"), sent.get("dimension", 0), sent.get("seq", 0)]
        digit, dimension, seq = (n if type(n) is int else -1 for n in whole)
        if not (0 <= digit < classes and 0 <= dimension < size and seq >= 0):
            return None
        edits = _edits(sent.get("edits", {}), classes, size)
        chosen = {name: sent.get(name, getattr(View(), name)) for name in ("reach", "basis")}
        chosen["order"] = sent.get("order", View().order)
        kinds = {"reach": Reach, "basis": Basis, "order": Order}
        known = all(chosen[name] in get_args(kind) for name, kind in kinds.items())
        journey = _journey(sent.get("journey", {}))
        if edits is None or journey is None or not known:
            return None
        return cls(digit, edits, dimension, View(**chosen), journey, seq)

    @classmethod
    def linked(cls, query: Mapping[str, str], classes: int, size: int, digit: int) -> Held:
        """What a link says; what makes no sense for the network counts as not said.

        Args:
            query: The query parameters: capsule=4, pose=3:200,16:−35.5 (dimensions from 1, moved
                by thousandths), sliders=population-axes, journey=sample-449-turning.
            classes: J, digit capsules.
            size: D, dimensions of a pose.
            digit: The capsule that is held where the link names none.
        """
        found = cls(
            digit,
            view=View.linked(query.get(Q_SLIDERS, "")) or View(),
            journey=Journey.linked(query.get(Q_JOURNEY, "")) or Journey(),
        )
        text = query.get(Q_CAPSULE, "")
        if text in map(str, range(classes)):
            found = replace(found, digit=int(text))
        elif text:
            return found  # a pose of a capsule that there is not
        offsets = _offsets(query.get(Q_POSE, ""), size)
        return replace(found, edits={found.digit: offsets}) if offsets else found

    def link(self, winner: int, size: int) -> dict[str, str]:
        """The query parameters that say it; empty ones where nothing was chosen.

        Args:
            winner: The capsule that is held where nothing was chosen.
            size: D, dimensions of a pose.
        """
        moved = [(k, round(x * THOUSANDTHS, 2)) for k, x in enumerate(self.offsets(size), 1)]
        pose = ",".join(f"{k}:{x:g}" for k, x in moved if x)
        told = bool(pose or self.digit != winner)
        return {
            Q_CAPSULE: str(self.digit) if told else "",
            Q_POSE: pose,
            Q_SLIDERS: self.view.link,
            Q_JOURNEY: self.journey.link,
        }

    def left_out(self, query: Mapping[str, str], winner: int, size: int) -> str:
        """What a link says that this, read from it, could not take up; empty if nothing."""
        said = self.link(winner, size)
        empty = {Q_CAPSULE: str(winner)}
        names = [
            name
            for name in PARAMETERS
            if query.get(name) and not said[name] and query[name] != empty.get(name)
        ]
        parts = ", ".join(f"{name}={query[name][:20]}" for name in names)
        return f"The link asks for what there is not here: {parts}." if names else ""


def _edits(sent: object, classes: int, size: int) -> dict[int, Offsets] | None:
    """Offsets by capsule, without those that did not move; None where they make no sense."""
    if not isinstance(sent, Mapping):
        return None
    names = {str(j): j for j in range(classes)}
    found = {}
    for name, offsets in sent.items():
        if name not in names or not isinstance(offsets, list | tuple) or len(offsets) != size:
            return None
        if not all(type(x) in (int, float) and abs(x) <= FARTHEST for x in offsets):
            return None
        if any(offsets):
            found[names[name]] = tuple(map(float, offsets))
    return found


def _journey(sent: object) -> Journey | None:
    """The journey that the page sent, or None where it makes no sense."""
    if not isinstance(sent, Mapping):
        return None
    found = Journey(str(sent.get("to", "")), bool(sent.get("turning")))
    return found if found.known else None


def _offsets(text: str, size: int) -> Offsets | None:
    """The offsets that a link says, as "3:200,16:-35.5", or None where it says none or nonsense."""
    offsets = [0.0] * size
    try:
        for part in filter(None, text.split(",")):
            number, moved = part.split(":")
            offset = float(moved) / THOUSANDTHS
            if not math.isfinite(offset) or abs(offset) > FARTHEST:
                return None
            offsets[range(1, size + 1).index(int(number))] = offset
    except ValueError:
        return None
    return tuple(offsets) if any(offsets) else None
