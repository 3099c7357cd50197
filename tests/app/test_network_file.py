"""The file that the Rebuild page's browser reads a network from."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.numpy import load

from app.inputs import Floats
from app.network_file import Atlas, SampleReadings, effect_words, network_file
from app.networks import REPOSITORY
from capsnet import CapsNet
from capsnet.analysis.effects import single_effect
from capsnet.analysis.population import LEVELS
from capsnet.analysis.strokes import PROPERTIES
from capsnet.survey import checkpoint_key, load_survey, survey_path
from tests.browser.library import network

CHECKPOINT = REPOSITORY / "checkpoints" / "digits.safetensors"
KEY = checkpoint_key(CHECKPOINT)
CLASSES, SIZE, SAMPLES = 10, 16, 3
MOST = 3_400_000  # bytes that a visitor waits for once


@dataclass(frozen=True)
class Read:
    """A network file, as a browser reads it."""

    size: int
    tensors: dict[str, Floats]
    metadata: dict[str, str]

    def told(self, name: str) -> Any:
        """What the metadata say under a name."""
        return json.loads(self.metadata[name])


@pytest.fixture(scope="module")
def atlas() -> Atlas:
    path = survey_path(CHECKPOINT)
    return Atlas(
        load_survey(path, KEY, "poses"),
        load_survey(path, KEY, "effects"),
        load_survey(path, KEY, "axes"),
    )


@pytest.fixture(scope="module")
def readings() -> SampleReadings:
    rng = np.random.default_rng(0)
    return SampleReadings(
        images=rng.random((SAMPLES, 28, 28), dtype=np.float32),
        poses=rng.normal(size=(SAMPLES, CLASSES, SIZE)).astype(np.float32),
        indices=np.array([162, 449, 7]),
        labels=np.array([5, 3, 1]),
        titles=("MNIST test image 162", "MNIST test image 449", "MNIST test image 7"),
        words=("reads 5, length 0.95", "not sure: 3 or 5", "reads 1, length 0.93"),
    )


@pytest.fixture(scope="module")
def written(
    atlas: Atlas, readings: SampleReadings, tmp_path_factory: pytest.TempPathFactory
) -> Read:
    data = network_file(network(), KEY, atlas, readings)
    path = tmp_path_factory.mktemp("file") / "network.safetensors"
    path.write_bytes(data)
    with safe_open(path, "numpy") as file:
        return Read(len(data), load(data), file.metadata())


def test_the_decoder_is_that_of_the_network_in_float16(written: Read) -> None:
    for n, (ins, outs) in enumerate(((160, 512), (512, 1024), (1024, 784))):
        weight, bias = (written.tensors[f"decoder.{n}.{name}"] for name in ("weight", "bias"))
        assert (weight.shape, bias.shape) == ((ins, outs), (outs,))
        assert weight.dtype == bias.dtype == np.float16
    layers = [part for part in network().decoder if isinstance(part, torch.nn.Linear)]
    last = layers[-1].weight.detach().numpy()
    np.testing.assert_allclose(written.tensors["decoder.2.weight"].T, last, atol=1e-3)


def test_all_arrays_have_the_shapes_that_the_browser_counts_on(written: Read) -> None:
    levels = len(LEVELS)
    shapes = {
        "samples.images": (SAMPLES, 784),
        "samples.poses": (SAMPLES, CLASSES, SIZE),
        "population.mean": (CLASSES, SIZE),
        "population.quantiles": (CLASSES, SIZE, levels),
        "population.length_quantiles": (CLASSES, levels),
        "population.axes": (CLASSES, SIZE, SIZE),
        "population.spreads": (CLASSES, SIZE),
        "population.score_quantiles": (CLASSES, SIZE, levels),
        "population.distance_quantiles": (CLASSES, levels),
        **{f"{part}.change": (CLASSES, SIZE) for part in ("effects", "axes")},
        **{
            f"{part}.{name}": (CLASSES, SIZE, len(PROPERTIES))
            for part in ("effects", "axes")
            for name in ("slope", "spread", "same")
        },
    }
    found = {n: t.shape for n, t in written.tensors.items() if not n.startswith("decoder.")}
    assert found == shapes
    wide = {n for n, t in written.tensors.items() if t.dtype == np.float32}
    assert wide == shapes.keys() - {"samples.images"}


def test_samples_and_population_are_those_that_were_given(
    written: Read, atlas: Atlas, readings: SampleReadings
) -> None:
    images = written.tensors["samples.images"].reshape(SAMPLES, 28, 28)
    np.testing.assert_allclose(images, readings.images, atol=1e-3)
    assert written.told("samples") == {
        "indices": [162, 449, 7],
        "labels": [5, 3, 1],
        "titles": list(readings.titles),
        "words": list(readings.words),
    }
    for name in ("quantiles", "axes", "score_quantiles"):
        given = getattr(atlas.population, name)
        np.testing.assert_allclose(written.tensors[f"population.{name}"], given, rtol=1e-6)
    assert written.metadata["key"] == KEY
    assert written.told("levels") == LEVELS.tolist()
    assert written.told("count") == atlas.population.count.tolist()


def test_a_direction_has_words_only_where_it_is_one_thing(written: Read, atlas: Atlas) -> None:
    for part, per in (("effects", "0.1"), ("axes", "σ")):
        effects = getattr(atlas, part)
        words = written.told(part)
        assert words == effect_words(effects, per)
        for digit in range(CLASSES):
            for k in range(SIZE):
                one = single_effect(effects, digit, k)
                assert words[digit][k] == (one.words(per) if one else "")
                assert not words[digit][k] or words[digit][k].endswith(f" per {per}")
    assert 40 < sum(bool(word) for row in written.told("effects") for word in row) < 80


def test_properties_are_told_in_the_order_of_the_slopes(written: Read) -> None:
    assert [one["name"] for one in written.told("properties")] == [p.name for p in PROPERTIES]
    assert [one["scale"] for one in written.told("properties")] == [p.scale for p in PROPERTIES]


def test_without_a_survey_the_decoder_and_the_samples_go_alone(readings: SampleReadings) -> None:
    tensors = load(network_file(network(), KEY, None, readings))
    assert {name.split(".")[0] for name in tensors} == {"decoder", "samples"}


def test_a_survey_that_measured_no_effects_brings_the_population_alone(
    atlas: Atlas, readings: SampleReadings
) -> None:
    unmeasured = replace(atlas, effects=None, axes=None)
    tensors = load(network_file(network(), KEY, unmeasured, readings))
    assert {name.split(".")[0] for name in tensors} == {"decoder", "samples", "population"}


def test_a_network_without_a_decoder_has_no_such_file(readings: SampleReadings) -> None:
    plain = CapsNet(replace(network().config, decoder_hidden=None))
    with pytest.raises(ValueError, match="without a decoder"):
        network_file(plain, KEY, None, readings)


def test_without_samples_the_file_holds_none(readings: SampleReadings) -> None:
    none = replace(
        readings, images=readings.images[:0], poses=readings.poses[:0], indices=readings.indices[:0]
    )
    assert load(network_file(network(), KEY, None, none))["samples.images"].shape == (0, 784)


def test_the_file_is_small_enough_to_wait_for(written: Read) -> None:
    assert written.size < MOST
