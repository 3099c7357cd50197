"""Which places and types send how much to which digits: the widths of a Sankey diagram.

Arrays of one image, as `CapsNet.trace` returns them without the batch axis; torch tensors are taken
as well. Indices as in `couplings`: i = type · places + row · grid + column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.floating]


@dataclass(frozen=True)
class Flow:
    """What primary capsules send to the digits, in units of the votes' length; see `flow`.

    Attributes:
        by_place: From the capsules of all types at each place, [T, P, J]; place = row · grid +
            column.
        by_type: From the capsules of each type at all places, [T, K, J].
    """

    by_place: Floats
    by_type: Floats


def flow(couplings: ArrayLike, votes: ArrayLike, grid: int) -> Flow:
    """Return how much the places and the types send to each digit: Σ_i c_ij ‖û_j|i‖.

    It is what would arrive if all votes pointed one way. Votes in different directions cancel out,
    so what arrives, ‖s_j‖ = ‖Σ_i c_ij û_j|i‖ (eq. 2), is this times their `concentration`: a digit
    can be sent much and stay short.

    Args:
        couplings: c, [T, I, J], in 0…1.
        votes: û, [I, J, D].
        grid: Rows and columns of places; I is a multiple of grid².

    Returns:
        The flow, by place and by type; both add up to the same for each digit.

    Raises:
        ValueError: The capsules do not fill a number of whole grids.
    """
    c, length = np.asarray(couplings), np.linalg.norm(np.asarray(votes), axis=-1)
    T, I, J = c.shape  # noqa: E741
    if I % grid**2:
        raise ValueError(f"{I} capsules do not fill grids of {grid} × {grid}")
    sent = (c * length).reshape(T, -1, grid**2, J)  # [T, K, P, J]
    return Flow(by_place=sent.sum(axis=1), by_type=sent.sum(axis=2))
