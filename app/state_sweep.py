"""What the network reads in the pictures of the Rebuild view's grid: checked, batched, cached.

Each row of the grid sweeps one number of the held pose; the page says which poses that makes, and
the network looks at what the decoder draws of them.
"""

from __future__ import annotations

import base64
import binascii
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st
import torch

from app import networks, state_network
from app.inputs import ranked

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.held import Held
    from app.inputs import Floats, Input, Reading

STEPS = 11  # pictures of a row, as in the paper's figure 4
AT_ONCE = 8  # pictures are read while other visitors wait for the network
PAUSE = 0.001  # seconds in which one of them gets it: a lock goes to no one by itself


@dataclass(frozen=True)
class Sweep:
    """The poses of a grid that a page wants read.

    Args:
        digit: Whose capsule's they are.
        poses: [rows, STEPS, D], every number in −1…1.
        click: By which the page knows its own question again.
        seq: The last message about what is held, before the question.
        about: The keys of the input and the network.
    """

    digit: int
    poses: Floats
    click: int
    seq: int
    about: tuple[object, object]

    @classmethod
    def checked(cls, sent: object, classes: int, size: int) -> Sweep | None:
        """What the page sent, or None where it does not describe a grid of such a network.

        Args:
            sent: {"digit", "poses", "click", "seq", "input", "network"}; the poses are text:
                base64 of float32 [rows, STEPS, D], with at most a row for each of D dimensions.
            classes: J, digit capsules.
            size: D, dimensions of a pose.
        """
        if not isinstance(sent, Mapping):
            return None
        whole = [sent.get(name) for name in ("digit", "click", "seq")]
        digit, click, seq = (n if type(n) is int else -1 for n in whole)
        poses = _poses(sent.get("poses"), size)
        if poses is None or not 0 <= digit < classes or click < 0 or seq < 0:
            return None
        return cls(digit, poses, click, seq, (sent.get("input"), sent.get("network")))


def _poses(text: object, size: int) -> Floats | None:
    """Poses [rows, STEPS, size] from their text, or None where it is none of such."""
    most = 4 * size * STEPS * size  # bytes
    if not isinstance(text, str) or len(text) > 2 * most:
        return None
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    if not 0 < len(data) <= most or len(data) % (4 * STEPS * size):
        return None
    poses = np.frombuffer(data, "<f4").reshape(-1, STEPS, size)
    return poses if (np.abs(poses) <= 1).all() else None  # NaN is not


def verdicts(
    sent: object,
    given: Input,
    answer: Reading,
    holding: Held,
    on_batch: Callable[[], object] = lambda: None,
) -> dict[str, object] | None:
    """What the network reads in the pictures that the page asked about; None where it did not.

    Args:
        sent: What the page sent, unchecked; see `Sweep.checked`.
        given: The current input.
        answer: What the network makes of it.
        holding: What is held. A question from before it was moved is not answered any more.
        on_batch: Called after every AT_ONCE pictures; may break off by raising.

    Returns:
        click: That of the question; digits, the longest capsule of each picture, lengths, its
        length, and sure, whether the verdict is: [rows][STEPS].
    """
    net = state_network.network()
    found = Sweep.checked(sent, *answer.poses.shape)
    if found is None or found.about != (given.key, net.key) or found.seq < holding.seq:
        return None
    poses = found.poses.reshape(-1, found.poses.shape[-1])
    parts = []
    for start in range(0, len(poses), AT_ONCE):
        parts.append(_lengths(net, net.key, found.digit, poses[start : start + AT_ONCE]))
        on_batch()
    lengths = np.concatenate(parts)  # [rows · STEPS, J]
    shape = found.poses.shape[:2]
    return {
        "click": found.click,
        "digits": ranked(lengths)[:, 0].reshape(shape).tolist(),
        "lengths": lengths.max(axis=1).astype(float).round(4).reshape(shape).tolist(),
        "sure": answer.doubt.sure(lengths).reshape(shape).tolist(),
    }


@st.cache_data(max_entries=1024, show_spinner=False)
def _lengths(_net: networks.Network, key: str, digit: int, poses: Floats) -> Floats:
    """Lengths [N, J] of the capsules in what one capsule's poses [N, D] draw.

    `key` names the network in the cache.
    """
    all_poses = torch.zeros(len(poses), _net.model.config.classes, poses.shape[1])
    all_poses[:, digit] = torch.from_numpy(poses.copy())
    with _net.lock, torch.inference_mode():
        lengths = _net.model(_net.model.decode(all_poses, digit)).lengths.float().numpy()
    time.sleep(PAUSE)
    return lengths
