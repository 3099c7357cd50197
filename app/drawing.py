"""What is on the pad, with its history; what the pad sends is made safe here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from app.links import GRID, MAX_POINTS, Point, Stroke
from capsnet.preprocessing.drawing import DrawingError

Op = Sequence[Point | None] | None
"""What was done: a stroke drawn, with a None in it where the pen was off the pad; or None where
the pad was cleared."""

NO_DRAWING = "The pad sent something that is no drawing. It was left out; all else is as it was."
TOO_MANY = "The pad sent more strokes than a hand draws. They were left out; all else is as it was."


@dataclass(frozen=True)
class Drawing:
    """What is on the pad, with its history.

    Args:
        ops: What was done, oldest first.
        redo: What was undone, the next to bring back last.
        seq: The number of the pad's message that brought it, which the pad waits to get back.
        problem: Why the pad's last message could not be taken, for the visitor; mostly empty.
    """

    ops: Sequence[Op] = ()
    redo: Sequence[Op] = ()
    seq: int = 0
    problem: str = ""

    @property
    def strokes(self) -> list[Stroke]:
        """The strokes after the last clear, one for each time that the pen was on the pad."""
        cleared = max((k for k, op in enumerate(self.ops) if op is None), default=-1)
        return [piece for op in self.ops[cleared + 1 :] if op for piece in _pieces(op)]

    def went_to(self, strokes: Sequence[Stroke]) -> Drawing:
        """This drawing at the step of its history that shows these strokes.

        Where no step does, the strokes are drawn on a cleared pad, so that undoing leads back.
        Pressure does not count.
        """
        whole = [*self.ops, *reversed(self.redo)]
        for count in sorted(range(len(whole) + 1), key=lambda n: abs(n - len(self.ops))):
            step = Drawing(whole[:count], whole[count:][::-1], self.seq)
            if _places(step.strokes) == _places(strokes):
                return step
        return Drawing([*self.ops, *([None] if self.strokes else []), *strokes], seq=self.seq)


def taken(sent: Any) -> Drawing:
    """The drawing in a message of the pad, {"ops": …, "redo": …, "seq": …}, whatever it holds.

    Points off the pad are moved to its edge; what has more than MAX_POINTS is thinned to about
    as many.

    Raises:
        DrawingError: It is no drawing; the message is for the visitor.
    """
    try:
        ops, redo = ([_checked(op) for op in sent[name]] for name in ("ops", "redo"))
        seq = int(sent["seq"])
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        raise DrawingError(NO_DRAWING) from error
    sizes = [len(piece) for op in ops + redo if op for piece in op]
    if len(sizes) > MAX_POINTS:
        raise DrawingError(TOO_MANY)
    every = -(-sum(sizes) // MAX_POINTS) or 1
    return Drawing([_thinned(op, every) for op in ops], [_thinned(op, every) for op in redo], seq)


def _pieces(op: Sequence[Point | None]) -> Iterator[list[Point]]:
    """A stroke's points between the times that the pen was off the pad."""
    for lifted, points in groupby(op, key=lambda point: point is None):
        if not lifted:
            yield [point for point in points if point is not None]


def _places(strokes: Sequence[Stroke]) -> list[list[list[float]]]:
    """Strokes without their pressure."""
    return [[list(point[:2]) for point in stroke] for stroke in strokes]


def _checked(op: Any) -> list[np.ndarray] | None:
    """A stroke's pieces as whole numbers, [N, 2] or with the pressure [N, 3]; None for a clear."""
    if op is None:
        return None
    pieces = [np.array(piece, dtype=np.float64) for piece in _pieces(op)]
    for piece in pieces:
        if piece.ndim != 2 or piece.shape[1] not in (2, 3) or not np.isfinite(piece).all():
            raise ValueError("not a list of points")
    if not pieces:
        raise ValueError("a stroke without points")
    high = np.array([GRID, GRID, 100])
    return [piece.clip(0, high[: piece.shape[1]]).round().astype(int) for piece in pieces]


def _thinned(pieces: list[np.ndarray] | None, every: int) -> Op:
    """A stroke of pieces of which every so many-th point is kept, and each last one."""
    if pieces is None:
        return None
    op: list[Point | None] = []
    for piece in pieces:
        kept = piece[::every] if (len(piece) - 1) % every == 0 else [*piece[::every], piece[-1]]
        op += [*([None] if op else []), *np.array(kept).tolist()]
    return op
