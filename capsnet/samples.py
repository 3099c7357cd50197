"""Samples: a few test images that a checkpoint holds, to look at through its network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from capsnet.datasets.labelled import LabelledImages

PREFIX = "samples."
"""How the names of their tensors begin in a checkpoint."""

AMONG = 2500
"""Training looks for samples among so many of the first test images; over all of them it would
take as long as the test once more."""

USUAL = 2
"""Samples of each class that are read rightly."""

HARD = 10
"""Samples at most, of all classes, that are not."""

CLOSE = 0.5
"""A sample that is read rightly can be hard if the right capsule leads by less than this."""


@dataclass(frozen=True)
class Samples:
    """Pictures of a test set, to look at.

    Args:
        images: uint8 [N, 28, 28], ink is 255.
        labels: int64 [N], the true classes.
        indices: int64 [N], the place of each in the test set; the name of a sample.
        hard: bool [N], chosen because a network misread it or was not sure.
        opening: Index of the one to open with.
    """

    images: NDArray[np.uint8]
    labels: NDArray[np.int64]
    indices: NDArray[np.int64]
    hard: NDArray[np.bool_]
    opening: int

    def place(self, index: int) -> int | None:
        """Where the test image `index` stands among the samples, or None."""
        places = np.flatnonzero(self.indices == index)
        return int(places[0]) if len(places) else None

    def usual(self, count: int) -> Samples:
        """The first `count` samples that no network has trouble with."""
        chosen = np.flatnonzero(~self.hard)[:count]
        return replace(
            self,
            images=self.images[chosen],
            labels=self.labels[chosen],
            indices=self.indices[chosen],
            hard=self.hard[chosen],
        )


def choose_samples(lengths: Tensor, test: LabelledImages) -> Samples:
    """Choose a few images of a test set, by what a network makes of them; the same each time.

    Of each class the first USUAL among the clearer third of those that are read rightly, and up to
    HARD that are not, or least surely: the surest mistake on each class, the next ones, and then
    whatever is read rightly but by less than CLOSE. It opens with the clearest of the usual ones.

    Args:
        lengths: ‖v_j‖ of the test images, [N, J].
        test: The test images, N > 0.
    """
    right = lengths.gather(1, test.labels[:, None])[:, 0]
    others = lengths.scatter(1, test.labels[:, None], -1).amax(dim=1)
    leads, labels = (right - others).numpy(), test.labels.numpy()  # below 0 where misread
    columns, rank = [], np.zeros(len(labels), dtype=np.int64)
    for label in np.unique(labels):
        own = np.flatnonzero(labels == label)
        worst_first = own[np.argsort(leads[own], kind="stable")]
        rank[worst_first] = np.arange(len(own))
        read = worst_first[leads[worst_first] > 0]
        columns.append(np.sort(read[-max(len(read) // 3, USUAL) :])[:USUAL])
    rows = [own[row] for row in range(USUAL) for own in columns if row < len(own)]
    usual = np.array(rows, dtype=np.int64)  # one of each class, and again
    candidates = np.setdiff1d(np.flatnonzero(leads < CLOSE), usual)
    misread, near = leads[candidates] <= 0, leads[candidates]
    order = np.lexsort((near, rank[candidates], ~misread))
    hard = candidates[order[:HARD]]
    hard = hard[np.argsort(labels[hard], kind="stable")]
    chosen = np.concatenate([usual, hard])
    return Samples(
        test.images.numpy()[chosen],
        labels[chosen],
        chosen,
        np.repeat([False, True], [len(usual), len(hard)]),
        opening=int(max(chosen[: len(usual)] if len(usual) else hard, key=lambda at: leads[at])),
    )


def to_tensors(samples: Samples) -> dict[str, Tensor]:
    """Return samples as a checkpoint holds them: "samples.images", "samples.labels" and so on."""
    names = [field.name for field in fields(Samples)]
    return {PREFIX + name: torch.from_numpy(np.array(getattr(samples, name))) for name in names}


def from_tensors(tensors: Mapping[str, Tensor], classes: int, image_size: int) -> Samples:
    """Return the samples that `to_tensors` made tensors of.

    Args:
        tensors: They and nothing else.
        classes: Of the network, as `image_size`, the pixels a side.

    Raises:
        ValueError: They are not the samples of such a network.
    """
    types = {
        "images": torch.uint8,
        "labels": torch.int64,
        "indices": torch.int64,
        "hard": torch.bool,
        "opening": torch.int64,
    }
    if odd := sorted(tensors.keys() ^ {PREFIX + name for name in types}):
        raise ValueError(f"{', '.join(odd)} is missing or unknown")
    count = tensors[PREFIX + "indices"].numel()
    shapes = {"images": (count, image_size, image_size), "opening": ()}
    for name, wanted in types.items():
        tensor, shape = tensors[PREFIX + name], shapes.get(name, (count,))
        if (tensor.dtype, tuple(tensor.shape)) != (wanted, shape):
            raise ValueError(
                f"{PREFIX}{name} holds {tensor.dtype} {list(tensor.shape)} instead of {wanted} "
                f"{list(shape)}"
            )
    found = {name: tensors[PREFIX + name].numpy() for name in types}
    labels, indices = found["labels"], found["indices"]
    if ((labels < 0) | (labels >= classes)).any():
        raise ValueError(f"the samples have labels outside 0…{classes - 1}")
    if (indices < 0).any() or len(np.unique(indices)) < count:
        raise ValueError("the samples have places in the test set below 0, or one twice")
    opening = int(found["opening"])
    if opening not in indices:
        raise ValueError(f"the sample to open with, {opening}, is none of them")
    return Samples(found["images"], labels, indices, found["hard"], opening)
