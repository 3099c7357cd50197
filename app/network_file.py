"""What the Rebuild page needs of a network in the browser, as one file that is sent once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from safetensors.numpy import save

from capsnet.analysis.effects import (
    AHEAD,
    EXPLAINED,
    PER,
    SAME,
    STEPS,
    STRONG,
    Effects,
    single_effect,
)
from capsnet.analysis.population import LEVELS, PosePopulation
from capsnet.analysis.strokes import PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.inputs import Floats
    from capsnet.model import CapsNet

_POPULATION = (
    "quantiles",
    "mean",
    "length_quantiles",
    "axes",
    "spreads",
    "score_quantiles",
    "distance_quantiles",
)
_EFFECTS = ("change", "slope", "spread", "same")


@dataclass(frozen=True)
class Atlas:
    """What a survey knows of a network's poses.

    Args:
        population: Where those of real digits lie.
        effects: What their dimensions do to the picture; None where that is not measured.
        axes: What their principal axes do, by standard deviations; None likewise.
    """

    population: PosePopulation
    effects: Effects | None
    axes: Effects | None


@dataclass(frozen=True)
class SampleReadings:
    """What a network makes of some samples.

    Args:
        images: [S, 28, 28], values in 0…1, ink is 1.
        poses: [S, J, D].
        indices: Places in the test set, [S].
        labels: Their true classes, [S].
        titles: What they are called.
        words: The verdicts.
    """

    images: Floats
    poses: Floats
    indices: NDArray[np.integer]
    labels: NDArray[np.integer]
    titles: tuple[str, ...]
    words: tuple[str, ...]


def network_file(model: CapsNet, key: str, atlas: Atlas | None, samples: SampleReadings) -> bytes:
    """Write a safetensors file of float16 (decoder, images) and float32 (all else).

    Tensors:
        decoder.N.weight [in, out], decoder.N.bias [out]: of its layers, N from 0.
        samples.images [S, 784], samples.poses [S, J, D].
        With an atlas: population.NAME as in `PosePopulation` (NaN for a class without images);
        effects.NAME and axes.NAME as in `Effects`, where they are measured.

    Metadata, all but the key as JSON:
        key: The network's.
        samples: {indices, labels, titles, words}.
        With an atlas: levels, `LEVELS`; count, images of each class. Where they are measured:
        effects and axes, by class and direction what it does if it is one thing, "thicker, 0.8 px
        per 0.1", else "". Of both: swept, the digits of each class that were moved; properties,
        those of the slopes, as {name, unit, more, less, scale, kin}; rules, by which an effect gets
        a name, as {strong, same, ahead, explained}, with span, the sweep as so many times what
        slopes are told per.

    Raises:
        ValueError: The network has no decoder.
    """
    if model.decoder is None:
        raise ValueError("without a decoder there is nothing to rebuild")
    tensors: dict[str, Any] = {
        "samples.images": samples.images.reshape(-1, model.config.pixels).astype("float16"),
        "samples.poses": samples.poses.astype("float32"),
    }
    layers = [part for part in model.decoder if isinstance(part, torch.nn.Linear)]
    for n, layer in enumerate(layers):
        tensors[f"decoder.{n}.weight"] = layer.weight.detach().T.half().contiguous().numpy()
        tensors[f"decoder.{n}.bias"] = layer.bias.detach().half().numpy()
    told: dict[str, Any] = {
        "samples": {
            "indices": samples.indices.tolist(),
            "labels": samples.labels.tolist(),
            "titles": samples.titles,
            "words": samples.words,
        }
    }
    if atlas is not None:
        tensors |= _arrays("population", atlas.population, _POPULATION)
        told |= {"levels": LEVELS.tolist(), "count": atlas.population.count.tolist()}
        if atlas.effects and atlas.axes:
            tensors |= _arrays("effects", atlas.effects, _EFFECTS)
            tensors |= _arrays("axes", atlas.axes, _EFFECTS)
            told |= _measured(atlas.effects, atlas.axes)
    return save(tensors, metadata={"key": key} | {n: json.dumps(v) for n, v in told.items()})


def _arrays(part: str, found: PosePopulation | Effects, names: Sequence[str]) -> dict[str, Floats]:
    """Some arrays of a part of an atlas, as part.NAME."""
    return {f"{part}.{name}": getattr(found, name).astype("float32") for name in names}


def _measured(effects: Effects, axes: Effects) -> dict[str, Any]:
    """What the metadata say of effects."""
    return {
        "effects": effect_words(effects),
        "axes": effect_words(axes, "σ"),
        "swept": effects.count.tolist(),
        "properties": [
            {
                "name": one.name,
                "unit": one.unit,
                "more": one.more,
                "less": one.less,
                "scale": one.scale,
                "kin": one.kin,
            }
            for one in PROPERTIES
        ],
        "rules": {
            "strong": STRONG,
            "same": SAME,
            "ahead": AHEAD,
            "explained": EXPLAINED,
            "span": (STEPS[-1] - STEPS[0]) / PER,
        },
    }


def effect_words(effects: Effects, per: str = "0.1") -> list[list[str]]:
    """What every direction of every class does, as "thicker, 0.8 px per 0.1"; "" if not one thing.

    Args:
        effects: Of J classes and K directions.
        per: What one step along a direction is called.
    """
    classes, directions = effects.change.shape
    return [
        [
            one.words(per) if (one := single_effect(effects, digit, k)) else ""
            for k in range(directions)
        ]
        for digit in range(classes)
    ]
