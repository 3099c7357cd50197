"""What a whole set of images says about routing: does it change verdicts, are couplings static?

Everything is a sum over the images, taken batch by batch. Indices as in the paper: i a primary
capsule, j a digit capsule, t an iteration; n is an image and k its class.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from capsnet.analysis.couplings import coupling_entropy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from capsnet.routing import RoutingTrace

    Floats = NDArray[np.floating]
    Counts = NDArray[np.integer]

DEAD = 0.1
"""A primary capsule shorter than this says next to nothing: it is dead for that image.

Lengths lie in 0…1, and a capsule's votes are as long as it is, times a constant. Of the bundled
networks' lengths on MNIST's test set nine tenths lie above 0.97 and none below 0.1: there is no
second heap near 0 that a threshold could cut off, and any from 0 to 0.1 says the same.
"""

DECIDED = 0.9
"""A primary capsule that gives more than this to one digit has decided for it."""

BINS = 100
"""Into how many equal bins of 0…1 the lengths of the primary capsules are counted."""


@dataclass(frozen=True)
class RoutingSurvey:
    """What routing did over N images: T iterations, I primary capsules, J digits, K = J classes.

    A verdict is the longest digit capsule. Means over capsules count every primary capsule alike;
    those called weighted count it by the mean length of its votes, Σ_j ‖û_j|i‖ / J, in each image.

    Attributes:
        count: N.
        trained: The iterations r that the network was trained with; the verdicts after as many
            are those that others are compared with.
        errors: Images whose verdict is not their class, [T].
        changed: Images with another verdict than after `trained` iterations, [T].
        better: Those of `changed` that are right now and are wrong after `trained`, [T].
        worse: Those of `changed` that are wrong now and are right after `trained`, [T].
        longest: ‖v_j‖ of the longest digit capsule, mean over the images, [T].
        second: The same of the second longest, [T].
        entropy: H_i = -Σ_j c_ij log₂ c_ij, bits, mean over capsules and images, [T].
        entropy_spread: Standard deviation over the images of an image's mean entropy, [T].
        entropy_weighted: As `entropy`, weighted, [T].
        largest: max_j c_ij, mean over capsules and images, in 1/J…1, [T].
        largest_weighted: As `largest`, weighted, [T].
        decided: Share of capsules and images with max_j c_ij > DECIDED, [T].
        length: ‖u_i‖, mean over the images, [I].
        length_spread: Its standard deviation over the images, [I].
        length_counts: How many of the N · I lengths fall into each of BINS bins of 0…1, [BINS].
        dead: Share of the images with ‖u_i‖ < DEAD, [I].
        variation: 1 - ‖mean of u_i‖² / mean of ‖u_i‖², in 0…1, [I]: how much of the vector changes
            from image to image. 0 where it is always the same, so that it says nothing about the
            image; 1 where it points anywhere.
        vote_length: ‖û_j|i‖, mean over the digits and the images, [I].
        class_counts: N_k, images of each class, [K].
        own_mean: c_ik after `trained` iterations, mean over the images of class k: how much of
            capsule i goes to the digit that is there, [K, I]. NaN for a class without images.
        own_variance: Its variance over the images of class k (divided by N_k), [K, I].
        static: With between and within, the parts of the mean square by which couplings after
            `trained` iterations depart from equal ones, mean of (c_ij - 1/J)² over n, i and j.
            Write c̄_ij for the mean over all images and c̄_ijk for that over class k. Static is
            the mean over i, j of (c̄_ij - 1/J)²: what a fixed table of couplings would have, too.
        between: The mean over i, j of Σ_k N_k/N (c̄_ijk - c̄_ij)²: what follows the class.
        within: The mean over i, j of Σ_k N_k/N Var_{n in k}(c_ij): what differs between images of
            one class. By the law of total variance, between + within is the variance of c_ij over
            all images, mean over i and j.
    """

    count: int
    trained: int
    errors: Counts
    changed: Counts
    better: Counts
    worse: Counts
    longest: Floats
    second: Floats
    entropy: Floats
    entropy_spread: Floats
    entropy_weighted: Floats
    largest: Floats
    largest_weighted: Floats
    decided: Floats
    length: Floats
    length_spread: Floats
    length_counts: Counts
    dead: Floats
    variation: Floats
    vote_length: Floats
    class_counts: Counts
    own_mean: Floats
    own_variance: Floats
    static: float
    between: float
    within: float

    @property
    def departure(self) -> float:
        """The mean of (c_ij - 1/J)², which static, between and within add up to."""
        return self.static + self.between + self.within


def survey_routing(
    batches: Iterable[tuple[RoutingTrace, ArrayLike]], trained: int
) -> RoutingSurvey:
    """Survey traces as they come; no batch is kept.

    Args:
        batches: Pairs of a trace of B images, of which primary, votes, couplings and lengths are
            read (arrays or tensors of the processor), and the images' classes [B], 0…J - 1. Every
            trace has the same number of iterations.
        trained: The iterations the network was trained with, 1…T.

    Raises:
        ValueError: There is no image, or the traces are shorter than `trained`.
    """
    totals: dict[str, Floats] = {}
    for trace, labels in batches:
        for name, value in _sums(trace, np.asarray(labels), trained).items():
            totals[name] = totals[name] + value if name in totals else value
    if not totals or not totals["class_counts"].sum():
        raise ValueError("there is no image to survey")
    return _means(totals, trained)


def sign_test(better: int, worse: int) -> float:
    """Return how often chance alone would split changes this unevenly or more, 0…1.

    Where a change is for better or for worse like the toss of a coin, the larger part of n tosses
    is at least max(better, worse) in 2 · Σ_{m ≥ max} C(n, m) / 2ⁿ of the cases (at most 1).
    """
    n, most = better + worse, max(better, worse)
    return min(1.0, 2 * sum(math.comb(n, m) for m in range(most, n + 1)) / 2**n)


def _sums(trace: RoutingTrace, labels: Counts, trained: int) -> dict[str, Floats]:
    """Everything that adds up over batches, of one batch; float64."""
    primary, votes = np.asarray(trace.primary), np.asarray(trace.votes)
    couplings, lengths = np.asarray(trace.couplings), np.asarray(trace.lengths)
    if not 1 <= trained <= len(couplings):
        raise ValueError(
            f"the network was trained with {trained} iterations, the traces have {len(couplings)}"
        )
    classes = couplings.shape[-1]
    member = np.eye(classes)[labels]  # [B, K]
    away = couplings[trained - 1] - 1 / classes  # [B, I, J]
    away = away.astype(np.float64).reshape(len(labels), -1)
    vote = np.linalg.norm(votes, axis=-1).mean(axis=-1)  # [B, I]
    length = np.linalg.norm(primary, axis=-1)  # [B, I]
    return {
        "class_counts": member.sum(axis=0),
        "away": member.T @ away,  # [K, I·J]
        "away_squared": member.T @ np.square(away),
        "primary": primary.sum(axis=0, dtype=np.float64),  # [I, 8]
        "length": length.sum(axis=0, dtype=np.float64),
        "length_squared": np.square(length).sum(axis=0, dtype=np.float64),
        "length_counts": np.histogram(length, bins=BINS, range=(0, 1))[0],
        "dead": (length < DEAD).sum(axis=0),
        "vote_length": vote.sum(axis=0, dtype=np.float64),
        **_verdicts(lengths, labels, trained),
        **_evenness(couplings, _weights(vote)),
    }


def _verdicts(lengths: Floats, labels: Counts, trained: int) -> dict[str, Floats]:
    """Errors and changed verdicts of lengths [T, B, J], each [T]."""
    verdicts = lengths.argmax(axis=-1)  # [T, B]
    right = verdicts == labels
    changed = verdicts != verdicts[trained - 1]
    ranked = np.sort(lengths, axis=-1).sum(axis=1, dtype=np.float64)  # [T, J]
    return {
        "errors": (~right).sum(axis=1),
        "changed": changed.sum(axis=1),
        "better": (changed & right).sum(axis=1),  # then it is wrong after `trained`
        "worse": (changed & right[trained - 1]).sum(axis=1),  # then it is wrong now
        "longest": ranked[:, -1],
        "second": ranked[:, -2],
    }


def _evenness(couplings: Floats, weights: Floats) -> dict[str, Floats]:
    """How evenly capsules share themselves out, each [T]; weights [B, I] add up to 1."""
    entropy, largest = coupling_entropy(couplings), couplings.max(axis=-1)  # [T, B, I]
    of_image = entropy.mean(axis=-1, dtype=np.float64)  # [T, B]
    return {
        "entropy": of_image.sum(axis=1),
        "entropy_squared": np.square(of_image).sum(axis=1),
        "entropy_weighted": np.einsum("tni,ni->t", entropy, weights),
        "largest": largest.mean(axis=-1, dtype=np.float64).sum(axis=1),
        "largest_weighted": np.einsum("tni,ni->t", largest, weights),
        "decided": (largest > DECIDED).mean(axis=-1).sum(axis=1),
    }


def _weights(vote: Floats) -> Floats:
    """Weights of the capsules of an image that add up to 1, [B, I]; alike where all are silent."""
    vote = np.where(vote.sum(axis=1, keepdims=True) == 0, 1, vote).astype(np.float64)
    return vote / vote.sum(axis=1, keepdims=True)


def _means(totals: dict[str, Floats], trained: int) -> RoutingSurvey:
    """What the sums say."""
    per_class = totals["class_counts"]  # [K]
    count, classes = int(per_class.sum()), len(per_class)
    mean = {name: value / count for name, value in totals.items()}
    whole = {
        name: totals[name].astype(np.int64)
        for name in ("errors", "changed", "better", "worse", "length_counts", "class_counts")
    }
    with np.errstate(invalid="ignore"):  # 0 / 0: a class without images
        of_class = totals["away"] / per_class[:, None]  # c̄_ijk - 1/J, [K, I·J]
        variance = np.maximum(totals["away_squared"] / per_class[:, None] - of_class**2, 0)
    static = np.square(mean["away"].sum(axis=0)).mean()
    spread_of_classes = np.nansum(per_class[:, None] / count * of_class**2, axis=0).mean()
    departure = mean["away_squared"].sum(axis=0).mean()
    own = np.arange(classes)
    energy = mean["length_squared"]  # mean of ‖u‖², [I]
    constant = np.square(mean["primary"]).sum(axis=-1)  # ‖mean of u‖², [I]
    return RoutingSurvey(
        count=count,
        trained=trained,
        **whole,
        longest=mean["longest"],
        second=mean["second"],
        entropy=mean["entropy"],
        entropy_spread=_deviation(mean["entropy"], mean["entropy_squared"]),
        entropy_weighted=mean["entropy_weighted"],
        largest=mean["largest"],
        largest_weighted=mean["largest_weighted"],
        decided=mean["decided"],
        length=mean["length"],
        length_spread=_deviation(mean["length"], energy),
        dead=mean["dead"],
        variation=np.clip(1 - constant / np.where(energy == 0, 1, energy), 0, 1) * (energy > 0),
        vote_length=mean["vote_length"],
        own_mean=of_class.reshape(classes, -1, classes)[own, :, own] + 1 / classes,
        own_variance=variance.reshape(classes, -1, classes)[own, :, own],
        static=float(static),
        between=float(spread_of_classes - static),
        within=float(departure - spread_of_classes),
    )


def _deviation(mean: Floats, mean_of_squares: Floats) -> Floats:
    """The standard deviation; rounding cannot make it imaginary."""
    return np.sqrt(np.maximum(mean_of_squares - mean**2, 0))
