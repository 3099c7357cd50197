"""Where to compute."""

from __future__ import annotations

import ctypes
import sys

import torch


class DeviceError(ValueError):
    """The device asked for is not there; the message says which are."""


def pick_device(name: str | None = None) -> torch.device:
    """Return the named device, or the fastest present: CUDA, then MPS, then the processor.

    Raises:
        DeviceError: `name` is no device of this machine.
    """
    present = ["cpu"]
    if torch.backends.mps.is_available():
        present.insert(0, "mps")
    if torch.cuda.is_available():
        present.insert(0, "cuda")
    if name is None:
        return torch.device(present[0])
    if name.split(":")[0] not in present:
        raise DeviceError(f"device {name!r} is not available here; there is {', '.join(present)}")
    try:
        return torch.device(name)
    except RuntimeError as error:
        raise DeviceError(f"device {name!r} is not spelled as cpu, cuda, cuda:1 or mps") from error


def keep_freed_memory() -> None:
    """Let glibc reuse large freed blocks instead of returning each to the system.

    A training step allocates the same hundreds of megabytes every time; asking the system for
    fresh, zeroed pages costs more than some of the matrix products. Elsewhere this does nothing.
    """
    if not sys.platform.startswith("linux"):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        largest = 2**31 - 1
        mmap_threshold, trim_threshold = -3, -1  # M_MMAP_THRESHOLD, M_TRIM_THRESHOLD of malloc.h
        mallopt(mmap_threshold, largest)
        mallopt(trim_threshold, largest)
