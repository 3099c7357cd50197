"""Choose the samples on the shelf: python -m app.assets.build --data-dir DIR [--checkpoint FILE].

Two typical pictures of every digit from the MNIST test set, read rightly with a long capsule, and
ten hard ones: those that the network misreads first, then those that it is least sure of.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import torch

import capsnet
from app.samples import SAMPLES_FILE
from capsnet.data import DataError, Digits, load_mnist, to_input

TYPICAL_PER_DIGIT = 2
HARD = 10
HARD_PER_DIGIT = 2
OPENING_DIGIT = 5  # rich in parts: its routing has something to show


def main(arguments: list[str] | None = None) -> int:
    """Read the command line, choose, write; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data-dir", type=Path, required=True, help="torchvision's root")
    parser.add_argument("--checkpoint", type=Path, default="checkpoints/mnist.safetensors")
    parser.add_argument("--out", type=Path, default=SAMPLES_FILE)
    chosen = parser.parse_args(arguments)

    try:
        test = load_mnist(chosen.data_dir, train=False)
        lengths = read(test, chosen.checkpoint)
    except (DataError, capsnet.CheckpointError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    images, labels = test.images.numpy(), test.labels.numpy()
    typical, hard = choose(lengths, labels)
    indices = np.concatenate([typical, hard])
    np.savez_compressed(
        chosen.out,
        images=images[indices],
        labels=labels[indices],
        indices=indices,
        opening=next(index for index in typical if labels[index] == OPENING_DIGIT),
        hard=np.repeat([False, True], [len(typical), len(hard)]),
    )
    print(f"{len(typical)} typical and {len(hard)} hard samples in {chosen.out}")
    return 0


def read(digits: Digits, checkpoint: Path, batch: int = 250) -> np.ndarray:
    """The capsule lengths [N, 10] of all digits."""
    model = capsnet.load_checkpoint(checkpoint)
    with torch.inference_mode():
        parts = [model(to_input(images)).lengths for images in digits.images.split(batch)]
    return torch.cat(parts).numpy()


def choose(lengths: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Test indices of the typical samples, 0 to 9 and again 0 to 9, and of the hard ones."""
    ranked = np.sort(lengths, axis=1)
    margin = ranked[:, -1] - ranked[:, -2]
    right = lengths.argmax(axis=1) == labels
    columns = []
    for digit in range(10):
        own = np.flatnonzero(right & (labels == digit))
        # Not the very clearest, which all look alike: the clearer third, evenly.
        clear = own[np.argsort(-margin[own])][: len(own) // 3]
        columns.append(clear[np.linspace(0, len(clear) - 1, TYPICAL_PER_DIGIT).astype(int)])

    taken = dict.fromkeys(range(10), 0)
    hard: list[int] = []
    for index in np.lexsort((margin, right)):  # misread before unsure, then the closest calls
        if taken[labels[index]] < HARD_PER_DIGIT and len(hard) < HARD:
            taken[labels[index]] += 1
            hard.append(index)
    return np.stack(columns, axis=1).ravel(), np.array(hard)


if __name__ == "__main__":
    sys.exit(main())
