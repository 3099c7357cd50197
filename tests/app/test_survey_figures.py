"""The figures of a survey show its numbers, on scales that do not move."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest

from app.figures.small_maps import ACROSS, small_maps
from app.figures.survey import (
    PAPER,
    SPAN,
    capsules_figure,
    coupling_figures,
    strength_figure,
    verdicts_figure,
)
from capsnet.analysis.survey import RoutingSurvey
from capsnet.survey import checkpoint_key, load_survey, survey_path

CHECKPOINT = Path(__file__).parents[2] / "checkpoints" / "digits.safetensors"


@pytest.fixture(scope="module")
def survey() -> RoutingSurvey:
    return load_survey(survey_path(CHECKPOINT), checkpoint_key(CHECKPOINT))


def cells(figure: go.Figure) -> np.ndarray:
    """The values of the small maps, [types, 6, 6]."""
    z = np.array(figure.data[0].z, dtype=float)
    blocks = z.reshape(-1, 8, z.shape[1])[:, 2:]  # without the two rows over each map
    blocks = np.pad(blocks, ((0, 0), (0, 0), (0, 1)), constant_values=np.nan)
    return blocks.reshape(-1, 6, ACROSS, 7)[..., :6].swapaxes(1, 2).reshape(-1, 6, 6)


def test_errors_and_changes_are_drawn_in_percent_beside_the_papers(survey: RoutingSurvey) -> None:
    errors, changed, paper = verdicts_figure(survey, "light").data
    np.testing.assert_allclose(errors.y, 100 * survey.errors / survey.count)
    np.testing.assert_allclose(changed.y, 100 * survey.changed / survey.count)
    assert list(errors.x) == list(range(1, 11))
    assert dict(zip(paper.x, paper.y, strict=True)) == {1: 0.29, 3: 0.25}
    assert set(PAPER) == {1, 3}


def test_lengths_and_couplings_share_the_scale_from_0_to_1(survey: RoutingSurvey) -> None:
    figure = strength_figure(survey, "digit", "dark")
    assert tuple(figure.layout.yaxis.range) == (0, 1.02)
    longest, second, largest, weighted, equal = (trace.y for trace in figure.data)
    np.testing.assert_allclose(longest, survey.longest)
    np.testing.assert_allclose(second, survey.second)
    np.testing.assert_allclose(largest, survey.largest)
    np.testing.assert_allclose(weighted, survey.largest_weighted)
    np.testing.assert_allclose(equal, 0.1)


@pytest.mark.parametrize("shown", ["dead", "length", "variation"])
def test_each_capsule_stands_in_the_map_of_its_type_at_its_place(
    survey: RoutingSurvey, shown: str
) -> None:
    figure = capsules_figure(survey, shown, 6, "light")
    heat = figure.data[0]
    np.testing.assert_allclose(cells(figure).ravel(), getattr(survey, shown))
    assert (heat.zmin, heat.zmax) == (0, 1)
    assert [note.text for note in figure.layout.annotations] == [str(k) for k in range(32)]


def test_the_hover_names_the_capsule_and_tells_all_its_numbers(survey: RoutingSurvey) -> None:
    figure = capsules_figure(survey, "dead", 6, "light")
    i = 9 * 36 + 2 * 6 + 5
    words = figure.data[0].text[1 * 8 + 2 + 2][1 * 7 + 5]
    assert words.startswith("type 9, row 2, column 5<br>")
    assert f"mean length {survey.length[i]:.3f}" in words
    assert f"mean length of its votes {survey.vote_length[i]:.3f}" in words


def test_couplings_of_every_digit_are_on_one_scale(survey: RoutingSurvey) -> None:
    for digit in range(10):
        mean, spread = coupling_figures(survey, digit, str(digit), 6, "dark")
        np.testing.assert_allclose(cells(mean).ravel(), survey.own_mean[digit] - 0.1, atol=1e-7)
        np.testing.assert_allclose(cells(spread).ravel() ** 2, survey.own_variance[digit], 1e-5)
        assert (mean.data[0].zmin, mean.data[0].zmax) == (-SPAN, SPAN)
        assert (spread.data[0].zmin, spread.data[0].zmax) == (0, SPAN)
        assert f"to {digit}" in mean.layout.title.text


def test_networks_of_other_sizes_fill_fewer_maps() -> None:
    values = np.arange(3 * 4.0)
    figure = small_maps(values, {"{:.0f}": values}, "t", "u", "magnitude", (0, 12), 2, "light")
    z = np.array(figure.data[0].z, dtype=float)
    assert z.shape == (4, 8)
    assert z[2:, 3:5].tolist() == [[4, 5], [6, 7]]
    assert np.isnan(z).sum() == 4 * 8 - 12


def test_a_network_that_errs_more_raises_the_scale(survey: RoutingSurvey) -> None:
    poor = replace(survey, errors=survey.errors + 700)
    assert verdicts_figure(survey, "light").layout.yaxis.range[1] == 1
    assert verdicts_figure(poor, "light").layout.yaxis.range[1] > 7
