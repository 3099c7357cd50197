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
        effects: What their dimensions do to the picture.
        axes: What their principal axes do, by standard deviations.
    """

    population: PosePopulation
    effects: Effects
    axes: Effects


@dataclass(frozen=True)
class SampleReadings:
    """What a network makes of some samples.

    Args:
        images: [S, 28, 28], values in 0…1, ink is 1.
        poses: [S, J, D].
        indices: Places in the MNIST test set, [S].
        labels: What the writers meant, [S].
        words: The verdicts.
    """

    images: Floats
    poses: Floats
    indices: NDArray[np.integer]
    labels: NDArray[np.integer]
    words: tuple[str, ...]


def network_file(model: CapsNet, key: str, atlas: Atlas | None, samples: SampleReadings) -> bytes:
    """Write a safetensors file of float16 (decoder, images) and float32 (all else).

    Tensors:
        decoder.N.weight [in, out], decoder.N.bias [out]: of its layers, N from 0.
        samples.images [S, 784], samples.poses [S, J, D].
        With an atlas: population.NAME as in `PosePopulation` (NaN for a class without digits);
        effects.NAME and axes.NAME as in `Effects`.

    Metadata, all but the key as JSON:
        key: The network's.
        samples: {indices, labels, words}.
        With an atlas: levels, `LEVELS`; count, digits of each class; effects and axes, by class and
        direction what it does if it is one thing, "thicker, 0.8 px per 0.1", else "". Of both:
        swept, the digits of each class that were moved; properties, those of the slopes, as {name,
        unit, more, less, scale, kin}; rules, by which an effect gets a name, as {strong, same,
        ahead, explained}, with span, the sweep as so many times what slopes are told per.
    """
    tensors: dict[str, Any] = {
        "samples.images": samples.images.reshape(len(samples.images), -1).astype("float16"),
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
            "words": samples.words,
        }
    }
    if atlas is not None:
        parts = {"population": _POPULATION, "effects": _EFFECTS, "axes": _EFFECTS}
        for part, names in parts.items():
            for name in names:
                tensors[f"{part}.{name}"] = getattr(getattr(atlas, part), name).astype("float32")
        told |= {
            "levels": LEVELS.tolist(),
            "count": atlas.population.count.tolist(),
            "effects": effect_words(atlas.effects),
            "axes": effect_words(atlas.axes, "σ"),
            "swept": atlas.effects.count.tolist(),
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
    return save(tensors, metadata={"key": key} | {n: json.dumps(v) for n, v in told.items()})


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
