"""Routing as tables of comma-separated values, for spreadsheets.

Arrays of one image, as `CapsNet.trace` returns them without the batch axis; torch tensors are taken
as well. Numbers are written as short as they can be read back exactly; iterations count from 1.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from capsnet.analysis.couplings import entropy_summary
from capsnet.analysis.curves import agreement, coupling_change, logit_change
from capsnet.analysis.projection import concentration

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from capsnet.config import CapsNetConfig


def iterations_table(trace: Mapping[str, ArrayLike], class_names: Sequence[str]) -> str:
    """Return one row an iteration: lengths, the longest, entropies, changes, agreements.

    Args:
        trace: logits, couplings, agreements [T, I, J], lengths [T, J] and votes [I, J, D].
        class_names: What the J digit capsules are called; they end the columns' names.

    Returns:
        T rows under their names: iteration, longest, length_… (‖v_j‖, 0…1), entropy_mean,
        entropy_low, entropy_high (bits; `couplings.entropy_summary`), logit_change,
        coupling_change, agreement_… (`curves`) and concentration_… (`projection`).

    Raises:
        ValueError: There are not as many names as digit capsules.
    """
    couplings, lengths = np.asarray(trace["couplings"]), np.asarray(trace["lengths"])
    _check(class_names, lengths.shape[-1])
    entropy = entropy_summary(couplings)
    columns = {
        "iteration": np.arange(1, len(lengths) + 1),
        "longest": np.array(class_names)[lengths.argmax(axis=1)],
        **_named("length", lengths, class_names),
        "entropy_mean": entropy.mean,
        "entropy_low": entropy.low,
        "entropy_high": entropy.high,
        "logit_change": logit_change(trace["logits"]),
        "coupling_change": coupling_change(couplings),
        **_named("agreement", agreement(couplings, trace["agreements"]), class_names),
        **_named("concentration", concentration(couplings, trace["votes"]), class_names),
    }
    return _text(columns, zip(*(column.astype(str) for column in columns.values()), strict=True))


def couplings_table(
    trace: Mapping[str, ArrayLike], class_names: Sequence[str], config: CapsNetConfig
) -> str:
    """Return one row for each iteration and primary capsule: its couplings to all digits.

    Args:
        trace: couplings [T, I, J] and votes [I, J, D].
        class_names: What the J digit capsules are called; they end the columns' names.
        config: The network's sizes.

    Returns:
        T · I rows under their names: iteration, capsule (i), type, row, column, vote_length_…
        (‖û_j|i‖, the same in each iteration), coupling_… (c_ij, 0…1).

    Raises:
        ValueError: The arrays or the names are not those of such a network.
    """
    couplings = np.asarray(trace["couplings"])
    _check(class_names, config.classes)
    if couplings.shape[1:] != (config.primary_capsules, config.classes):
        raise ValueError(
            f"couplings must be [T, {config.primary_capsules}, {config.classes}], "
            f"got {list(couplings.shape)}"
        )
    places = np.indices((config.primary_types, config.grid, config.grid)).reshape(3, -1)
    capsules = [np.arange(config.primary_capsules), *places]
    fixed = np.stack([*capsules, *np.linalg.norm(trace["votes"], axis=-1).T.astype(str)], axis=1)
    names = ["iteration", "capsule", "type", "row", "column"]
    names += [f"{what}_{name}" for what in ("vote_length", "coupling") for name in class_names]
    rows = (
        [str(iteration), *still, *coupled]
        for iteration, step in enumerate(couplings, start=1)
        for still, coupled in zip(fixed.tolist(), step.astype(str).tolist(), strict=True)
    )
    return _text(names, rows)


def _check(class_names: Sequence[str], classes: int) -> None:
    if len(class_names) != classes:
        raise ValueError(f"{classes} digit capsules need as many names, got {len(class_names)}")


def _named(what: str, values: np.ndarray, class_names: Sequence[str]) -> dict[str, np.ndarray]:
    """Columns [T] of values [T, J], one for each class."""
    return {f"{what}_{name}": values[:, j] for j, name in enumerate(class_names)}


def _text(names: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return text.getvalue()
