"""The shelf of samples: pictures of the MNIST test set that come with the app."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SAMPLES_FILE = Path(__file__).parent / "assets" / "samples.npz"
CREDIT = (
    "Samples: the [MNIST](http://yann.lecun.com/exdb/mnist/) test set by Y. LeCun, C. Cortes and "
    "C. Burges, [CC BY-SA 3.0](https://creativecommons.org/licenses/by-sa/3.0/)."
)


@dataclass(frozen=True)
class Samples:
    """Pictures for the shelf.

    Args:
        images: uint8 [N, 28, 28], ink is 255.
        labels: int [N], the digit each writer meant.
        indices: int [N], the place of each in the MNIST test set; the name of a sample.
        hard: bool [N], chosen because a network misread it or was not sure.
        opening: Index of the one that the app opens with.
    """

    images: NDArray[np.uint8]
    labels: NDArray[np.int64]
    indices: NDArray[np.int64]
    hard: NDArray[np.bool_]
    opening: int

    def place(self, index: int) -> int | None:
        """Where the test image `index` stands on the shelf, or None."""
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


def load(path: Path = SAMPLES_FILE) -> Samples:
    """Read the shelf that `python -m app.assets.build` wrote."""
    with np.load(path, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in ("images", "labels", "indices", "hard")}
        return Samples(**arrays, opening=int(stored["opening"]))
