"""Training with several processes: `torchrun --nproc-per-node N -m capsnet.train …`.

torchrun starts the processes and tells each its place among them in environment variables. They
hold the same weights; of every batch each takes its part, and torch's DistributedDataParallel adds
up the gradients. Alone, nothing of this happens.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple, TypeVar

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from capsnet.device import DeviceError, pick_device

PATIENCE = timedelta(days=1)  # while another downloads or writes; torchrun ends all where one fails
Result = TypeVar("Result")


class ProcessError(RuntimeError):
    """Another process of the run failed or was lost; the message says how."""


class Share(NamedTuple):
    """What one process takes of a batch.

    Attributes:
        images: Which of the batch's images.
        weight: Their part of the batch, 0…1; over all processes the weights sum to 1.
    """

    images: slice
    weight: float


@dataclass(frozen=True)
class Processes:
    """The processes that train one network, as one of them sees them.

    Attributes:
        rank: This one's number; 0 alone writes files and speaks.
        count: How many there are.
        local_rank: Its number on this machine, and so the number of its CUDA device.
        local_count: How many there are on this machine.
    """

    rank: int = 0
    count: int = 1
    local_rank: int = 0
    local_count: int = 1

    @classmethod
    def of_torchrun(cls) -> Processes:
        """Return what torchrun says; one process where it did not start this one."""
        names = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE")
        if any(name not in os.environ for name in names):
            return cls()
        return cls(*(int(os.environ[name]) for name in names))

    @property
    def writes(self) -> bool:
        """Whether this is the process that writes files, bars and messages."""
        return self.rank == 0

    def say(self, message: str) -> None:
        """Print a line on standard error, once for all processes."""
        if self.writes:
            print(message, file=sys.stderr)

    def device(self, name: str | None) -> torch.device:
        """Return where this process computes: as `pick_device`, and a CUDA device each.

        Raises:
            DeviceError: `name` is no device of this machine, or several processes cannot share it.
        """
        device = pick_device(name)
        if self.count == 1:
            return device
        if device.type == "cuda" and device.index is None:
            if self.local_count > torch.cuda.device_count():
                raise DeviceError(
                    f"{self.local_count} processes need as many CUDA devices, and here are "
                    f"{torch.cuda.device_count()}: lower --nproc-per-node or give --device cpu"
                )
            return torch.device("cuda", self.local_rank)
        if device.type == "mps" and name is None:
            return torch.device("cpu")
        if device.type != "cpu":
            raise DeviceError(
                f"{self.count} processes cannot share {name}: give --device cuda, for one each, "
                "or --device cpu"
            )
        return device

    @contextmanager
    def joined(self, device: torch.device) -> Iterator[None]:
        """Connect the processes: with NCCL on CUDA, with gloo elsewhere.

        Raises:
            ProcessError: Another process was lost.
        """
        if self.count == 1:
            yield
            return
        try:
            if device.type == "cuda":
                torch.cuda.set_device(device)
                dist.init_process_group("nccl", timeout=PATIENCE, device_id=device)
            else:
                dist.init_process_group("gloo", timeout=PATIENCE)
            yield
        except RuntimeError as error:
            # gloo has no exception of its own for a connection that broke.
            if not (isinstance(error, dist.DistError) or "gloo" in str(error)):
                raise
            raise ProcessError(
                f"another process of this run was lost ({str(error).splitlines()[0]}); what was "
                "saved after the last epoch stands"
            ) from error
        finally:
            if dist.is_initialized():
                dist.destroy_process_group()

    def parallel(self, module: nn.Module) -> nn.Module:
        """Return `module`; among several, with rank 0's weights, and gradients averaged over all.

        Each process must call it in every step, and use every parameter.
        """
        return module if self.count == 1 else DistributedDataParallel(module)

    def share(self, count: int) -> Share:
        """Return this process's part of a batch of `count` images; the parts differ by 1 at most.

        Where a batch has fewer images than there are processes, those without one take the first
        with weight 0: all must take part in the backward pass.
        """
        start, stop = count * self.rank // self.count, count * (self.rank + 1) // self.count
        if start == stop:
            return Share(slice(0, 1), 0.0)
        return Share(slice(start, stop), (stop - start) / count)

    def total(self, values: Tensor) -> Tensor:
        """Return the sum of `values` over the processes, the same on each, where `values` lie."""
        if self.count == 1:
            return values
        nccl = dist.get_backend() == "nccl"
        summed = values.to("cuda", copy=True) if nccl else values.cpu().clone()
        dist.all_reduce(summed)
        return summed.to(values.device)

    def gather(self, value: Result) -> list[Result]:
        """Return the values of all processes, by rank."""
        if self.count == 1:
            return [value]
        values: list[Any] = [None] * self.count
        dist.all_gather_object(values, value)
        return values

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make a failure of one process within the block a failure of all, with its message.

        Nothing in the block may wait for another process.

        Raises:
            ProcessError: Another process failed, and this one did not.
        """
        if self.count == 1:
            yield
            return
        failure = None
        try:
            yield
        except Exception as error:
            failure = error
        messages = self.gather(None if failure is None else str(failure))
        if failure is not None:
            raise failure
        for message in messages:
            if message is not None:
                raise ProcessError(message)

    def in_turn(self, work: Callable[[], Result]) -> Result:
        """Return what `work` returns, done by one process a machine first, then by the others.

        What the first one downloads the others find.

        Raises:
            ProcessError: Another process failed, and this one did not.
        """
        results: list[Result] = []
        for first in (True, False):
            with self.together():
                if (self.local_rank == 0) is first:
                    results.append(work())
        return results[0]


ALONE = Processes()
