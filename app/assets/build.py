"""Choose the samples on the shelf: python -m app.assets.build --data-dir DIR [--checkpoint FILE …].

Three typical pictures of every digit from the MNIST test set, which all networks read rightly and
clearly, and twelve hard ones: of every digit the one that is read worst, and the worst two besides.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

import capsnet
from app.samples import SAMPLES_FILE
from capsnet.data import DataError, LabelledImages, load_dataset
from capsnet.evaluate import lengths_of

TYPICAL_PER_DIGIT = 3
HARD = 12
OPENING_DIGIT = 5  # rich in parts: its routing has something to show


def main(arguments: list[str] | None = None) -> int:
    """Read the command line, choose, write; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data-dir", type=Path, required=True, help="torchvision's root")
    parser.add_argument(
        "--checkpoint",
        type=Path,
        nargs="+",
        default=[Path(f"checkpoints/{name}.safetensors") for name in ("digits", "mnist")],
        help="the networks that shall find them clear, or hard",
    )
    parser.add_argument("--out", type=Path, default=SAMPLES_FILE)
    chosen = parser.parse_args(arguments)

    try:
        test = load_dataset("mnist", chosen.data_dir, train=False)
        leads = np.stack([lead(test, path) for path in chosen.checkpoint]).min(axis=0)
    except (DataError, capsnet.CheckpointError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    images, labels = test.images.numpy(), test.labels.numpy()
    typical, hard = choose(leads, labels)
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


def lead(digits: LabelledImages, checkpoint: Path) -> np.ndarray:
    """By how much the right capsule is longer than all others, [N]; below 0 where misread."""
    lengths = lengths_of(capsnet.load_checkpoint(checkpoint), digits.images)
    right = lengths.gather(1, digits.labels[:, None])[:, 0]
    others = lengths.scatter(1, digits.labels[:, None], -1).amax(dim=1)
    return (right - others).numpy()


def choose(leads: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Test indices of the typical samples, 0 to 9 and again 0 to 9 …, and of the hard ones."""
    columns, worst = [], []
    for digit in range(10):
        own = np.flatnonzero(labels == digit)
        own = own[np.argsort(-leads[own], kind="stable")]
        # Not the very clearest, which all look alike: the clearer third, evenly.
        clear = own[: max(len(own) // 3, TYPICAL_PER_DIGIT)]
        columns.append(clear[np.linspace(0, len(clear) - 1, TYPICAL_PER_DIGIT).astype(int)])
        worst.append(own[-1])
    others = [index for index in np.argsort(leads, kind="stable") if index not in worst]
    hard = np.array(worst + others[: HARD - len(worst)])
    return np.stack(columns, axis=1).ravel(), hard[np.argsort(labels[hard], kind="stable")]


if __name__ == "__main__":
    sys.exit(main())
