"""MNIST's file format, to write small sets in."""

import struct

PARTS = (("train", "train"), ("test", "t10k"))


def write_set(raw, arrays, parts=PARTS):
    """Write four files into a folder.

    Args:
        raw: The folder; it is made.
        arrays: uint8 `train_images` [N, H, W], `train_labels` [N], `test_images`, `test_labels`.
        parts: What the arrays' names begin with, and those of the files.
    """
    raw.mkdir(parents=True)
    for part, prefix in parts:
        images, labels = arrays[f"{part}_images"], arrays[f"{part}_labels"]
        header = struct.pack(">4i", 0x803, *images.shape)
        (raw / f"{prefix}-images-idx3-ubyte").write_bytes(header + images.tobytes())
        header = struct.pack(">2i", 0x801, len(labels))
        (raw / f"{prefix}-labels-idx1-ubyte").write_bytes(header + labels.tobytes())
