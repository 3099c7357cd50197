"""Primary capsules silenced, and the rest routed again: what did the verdict rest on?

Arrays of one image, as `CapsNet.trace` returns them without the batch axis; numpy arrays are taken
as well as torch tensors. i = type · places + row · grid + column, place = row · grid + column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from capsnet.routing import RoutingTrace, trace_routing

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from capsnet.config import CapsNetConfig

_PART = re.compile(r"([cpt])(0|[1-9][0-9]{0,8})")  # one part of a cut's text


@dataclass(frozen=True)
class Cut:
    """Which primary capsules are silenced: single ones, whole places, whole types.

    Without any it is false. A cut belongs to no network until `mask` fits it to one.

    Args:
        capsules: Indices i.
        places: row · grid + column; silences the capsules of all types there.
        types: Silences the capsules of these types at all places.

    Raises:
        ValueError: An index is negative or no whole number.
    """

    capsules: frozenset[int] = frozenset()
    places: frozenset[int] = frozenset()
    types: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        """Refuse what can be no index."""
        for noun, indices in self._parts():
            for index in indices:
                if type(index) is not int or index < 0:
                    raise ValueError(f"a {noun} is numbered from 0, got {index!r}")

    def __bool__(self) -> bool:
        """Whether anything is cut."""
        return bool(self.capsules or self.places or self.types)

    def __str__(self) -> str:
        """The text for a link: "c417.p14.t3", sorted; empty where nothing is cut."""
        return ".".join(
            f"{noun[0]}{index}" for noun, indices in self._parts() for index in sorted(indices)
        )

    @classmethod
    def parse(cls, text: str) -> Cut:
        """Read what `str(cut)` wrote; parts in any order, also twice.

        Raises:
            ValueError: The text is no cut.
        """
        indices: dict[str, set[int]] = {"c": set(), "p": set(), "t": set()}
        for part in text.split(".") if text else ():
            match = _PART.fullmatch(part)
            if not match:
                raise ValueError(
                    f"{part!r} is no capsule (c417), place (p14) or type (t3) to knock out"
                )
            indices[match[1]].add(int(match[2]))
        return cls(*map(frozenset, indices.values()))

    def mask(self, config: CapsNetConfig) -> NDArray[np.bool_]:
        """Return which primary capsules of a network are silenced, [I], True where.

        Raises:
            ValueError: The network has no such capsule, place or type.
        """
        counts = (config.primary_capsules, config.places, config.primary_types)
        for (noun, indices), count in zip(self._parts(), counts, strict=True):
            if indices and max(indices) >= count:
                raise ValueError(f"{noun} {max(indices)} is not one of 0…{count - 1}")
        silenced = np.zeros((config.primary_types, config.places), dtype=bool)
        silenced[sorted(self.types)] = True
        silenced[:, sorted(self.places)] = True
        silenced.flat[sorted(self.capsules)] = True
        return silenced.ravel()

    def count(self, config: CapsNetConfig) -> int:
        """Return how many primary capsules of a network are silenced, each counted once.

        Raises:
            ValueError: As for `mask`.
        """
        return int(self.mask(config).sum())

    def _parts(self) -> list[tuple[str, frozenset[int]]]:
        """What is cut, by name; the first letters stand in the text."""
        return [("capsule", self.capsules), ("place", self.places), ("type", self.types)]


def knock_out(votes: ArrayLike | Tensor, silenced: ArrayLike) -> Tensor:
    """Return the votes without those of the silenced capsules, which are set to 0.

    A zero vote adds nothing to any s_j. Its agreements are 0, so the logits of a silenced capsule
    stay 0 and its couplings 1 / J in every iteration: those mean nothing and are not to be shown.
    Leaving the capsules out altogether would give the same poses.

    Args:
        votes: û, [I, J, D].
        silenced: [I], True where; `Cut.mask`.

    Returns:
        [I, J, D], a new tensor.

    Raises:
        ValueError: There are not as many marks as capsules.
    """
    return _without(votes, silenced)


@torch.inference_mode()
def route_without(
    primary: ArrayLike | Tensor, votes: ArrayLike | Tensor, silenced: ArrayLike, iterations: int
) -> RoutingTrace:
    """Silence capsules and route again, from logits of 0.

    Args:
        primary: u, [I, 8].
        votes: û, [I, J, D]; see `knock_out`.
        silenced: [I], True where; `Cut.mask`.
        iterations: T, at least 1.

    Returns:
        The trace of a batch of one, so that `CapsNet.decode` takes its poses[-1]; u and û of the
        silenced capsules are 0 in it. With nothing silenced it is the trace that there was.

    Raises:
        ValueError: There are not as many marks as capsules, or `iterations` is below 1.
    """
    kept, voting = _without(primary, silenced), knock_out(votes, silenced)
    return trace_routing(kept[None], voting[None], iterations)


def _without(vectors: ArrayLike | Tensor, silenced: ArrayLike) -> Tensor:
    """Vectors [I, ...] with 0 where the capsule i is silenced."""
    given, marks = torch.as_tensor(vectors), torch.as_tensor(silenced, dtype=torch.bool)
    if marks.shape != given.shape[:1]:
        raise ValueError(f"{len(given)} capsules need as many marks, got {list(marks.shape)}")
    # The copy keeps the layout in memory, so that no sum is rounded another way.
    return given.clone().masked_fill_(marks.view(-1, *[1] * (given.dim() - 1)), 0)
