"""What the whole test set says about routing: over its iterations, and capsule by capsule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import plotly.graph_objects as go

from app.figures import palette
from app.figures.small_maps import dress, small_maps
from app.wording import a

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capsnet.analysis.survey import RoutingSurvey

    Floats = NDArray[np.floating]

Kind = Literal["light", "dark"]
CapsuleMap = Literal["dead", "length", "variation"]

PAPER = {1: (0.29, 0.011), 3: (0.25, 0.005)}
"""Table 1 of the paper, with reconstruction: trained with r, test error in % (mean, deviation)."""

SPAN = 0.05
"""Couplings are shown up to this far from equal ones, and spreads up to this; the rest is cut."""

HEIGHT = 400


def verdicts_figure(survey: RoutingSurvey, kind: Kind, *, paper: bool = True) -> go.Figure:
    """The test error after each iteration, and how many verdicts differ from those at r.

    Args:
        survey: Of the test set as it is.
        kind: The page's theme.
        paper: Whether the paper's networks can stand beside: they were tested on MNIST.
    """
    colours, iterations = palette.theme(kind), np.arange(1, len(survey.errors) + 1)
    errors, changed = (100 * counts / survey.count for counts in (survey.errors, survey.changed))
    figure = go.Figure()
    figure.add_scatter(
        x=iterations,
        y=errors,
        name="this network: errors",
        mode="lines+markers",
        line={"color": colours["accent"], "width": 3},
        marker={"size": 7},
        customdata=survey.errors,
        hovertemplate="%{y:.2f} % wrong (%{customdata} images)<extra></extra>",
    )
    figure.add_scatter(
        x=iterations,
        y=changed,
        name=f"verdicts unlike those at r = {survey.trained}",
        mode="lines+markers",
        line={"color": colours["warn"], "width": 2, "dash": "dot"},
        marker={"size": 6, "symbol": "square"},
        customdata=np.stack([survey.changed, survey.better, survey.worse], axis=1),
        hovertemplate="%{y:.2f} % changed: %{customdata[0]} images, %{customdata[1]} for better, "
        "%{customdata[2]} for worse<extra></extra>",
    )
    if paper:
        figure.add_scatter(
            x=list(PAPER),
            y=[mean for mean, _ in PAPER.values()],
            error_y={"array": [deviation for _, deviation in PAPER.values()], "thickness": 1.5},
            name="the paper: trained with r = 1, with r = 3",
            mode="markers",
            marker={"color": colours["ink"], "size": 11, "symbol": "diamond-open", "line_width": 2},
            hovertemplate="the paper, trained with r = %{x}: %{y:.2f} %<extra></extra>",
        )
    highest = max(1.0, 1.1 * float(max(errors.max(), changed.max())))
    title = "Errors and changed verdicts on the test set"
    _over_iterations(figure, title, "% of the images", (0, highest), survey, kind)
    return figure


def strength_figure(survey: RoutingSurvey, noun: str, kind: Kind) -> go.Figure:
    """What iterations do to the lengths of digit capsules and to couplings, on one scale 0…1.

    Args:
        survey: Of the test set as it is.
        noun: What the classes are: "digit".
        kind: The page's theme.
    """
    colours, iterations = palette.theme(kind), np.arange(1, len(survey.errors) + 1)
    uniform = 1 / len(survey.class_counts)
    figure = go.Figure()
    lines: list[tuple[str, Floats, dict[str, Any]]] = [
        (f"longest {noun} capsule", survey.longest, {"color": colours["accent"], "width": 3}),
        ("second longest", survey.second, {"color": colours["accent"], "width": 2, "dash": "dot"}),
        (
            "a primary capsule's largest coupling",
            survey.largest,
            {"color": colours["warn"], "width": 3},
        ),
        (
            "the same, weighted by its votes",
            survey.largest_weighted,
            {"color": colours["warn"], "width": 2, "dash": "dot"},
        ),
        (
            f"equal couplings, {uniform:.2g}",
            np.full(len(iterations), uniform),
            {"color": colours["ink"], "width": 1.5, "dash": "dash"},
        ),
    ]
    for name, values, line in lines:
        figure.add_scatter(
            x=iterations,
            y=values,
            name=name,
            mode="lines" if line.get("dash") == "dash" else "lines+markers",
            line=line,
            hovertemplate=f"{name}: %{{y:.3f}}<extra></extra>",
        )
    title = "Lengths and couplings, mean over the test set"
    _over_iterations(figure, title, "length, coupling, 0…1", (0, 1.02), survey, kind)
    return figure


def capsules_figure(survey: RoutingSurvey, shown: CapsuleMap, grid: int, kind: Kind) -> go.Figure:
    """Every primary capsule over the test set: dead, how long, how much it varies.

    Args:
        survey: Of the test set as it is.
        shown: Which of `dead`, `length` and `variation` the colour tells; the hover tells all.
        grid: Rows and columns of places.
        kind: The page's theme.
    """
    titles = {
        "dead": ("How often each primary capsule is dead", "share of the images"),
        "length": ("How long each primary capsule is", "mean length, ‖u<sub>i</sub>‖"),
        "variation": ("How much each primary capsule varies", "share of ‖u<sub>i</sub>‖²"),
    }
    hovered = {
        "dead in {:.1f} % of the images": 100 * survey.dead,
        "mean length {:.3f}": survey.length,
        "± {:.3f}": survey.length_spread,
        "varies by {:.0f} %": 100 * survey.variation,
        "mean length of its votes {:.3f}": survey.vote_length,
    }
    title, unit = titles[shown]
    values: Floats = getattr(survey, shown)
    return small_maps(values, hovered, title, unit, "magnitude", (0, 1), grid, kind)


def coupling_figures(
    survey: RoutingSurvey, digit: int, name: str, grid: int, kind: Kind
) -> tuple[go.Figure, go.Figure]:
    """The couplings to a digit over the images of it: how far from equal, and how spread out.

    Both are on one scale for all digits, the same length in both; what lies beyond SPAN is cut.

    Args:
        survey: Of the test set as it is.
        digit: The class k, of which there are images.
        name: What it is called.
        grid: Rows and columns of places.
        kind: The page's theme.
    """
    mean, spread = survey.own_mean[digit], np.sqrt(survey.own_variance[digit])
    uniform = 1 / len(survey.class_counts)
    hovered = {"coupling {:.4f}": mean, "± {:.4f} over the images": spread}
    return (
        small_maps(
            mean - uniform,
            hovered,
            f"Mean coupling to {name} where it is {a(name)}",
            "coupling",
            "signed",
            (-SPAN, SPAN),
            grid,
            kind,
            ticks={
                -SPAN: f"≤ {uniform - SPAN:.2f}",
                0: f"{uniform:.2f}, equal",
                SPAN: f"≥ {uniform + SPAN:.2f}",
            },
        ),
        small_maps(
            spread,
            hovered,
            "Its standard deviation over the images",
            "standard deviation",
            "magnitude",
            (0, SPAN),
            grid,
            kind,
            ticks={0: "0", SPAN / 2: f"{SPAN / 2:.3f}", SPAN: f"≥ {SPAN:.2f}"},
        ),
    )


def _over_iterations(
    figure: go.Figure,
    title: str,
    unit: str,
    span: tuple[float, float],
    survey: RoutingSurvey,
    kind: Kind,
) -> None:
    """Title, axes with fixed ranges, and the mark of the iterations trained with."""
    colours = palette.theme(kind)
    axis = {"gridcolor": colours["muted"], "gridwidth": 0.5, "zeroline": False, "fixedrange": True}
    figure.add_vline(
        x=survey.trained,
        line={"color": colours["accent"], "width": 1, "dash": "dot"},
        annotation={
            "text": f"trained with r = {survey.trained}",
            "font": {"color": colours["accent"]},
        },
        annotation_position="top",
    )
    dress(figure, title, HEIGHT, kind)
    figure.update_layout(
        margin={"l": 56, "r": 16, "t": 72, "b": 56},
        hovermode="x unified",
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"},
        xaxis={
            **axis,
            "title": "iterations of routing",
            "range": (0.8, len(survey.errors) + 0.2),
            "dtick": 1,
            "showgrid": False,
        },
        yaxis={**axis, "title": unit, "range": span},
    )
