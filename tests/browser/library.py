"""What the library says of a sample, to hold against what a page shows."""

import functools
from types import SimpleNamespace

import numpy as np
import torch

import capsnet
from app import networks, samples

BATCH_AXES = {"primary": 0, "votes": 0}  # all others of a trace have the iterations before it


@functools.cache
def network():
    """The network that the app opens with."""
    return capsnet.load_checkpoint(networks.REPOSITORY / "checkpoints" / "digits.safetensors")


@functools.cache
def traced(sample=None):
    """Route a sample in ten iterations; None is the one that the app opens with.

    All tests share what comes back, so they leave it as it is: arrays, named and shaped as in
    `RoutingTrace` but without the batch axis, and `config`, the network's.
    """
    shelf = samples.load()
    place = shelf.place(shelf.opening if sample is None else sample)
    image = torch.from_numpy(shelf.images[place].astype(np.float32) / 255)
    with torch.inference_mode():
        trace = network().trace(image[None, None], iterations=10)
    arrays = {
        name: values.numpy().squeeze(BATCH_AXES.get(name, 1))
        for name, values in vars(trace).items()
    }
    return SimpleNamespace(**arrays, config=network().config)
