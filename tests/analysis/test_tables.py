"""Routing as comma-separated values: every number in its row and column, exactly."""

import csv
import io
import math

import numpy as np
import pytest
import torch

from capsnet import CapsNet
from capsnet.analysis.couplings import coupling_entropy
from capsnet.analysis.tables import couplings_table, iterations_table

NAMES = ("zero", "one", "two", 'three, or "more"')
ITERATIONS = 3


@pytest.fixture(scope="module")
def trace(small_config):
    torch.manual_seed(4)
    trace = CapsNet(small_config).trace(torch.rand(1, 2, 20, 20), ITERATIONS)
    moving = ("logits", "couplings", "agreements", "lengths")
    stepped = {name: getattr(trace, name)[:, 0].numpy() for name in moving}
    return {"votes": trace.votes[0].numpy(), **stepped}


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_one_row_an_iteration_with_the_lengths_and_the_longest(trace):
    rows = rows_of(iterations_table(trace, NAMES))
    assert [row["iteration"] for row in rows] == ["1", "2", "3"]
    for t, row in enumerate(rows):
        lengths = [np.float32(row[f"length_{name}"]) for name in NAMES]
        assert lengths == list(trace["lengths"][t])
        assert row["longest"] == NAMES[lengths.index(max(lengths))]


def test_changes_entropies_and_agreements_stand_in_their_columns(trace):
    rows = rows_of(iterations_table(trace, NAMES))
    entropy = coupling_entropy(trace["couplings"])
    for t, row in enumerate(rows):
        assert float(row["entropy_mean"]) == pytest.approx(entropy[t].mean(), rel=1e-6)
        assert float(row["entropy_low"]) <= float(row["entropy_high"])
        step = np.abs(trace["logits"][t] - trace["logits"][t - 1]).mean() if t else 0
        assert float(row["logit_change"]) == pytest.approx(step, rel=1e-6)
        for j, name in enumerate(NAMES):
            c, a, u = (
                trace["couplings"][t, :, j],
                trace["agreements"][t, :, j],
                trace["votes"][:, j],
            )
            agreed = float(row[f"agreement_{name}"])
            assert agreed == pytest.approx((c * a).sum() / c.sum(), rel=1e-4)
            sent = sum(x * math.hypot(*vote) for x, vote in zip(c, u, strict=True))
            concentrated = np.linalg.norm(c @ u) / sent
            assert float(row[f"concentration_{name}"]) == pytest.approx(concentrated, rel=1e-4)


def test_couplings_stand_in_the_row_of_iteration_and_capsule(trace, small_config):
    rows = iter(rows_of(couplings_table(trace, NAMES, small_config)))
    grid = small_config.grid
    for t in range(ITERATIONS):
        for kind in range(small_config.primary_types):
            for r in range(grid):
                for column in range(grid):
                    i, row = kind * grid * grid + r * grid + column, next(rows)
                    assert int(row["iteration"]) == t + 1
                    assert int(row["capsule"]) == i
                    place = (int(row["type"]), int(row["row"]), int(row["column"]))
                    assert place == (kind, r, column)
                    for j, name in enumerate(NAMES):
                        coupling = np.float32(row[f"coupling_{name}"])
                        assert coupling == trace["couplings"][t, i, j]
                        length = math.hypot(*trace["votes"][i, j])
                        assert float(row[f"vote_length_{name}"]) == pytest.approx(length, rel=1e-6)
    assert next(rows, None) is None


def test_too_few_names_are_refused(trace, small_config):
    with pytest.raises(ValueError, match="4 digit capsules need as many names, got 3"):
        iterations_table(trace, NAMES[:3])
    with pytest.raises(ValueError, match="4 digit capsules need as many names, got 3"):
        couplings_table(trace, NAMES[:3], small_config)


def test_couplings_of_another_network_are_refused(trace):
    with pytest.raises(ValueError, match="1152"):
        couplings_table(trace, tuple("0123456789"), CapsNet().config)
