"""Ctrl-C while training: once ends it after the epoch in progress, twice at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType

from torch.distributed import is_torchelastic_launched

from capsnet.training.distributed import ALONE, Processes

# torchrun passes Ctrl-C on to its processes and kills them so many seconds later.
TORCHRUN_SECONDS = "TORCH_ELASTIC_SHUTDOWN_TIMEOUT"
TO_SAVE = 5  # of them, to end and to leave a usable checkpoint


@contextmanager
def undisturbed() -> Iterator[None]:
    """Do what is in the block to its end, whatever is pressed."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class StopRequest:
    """Whether Ctrl-C (SIGINT) was pressed within the `with` block.

    The first press sets `asked` and says so. The second is a KeyboardInterrupt wherever it hits.
    Under torchrun the time to finish the epoch is limited by torchrun: just before it is over,
    the interrupt comes as if Ctrl-C had been pressed again.

    Attributes:
        asked: Whether training should end after the epoch in progress.
    """

    def __init__(self, processes: Processes = ALONE) -> None:
        """Prepare for a run of `processes`; nothing is listened to yet."""
        self.asked = False
        self.processes = processes

    def __enter__(self) -> StopRequest:
        """Begin to listen."""
        self._before = signal.signal(signal.SIGINT, self._first)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Leave SIGINT as it was."""
        signal.signal(signal.SIGINT, self._before)
        if self.asked and is_torchelastic_launched():
            signal.alarm(0)

    def agreed(self) -> bool:
        """Whether any of the processes was asked; they ask one another, so each must call this."""
        return any(self.processes.gather(self.asked))

    def _first(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        signal.signal(signal.SIGINT, signal.default_int_handler)
        limit = ""
        if is_torchelastic_launched():
            seconds = max(1, int(os.environ.get(TORCHRUN_SECONDS, 30)) - TO_SAVE)
            signal.signal(signal.SIGALRM, signal.default_int_handler)
            signal.alarm(seconds)
            limit = f", if it ends within {seconds} s ({TORCHRUN_SECONDS} sets torchrun's patience)"
        if self.processes.writes:
            # Not print(): the program may be in the middle of one.
            os.write(
                2, f"\nstopping after this epoch{limit}; press Ctrl-C again to stop now\n".encode()
            )
