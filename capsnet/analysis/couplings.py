"""What routing did to the couplings: maps over the places, their entropy, routing switched off.

Arrays of one image, as `CapsNet.trace` returns them without the batch axis; torch tensors are taken
as well. Indices as in the paper: i = type · places + row · grid + column a primary capsule, j a
digit capsule, t an iteration.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.floating]

GRID = 6  # rows and columns of places in the paper's MNIST network
SPREAD = (0.1, 0.9)  # the quantiles between which most capsules lie


@dataclass(frozen=True)
class EntropySummary:
    """The entropies of all primary capsules, iteration by iteration; bits.

    Attributes:
        mean: Over the I primary capsules, [T].
        low: The quantile SPREAD[0], [T].
        high: The quantile SPREAD[1], [T].
        uniform: log₂ J, what equal couplings have and no couplings exceed.
    """

    mean: Floats
    low: Floats
    high: Floats
    uniform: float


def coupling_maps(
    couplings: ArrayLike, votes: ArrayLike, grid: int = GRID, *, weighted: bool = True
) -> Floats:
    """Return where on the grid the digits' couplings lie: the mean over the types at each place.

    M[t, j, place] = Σ_type w_ij c_ij / Σ_type w_ij with w_ij = ‖û_j|i‖. The weight keeps capsules
    that say next to nothing, whose logits and so couplings hardly move, from hiding the others.
    Without it (w = 1) the maps of all digits add up to 1 at each place, since Σ_j c_ij = 1
    (section 2); with it they need not. Where all votes at a place are zero, w = 1 there.

    Args:
        couplings: c, [T, I, J], in 0…1.
        votes: û, [I, J, D].
        grid: Rows and columns of places; I is a multiple of grid².
        weighted: Weight by the length of the vote.

    Returns:
        [T, J, grid, grid], in 0…1.

    Raises:
        ValueError: The capsules do not fill a number of whole grids.
    """
    c, length = np.asarray(couplings), np.linalg.norm(np.asarray(votes), axis=-1)
    if c.shape[1] % grid**2:
        raise ValueError(f"{c.shape[1]} capsules do not fill grids of {grid} × {grid}")
    by_place = c.reshape(len(c), -1, grid, grid, c.shape[-1])  # [T, types, 6, 6, J]
    weight = length.reshape(by_place.shape[1:]) if weighted else np.ones(by_place.shape[1:])
    silent = weight.sum(axis=0) == 0  # [6, 6, J]
    weight = np.where(silent, 1, weight)
    maps = np.einsum("tkrcj,krcj->tjrc", by_place, weight)
    return (maps / weight.sum(axis=0).transpose(2, 0, 1)).astype(c.dtype)


def coupling_entropy(couplings: ArrayLike) -> Floats:
    """Return how evenly each primary capsule shares itself out: H_i = -Σ_j c_ij log₂ c_ij.

    Args:
        couplings: c, [..., J], in 0…1; sums to 1 over the last axis.

    Returns:
        [...], bits: log₂ J where the couplings are equal (3.32 for ten digits), 0 where the whole
        capsule goes to one digit.
    """
    c = np.asarray(couplings)
    information = np.log2(c, out=np.zeros_like(c), where=c > 0)
    return np.maximum(-(c * information).sum(axis=-1), 0)


def entropy_summary(couplings: ArrayLike) -> EntropySummary:
    """Return mean and spread of the couplings' entropy over the primary capsules.

    Args:
        couplings: c, [T, I, J].
    """
    entropy = coupling_entropy(couplings)
    low, high = np.quantile(entropy, SPREAD, axis=1).astype(entropy.dtype)
    uniform = float(np.log2(np.asarray(couplings).shape[-1]))
    return EntropySummary(entropy.mean(axis=1), low, high, uniform)


def uniform_routing(votes: ArrayLike) -> Floats:
    """Return the digit capsules' lengths with routing switched off: every coupling stays 1 / J.

    v_j = squash(Σ_i û_j|i / J), and ‖squash(s)‖ = ‖s‖² / (1 + ‖s‖²) (eq. 1). The first iteration of
    routing is the same (its logits are 0), so more iterations would change nothing.

    Args:
        votes: û, [I, J, D].

    Returns:
        [J], in 0…1.
    """
    u = np.asarray(votes)
    squared = np.square(u.sum(axis=0) / u.shape[1]).sum(axis=-1)
    return squared / (1 + squared)
