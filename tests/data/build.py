"""Cut the small slice of MNIST that the tests use: `python tests/data/build.py DATA_DIR`."""

import sys
from pathlib import Path

import numpy as np

from capsnet.data import load_dataset

TRAIN, TEST = 800, 300

if __name__ == "__main__":
    train, test = (
        load_dataset("mnist", sys.argv[1], train=True),
        load_dataset("mnist", sys.argv[1], train=False),
    )
    np.savez_compressed(
        Path(__file__).with_name("mnist_slice.npz"),
        train_images=train.images[:TRAIN].numpy(),
        train_labels=train.labels[:TRAIN].numpy().astype(np.uint8),
        test_images=test.images[:TEST].numpy(),
        test_labels=test.labels[:TEST].numpy().astype(np.uint8),
    )
