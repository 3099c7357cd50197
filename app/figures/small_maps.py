"""One small map of the places for each type of primary capsule, side by side on one scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import plotly.graph_objects as go

from app.figures import palette

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.floating]

Kind = Literal["light", "dark"]
ACROSS = 8  # maps in a row
HEIGHT = 460
_NOWHERE = "rgba(0,0,0,0)"


def small_maps(
    values: Floats,
    hovered: Mapping[str, Floats],
    title: str,
    unit: str,
    scale: palette.Scale,
    span: tuple[float, float],
    grid: int,
    kind: Kind,
    ticks: Mapping[float, str] | None = None,
) -> go.Figure:
    """One small map of the places for each type, ACROSS in a row, as one heatmap with gaps.

    Args:
        values: One for each primary capsule, [I]; I = types · grid².
        hovered: What the hover says besides the place: a format for each array [I].
        title: Of the figure.
        unit: What the colour means.
        scale: The colours.
        span: The values at their ends.
        grid: Rows and columns of places.
        kind: The page's theme.
        ticks: What the colour bar says at which value.
    """
    colours = palette.theme(kind)
    types = len(values) // grid**2
    step_x, step_y = grid + 1, grid + 2  # a gap to the right, a wider one above for the name
    rows, across = -(-types // ACROSS), min(types, ACROSS)
    shape = (rows * step_y, across * step_x - 1)
    cells, words = np.full(shape, np.nan), np.full(shape, "", dtype=object)
    for i, value in enumerate(values):
        type_, row, column = (int(n) for n in np.unravel_index(i, (types, grid, grid)))
        y = type_ // ACROSS * step_y + 2 + row
        x = type_ % ACROSS * step_x + column
        cells[y, x] = value
        told = [form.format(float(array[i])) for form, array in hovered.items()]
        words[y, x] = "<br>".join([f"type {type_}, row {row}, column {column}", *told])
    figure = go.Figure()
    figure.add_heatmap(
        z=cells,
        text=words,
        hovertemplate="%{text}<extra></extra>",
        hoverongaps=False,
        colorscale=palette.scale(scale),
        zmin=span[0],
        zmax=span[1],
        colorbar={
            "orientation": "h",
            "thickness": 10,
            "len": 0.7,
            "y": 0,
            "yanchor": "top",
            "title": {"text": unit, "side": "bottom"},
            "outlinewidth": 0,
            **({"tickvals": list(ticks), "ticktext": list(ticks.values())} if ticks else {}),
        },
    )
    for type_ in range(types):
        figure.add_annotation(
            x=type_ % ACROSS * step_x - 0.5,
            y=type_ // ACROSS * step_y + 1.5,
            text=str(type_),
            showarrow=False,
            xanchor="left",
            yanchor="bottom",
            font={"size": 10, "color": colours["ink"]},
        )
    axis = {"visible": False, "fixedrange": True}
    dress(figure, title, HEIGHT, kind)
    figure.update_layout(
        margin={"l": 4, "r": 4, "t": 32, "b": 60},
        xaxis={**axis, "range": (-0.5, shape[1] - 0.5)},
        yaxis={**axis, "range": (shape[0] - 0.5, -0.5)},
    )
    return figure


def dress(figure: go.Figure, title: str, height: int, kind: Kind) -> None:
    """What all figures share."""
    figure.update_layout(
        title={"text": title, "font": {"size": 15}},
        height=height,
        font={"color": palette.theme(kind)["ink"]},
        paper_bgcolor=_NOWHERE,
        plot_bgcolor=_NOWHERE,
    )
