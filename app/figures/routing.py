"""Routing over its iterations: lengths of the digit capsules, entropy of the couplings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import plotly.graph_objects as go

from app.figures import palette

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.inputs import Floats

Kind = Literal["light", "dark"]
HEIGHT = 420


def lengths_figure(
    lengths: Floats, off: Floats, names: Sequence[str], trained: int, kind: Kind
) -> go.Figure:
    """The length of each digit capsule in each iteration, the longest one told apart.

    Args:
        lengths: ‖v_j‖, [T, J], in 0…1.
        off: ‖v_j‖ with routing switched off, [J]; drawn for the longest.
        names: What the digits are called.
        trained: The iterations the network was trained with.
        kind: The page's theme.
    """
    iterations = np.arange(1, len(lengths) + 1)
    best = int(lengths[min(trained, len(lengths)) - 1].argmax())
    colours = palette.theme(kind)
    figure = go.Figure()
    for j, name in enumerate(names):
        longest = j == best
        figure.add_scatter(
            x=iterations,
            y=lengths[:, j],
            name=f"{name}, the longest" if longest else "the other digit capsules",
            legendgroup="longest" if longest else "others",
            showlegend=longest or j == (best == 0),  # one entry for all the others
            mode="lines+markers",
            line={"color": colours["accent" if longest else "muted"], "width": 4 if longest else 2},
            marker={"size": 7 if longest else 4},
            hovertemplate=f"{name}: %{{y:.3f}}<extra></extra>",
        )
    figure.add_scatter(
        x=iterations,
        y=np.full(len(iterations), off[best]),
        name=f"{names[best]}, routing off",
        mode="lines",
        line={"color": colours["ink"], "width": 1.5, "dash": "dash"},
        hovertemplate=f"{names[best]}, routing off: %{{y:.3f}}<extra></extra>",
    )
    title = "Length of each digit capsule, ‖v<sub>j</sub>‖"
    return _finish(figure, title, "length, 0…1", (0, 1.02), len(lengths), trained, kind)


def entropy_figure(
    mean: Floats, low: Floats, high: Floats, uniform: float, trained: int, kind: Kind
) -> go.Figure:
    """The entropy of the couplings in each iteration, against that of equal couplings.

    Args:
        mean: Over the primary capsules, bits, [T].
        low: The 10 % quantile, [T].
        high: The 90 % quantile, [T].
        uniform: Of equal couplings, bits.
        trained: The iterations the network was trained with.
        kind: The page's theme.
    """
    iterations = np.arange(1, len(mean) + 1)
    colours = palette.theme(kind)
    figure = go.Figure()
    figure.add_scatter(
        x=np.concatenate([iterations, iterations[::-1]]),
        y=np.concatenate([high, low[::-1]]),
        name="10 to 90 % of the capsules",
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=colours["muted"],
        opacity=0.5,
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=iterations,
        y=mean,
        name="mean",
        mode="lines+markers",
        line={"color": colours["accent"], "width": 3},
        customdata=np.stack([low, high], axis=1),
        hovertemplate="mean %{y:.3f} bits; most capsules between %{customdata[0]:.3f} and "
        "%{customdata[1]:.3f}<extra></extra>",
    )
    figure.add_scatter(
        x=iterations,
        y=np.full(len(iterations), uniform),
        name=f"equal couplings, {uniform:.2f} bits",
        mode="lines",
        line={"color": colours["ink"], "width": 1.5, "dash": "dash"},
        hovertemplate="equal couplings: %{y:.3f} bits<extra></extra>",
    )
    title = "Entropy of a primary capsule's couplings"
    return _finish(figure, title, "bits", (0, 1.05 * uniform), len(mean), trained, kind)


def _finish(
    figure: go.Figure,
    title: str,
    unit: str,
    span: tuple[float, float],
    iterations: int,
    trained: int,
    kind: Kind,
) -> go.Figure:
    """Title, axes with fixed ranges, and the mark of the iterations trained with."""
    colours = palette.theme(kind)
    figure.add_vline(
        x=trained,
        line={"color": colours["accent"], "width": 1, "dash": "dot"},
        annotation={"text": f"trained with r = {trained}", "font": {"color": colours["accent"]}},
        annotation_position="top",
    )
    axis = {"gridcolor": colours["muted"], "gridwidth": 0.5, "zeroline": False, "fixedrange": True}
    figure.update_layout(
        title={"text": title, "font": {"size": 15}},
        height=HEIGHT,
        margin={"l": 56, "r": 16, "t": 72, "b": 56},
        font={"color": colours["ink"]},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        hovermode="x unified",
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"},
        xaxis={
            **axis,
            "title": "routing iteration",
            "range": (0.8, iterations + 0.2),
            "dtick": 1,
            "showgrid": False,
        },
        yaxis={**axis, "title": unit, "range": span},
    )
    return figure
