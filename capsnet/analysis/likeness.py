"""How alike two inputs are routed: the couplings of one beside those of the other.

That routing hardly depends on the input has been claimed (Mitterreiter et al., arXiv 2301.01583);
these numbers say it of two inputs. Arrays of one image each, as `CapsNet.trace` returns them
without the batch axis; torch tensors are taken as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.floating]


@dataclass(frozen=True)
class Likeness:
    """The couplings to each digit in two routings, compared over the I primary capsules.

    Attributes:
        correlation: Pearson's, of c_ij with c'_ij over i, [T, J], in −1…1: 1 where the capsules
            that send more to j than others do so for both inputs. NaN where one routing couples
            all capsules equally, as in iteration 1.
        difference: Mean |c_ij − c'_ij| over i, [T, J], in 0…1.
    """

    correlation: Floats
    difference: Floats


def likeness(couplings: ArrayLike, others: ArrayLike) -> Likeness:
    """Compare the couplings of two inputs.

    Args:
        couplings: c, [T, I, J], in 0…1; [I, J] is one iteration, and T then falls away below.
        others: c', the same shape.

    Raises:
        ValueError: The shapes differ.
    """
    a, b = np.asarray(couplings), np.asarray(others)
    if a.shape != b.shape:
        raise ValueError(f"couplings {list(a.shape)} and {list(b.shape)} cannot be compared")
    difference = np.abs(a - b).mean(axis=-2)
    a, b = (_centred(one) for one in (a, b))
    product = (a * b).sum(axis=-2)
    norm = np.linalg.norm(a, axis=-2) * np.linalg.norm(b, axis=-2)
    unknown = np.full_like(product, np.nan)
    return Likeness(np.divide(product, norm, out=unknown, where=norm > 0), difference)


def _centred(couplings: Floats) -> Floats:
    """Couplings less their mean over the capsules; exactly 0 where all are equal."""
    moved = couplings - couplings[..., :1, :]
    return moved - moved.mean(axis=-2, keepdims=True)


@dataclass(frozen=True)
class UsualLikeness:
    """How alike the routings of many inputs are, two by two; see `usual_likeness`.

    Attributes:
        same: Correlations of the couplings to the digit that both are read as, [pairs].
        other: Of inputs read as different digits, to the one digit and to the other, [2 pairs].
    """

    same: Floats
    other: Floats


def usual_likeness(couplings: ArrayLike, digits: ArrayLike) -> UsualLikeness:
    """Compare the couplings of N inputs, each with each, to the digits that they are read as.

    Args:
        couplings: c of one iteration, [N, I, J].
        digits: What each input is read as, whole numbers [N].
    """
    moved = _centred(np.asarray(couplings))
    norm = np.linalg.norm(moved, axis=1, keepdims=True)  # [N, 1, J]
    unit = np.divide(moved, norm, out=np.full_like(moved, np.nan), where=norm > 0)
    correlations = np.einsum("nij,mij->jnm", unit, unit, optimize=True)
    read = np.asarray(digits)
    one, other = np.triu_indices(len(read), k=1)
    to_one = correlations[read[one], one, other]
    to_other = correlations[read[other], one, other]
    same = read[one] == read[other]
    return UsualLikeness(to_one[same], np.concatenate([to_one[~same], to_other[~same]]))
