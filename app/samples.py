"""The shelf of samples: test images that came with the network, or with the app for MNIST's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from capsnet.datasets.labelled import DIGITS
from capsnet.samples import Samples

if TYPE_CHECKING:
    from capsnet import CapsNet

SAMPLES_FILE = Path(__file__).parent / "assets" / "samples.npz"
MNIST = "MNIST"
"""The test set of the samples that come with the app."""

_BY_SA = "https://creativecommons.org/licenses/by-sa"
_CREDITS = {
    MNIST: (
        "the [MNIST](http://yann.lecun.com/exdb/mnist/) test set by Y. LeCun, C. Cortes and "
        f"C. Burges, [CC BY-SA 3.0]({_BY_SA}/3.0/)"
    ),
    "Fashion-MNIST": (
        "the [Fashion-MNIST](https://github.com/zalandoresearch/fashion-mnist) test set by "
        "H. Xiao, K. Rasul and R. Vollgraf, © 2017 Zalando SE, "
        "[MIT licence](https://github.com/zalandoresearch/fashion-mnist/blob/master/LICENSE)"
    ),
    "KMNIST": (
        "the test set of the KMNIST Dataset (created by CODH), adapted from the Kuzushiji Dataset "
        "(created by NIJL and others), [doi:10.20676/00000341](https://doi.org/10.20676/00000341), "
        f"[CC BY-SA 4.0]({_BY_SA}/4.0/)"
    ),
    "EMNIST digits": (
        "the [EMNIST](https://www.nist.gov/itl/products-and-services/emnist-dataset) digits test "
        "set by G. Cohen, S. Afshar, J. Tapson and A. van Schaik, from NIST's Special Database 19"
    ),
}


def load(path: Path = SAMPLES_FILE) -> Samples:
    """Read the MNIST samples that `python -m app.assets.build` wrote."""
    with np.load(path, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in ("images", "labels", "indices", "hard")}
        return Samples(**arrays, opening=int(stored["opening"]))


def on_shelf(model: CapsNet, data: str) -> tuple[Samples, str]:
    """The samples to look at through a network, and the data set they are test images of.

    Args:
        model: The network. Its own samples come first; one of the ten digits that has none gets
            the MNIST samples that come with the app, any other an empty shelf.
        data: The data set that the network's own are of.
    """
    if model.samples is not None:
        return model.samples, data
    if model.class_names == DIGITS:
        return load(), MNIST
    nothing = np.zeros(0, dtype=np.int64)
    images = np.zeros((0, 28, 28), dtype=np.uint8)
    return Samples(images, nothing, nothing, nothing.astype(bool), opening=0), data


def credit(samples: Samples, test_set: str) -> str:
    """Whose pictures lie on the shelf; empty where there are none."""
    if not len(samples.indices):
        return ""
    return f"Samples: {_CREDITS.get(test_set, f'test images of {test_set}')}."
