"""The lines of Python that the Route view shows: they are run, and compute what is on screen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

import capsnet
from app import links, reproduce, samples
from app.inputs import Input
from app.reproduce import Shown
from capsnet.analysis.couplings import coupling_maps
from capsnet.analysis.export import trace_file
from capsnet.analysis.knockout import Cut, route_without
from capsnet.data import LabelledImages
from capsnet.preprocess import from_image
from capsnet.preprocessing.drawing import from_strokes
from tests.app.test_links import SEVEN, wandering

REPOSITORY = Path(capsnet.__file__).parents[1]
SHOWN = Shown("mnist.safetensors", "capsnet-routing-it.npz", 4, 3, 7, tuple("0123456789"), "mnist")
SHELF = samples.load()
WINDING = [wandering(120, 30)]


def run(lines: str) -> dict[str, Any]:
    """What the lines leave behind."""
    left: dict[str, Any] = {}
    exec(compile(lines, "lines", "exec"), left)
    return left


@pytest.fixture(autouse=True)
def in_a_clone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the lines are meant to run, with an MNIST test set of which only the shelf is real."""
    monkeypatch.chdir(REPOSITORY)
    images = torch.zeros(10_000, 28, 28, dtype=torch.uint8)
    images[torch.from_numpy(SHELF.indices)] = torch.from_numpy(SHELF.images)
    digits = LabelledImages(images, torch.zeros(10_000, dtype=torch.int64))
    sets = {"mnist": digits}
    monkeypatch.setattr("capsnet.data.load_dataset", lambda name, data_dir, *, train: sets[name])


def sample(place: int = 3) -> Input:
    image = SHELF.images[place].astype(np.float32)[None, None] / np.float32(255)
    index = int(SHELF.indices[place])
    return Input("sample", image, f"MNIST test image {index}", sample=index)


def drawing(strokes: list[list[list[int]]]) -> Input:
    return Input("strokes", from_strokes(strokes).numpy(), "your drawing", strokes=strokes)


@pytest.mark.parametrize(
    "given", [sample(), drawing(SEVEN), drawing(WINDING)], ids=["sample", "short", "long"]
)
def test_the_lines_compute_the_trace_that_is_on_screen(given: Input) -> None:
    left = run(reproduce.lines(given, SHOWN))
    model = capsnet.load_checkpoint("checkpoints/mnist.safetensors")
    expected = model.trace(torch.from_numpy(given.image), iterations=4)
    assert torch.equal(left["images"], torch.from_numpy(given.image))
    for name in ("primary", "votes", "logits", "couplings", "agreements", "poses", "lengths"):
        torch.testing.assert_close(getattr(left["trace"], name), getattr(expected, name))
    maps = coupling_maps(expected.couplings[:, 0], expected.votes[0], weighted=True)
    np.testing.assert_allclose(left["maps"][left["t"], left["j"]], maps[2, 7], rtol=1e-5)


def test_they_print_lengths_map_and_capsule(capsys: pytest.CaptureFixture[str]) -> None:
    shown = replace(SHOWN, network="digits.safetensors", weighted=False, capsule=417)
    left = run(reproduce.lines(sample(), shown))
    printed = capsys.readouterr().out
    for values in (
        left["trace"].lengths[2, 0],
        coupling_maps(left["trace"].couplings[:, 0], left["trace"].votes[0], weighted=False)[2, 7],
        left["trace"].couplings[2, 0, 417],
    ):
        assert f"{np.asarray(values).flat[0]:.3f}" in printed


def test_a_cut_is_made_in_them_too() -> None:
    shown = replace(SHOWN, iterations=3, cut="p14.t3")
    left = run(reproduce.lines(sample(), shown))
    trace, config = left["trace"], left["model"].config
    silenced = Cut.parse("p14.t3").mask(config)
    expected = route_without(trace.primary[0], trace.votes[0], silenced, 3)
    torch.testing.assert_close(left["without"].lengths, expected.lengths)
    assert not torch.equal(left["without"].lengths, trace.lengths)


def test_a_blank_pad_is_a_blank_image() -> None:
    blank = Input("strokes", np.zeros((1, 1, 28, 28), np.float32), "your drawing")
    assert not run(reproduce.lines(blank, SHOWN))["images"].any()


def test_a_sample_of_a_set_without_a_name_comes_from_the_saved_trace() -> None:
    lines = reproduce.lines(sample(), replace(SHOWN, dataset=""))
    assert f'np.load("{SHOWN.archive}")["image"]' in lines
    assert "load_dataset" not in lines


def test_a_sample_is_read_from_the_test_set_that_it_is_of() -> None:
    lines = reproduce.lines(sample(), replace(SHOWN, dataset="fashion-mnist"))
    assert 'load_dataset("fashion-mnist", "data", train=False)' in lines


def test_comments_speak_of_classes_where_they_are_no_digits() -> None:
    lines = reproduce.lines(sample(), replace(SHOWN, names=("Sneaker", "Bag"), digit=1))
    assert "class capsule j" in lines
    assert "digit" not in lines


def test_an_upload_that_is_shown_whole_comes_from_the_saved_trace() -> None:
    given = Input("upload", sample().image, "shoe.png")
    lines = reproduce.lines(given, replace(SHOWN, names=("Sneaker", "Bag"), digit=1))
    assert "from_image" not in lines
    assert SHOWN.archive in lines


def test_an_upload_is_read_from_the_visitors_own_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = Image.fromarray(255 - SHELF.images[3]).resize((112, 112))
    picture.save(tmp_path / "it's mine.png")
    (tmp_path / "checkpoints").symlink_to(REPOSITORY / "checkpoints")
    monkeypatch.chdir(tmp_path)
    image = from_image(picture).numpy()
    left = run(reproduce.lines(Input("upload", image, "it's mine.png"), SHOWN))
    np.testing.assert_array_equal(left["images"], image)


def test_a_drawing_of_a_thousand_points_comes_from_the_saved_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = drawing([wandering(3000, 14)])
    assert links.shorten(given.strokes)[1] > 0
    lines = reproduce.lines(given, SHOWN)
    assert len(lines) < 2000
    model = capsnet.load_checkpoint("checkpoints/mnist.safetensors")
    trace = model.trace(torch.from_numpy(given.image), iterations=1)
    names = ("primary", "votes", "logits", "couplings", "agreements", "poses", "lengths")
    still = ("primary", "votes")
    arrays = {n: getattr(trace, n)[0] if n in still else getattr(trace, n)[:, 0] for n in names}
    (tmp_path / "checkpoints").symlink_to(REPOSITORY / "checkpoints")
    saved = trace_file(arrays, given.image, model.config, model.class_names)
    (tmp_path / SHOWN.archive).write_bytes(saved)
    monkeypatch.chdir(tmp_path)
    np.testing.assert_array_equal(run(lines)["images"], given.image)


@pytest.mark.parametrize(
    "given", [sample(), drawing(SEVEN), drawing(WINDING)], ids=["sample", "short", "long"]
)
def test_no_line_is_too_long_to_read(given: Input) -> None:
    assert max(map(len, reproduce.lines(given, SHOWN).splitlines())) <= 100
