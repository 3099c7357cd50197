"""Where to compute."""

from __future__ import annotations

import ctypes
import os
import sys

import torch
from torch import Tensor

PROCESSOR = torch.device("cpu")


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


def out_of_memory(error: RuntimeError) -> bool:
    """Whether torch failed for want of memory; on a processor its words alone tell."""
    signs = ("can't allocate memory", "overflow")  # the latter where the size itself has no number
    return isinstance(error, torch.OutOfMemoryError) or any(sign in str(error) for sign in signs)


def fits(size: int, device: torch.device) -> bool:
    """Whether so many bytes can stay on `device` without crowding it: a quarter of what is free."""
    return device.type != "cuda" or 4 * size < torch.cuda.mem_get_info(device)[0]


def send(tensor: Tensor, device: torch.device) -> Tensor:
    """Return `tensor` on `device`; a CUDA device is not waited for."""
    if device.type == "cuda" and tensor.device.type == "cpu":
        return tensor.pin_memory().to(device, non_blocking=True)
    return tensor.to(device)


def compute_deterministically() -> None:
    """Use only algorithms that give the same bits every time, however slow.

    Call it before CUDA is used: cuBLAS reads its setting when it starts. Another kind of processor
    or accelerator, another number of threads or processes, and another version of torch may still
    round differently.
    """
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.backends.cudnn.benchmark = False
    torch.use_deterministic_algorithms(True)


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
