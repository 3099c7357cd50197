"""Which network the app looks through, and when its verdict is sure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import capsnet
from app import networks, samples
from app.inputs import Doubt, Reading
from capsnet.checkpoint import Provenance
from tests.app.visit import open_app, sent_to

MNIST = networks.REPOSITORY / "checkpoints" / "mnist.safetensors"
ALONE = "MNIST alone, as in the paper (0.43 % test error)"
BOTH = "MNIST and pen strokes (0.30 % test error)"
DOUBT = {
    "length": 0.98,
    "margin": 0.25,
    "rates": {"mnist": {"sure": 0.993, "sure_and_wrong": 0.001}, "non_digits": {"sure": 0.05}},
}


def save_changed(path: Path, **metrics: Any) -> None:
    """A checkpoint whose decoder draws darker than the bundled network's."""
    model = capsnet.load_checkpoint(MNIST)
    last = [layer for layer in model.decoder if isinstance(layer, torch.nn.Linear)][-1]
    last.bias.add_(1)
    model.metrics.update(metrics)
    capsnet.save_checkpoint(path, model, Provenance("MNIST and pen strokes of 30 writers"))


@pytest.fixture(scope="module")
def two_networks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two checkpoints, a training's state, and something else."""
    folder = tmp_path_factory.mktemp("checkpoints")
    save_changed(folder / "digits.safetensors", error_percent=0.3, doubt=DOUBT)
    (folder / "mnist.safetensors").write_bytes(MNIST.read_bytes())
    (folder / "mnist.resume.safetensors").write_bytes(b"no network")
    (folder / "README.md").write_text("no network either")
    return folder


@pytest.fixture
def two(two_networks: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The app finds both networks."""
    monkeypatch.setenv(networks.CHECKPOINT_VARIABLE, str(two_networks))
    return two_networks


def reading_of(lengths: list[float], doubt: Doubt | None = None) -> Reading:
    names = tuple("0123456789")
    poses, rebuilt = np.zeros((10, 16), np.float32), np.zeros((2, 28, 28), np.float32)
    doubt = doubt or Doubt()
    return Reading(np.array(lengths, np.float32), poses, rebuilt, (0, 0), names, doubt)


# --- not sure ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lengths", "words"),
    [
        ([0, 0, 0, 0, 0.1, 0, 0, 0.94, 0, 0.2], "reads 7, length 0.94"),
        ([0, 0, 0, 0, 0.8, 0, 0, 0.1, 0, 0.78], "not sure: 4 or 9"),
        ([0, 0, 0, 0, 0.8, 0, 0, 0.1, 0, 0.8], "not sure: 4 or 9"),
        ([0, 0, 0, 0, 0.3, 0, 0, 0.1, 0, 0], "not sure: no capsule is long enough, 4 is the"),
    ],
)
def test_the_verdict_says_when_it_is_not_sure(lengths: list[float], words: str) -> None:
    answer = reading_of(lengths)
    assert answer.words.startswith(words)
    assert answer.sure == words.startswith("reads")


def test_the_thresholds_are_those_of_the_checkpoint() -> None:
    doubt = Doubt.measured({"doubt": DOUBT})
    lengths = [0, 0, 0, 0, 0.3, 0, 0, 0.97, 0, 0.0]
    assert reading_of(lengths).sure
    assert not reading_of(lengths, doubt).sure
    assert "sure of 99.3 % of the MNIST digits (0.1 % wrongly), 5 %" in doubt.origin


@pytest.mark.parametrize(
    "stored",
    [None, [], {}, {"length": 0.6}, {"length": "0.6", "margin": 0.2}, {"length": 7, "margin": 0.2}],
)
def test_a_checkpoint_without_usable_thresholds_gets_the_defaults(stored: object) -> None:
    assert Doubt.measured({"doubt": stored}) == Doubt()
    assert "has not been measured with this network" in Doubt().origin


def test_in_doubt_both_candidates_are_rebuilt(two: Path) -> None:
    app = open_app()
    given = sent_to(app, "reading")
    assert given["short"] and not given["sure"]  # no length of 0.98 is reached
    assert given["doubt"]["length"] == DOUBT["length"]
    assert given["digit"] != given["second"]
    assert given["errors"][0] < given["errors"][1]
    header = sent_to(open_app("views/route.py"), "header")
    assert header["words"] == given["words"]
    assert not header["sure"]


# --- which network ----------------------------------------------------------------------------


def test_the_app_opens_with_the_first_network_and_offers_the_others(two: Path) -> None:
    app = open_app()
    assert not app.exception and not app.warning
    assert app.selectbox[0].options == [BOTH, ALONE]
    assert app.selectbox[0].value == "digits"
    assert "network" not in app.query_params


def test_only_the_papers_network_is_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = capsnet.CapsNet(capsnet.CapsNetConfig(conv_channels=4, primary_types=2, iterations=1))
    small.metrics = {"error_percent": 12.0}
    for name, model in (("small", small), ("whole", capsnet.load_checkpoint(MNIST))):
        capsnet.save_checkpoint(tmp_path / f"{name}.safetensors", model, Provenance("MNIST"))
    monkeypatch.setenv(networks.CHECKPOINT_VARIABLE, str(tmp_path))
    assert [offer.title for offer in networks.offers()] == ["MNIST (12.00 % test error)", ALONE]


def test_a_chosen_network_answers_on_every_page_and_is_in_the_link(two: Path) -> None:
    app = open_app()
    before = sent_to(app, "reading")["reconstructions"]
    app.selectbox[0].select("mnist").run()
    assert sent_to(app, "reading")["reconstructions"] != before
    assert app.query_params["network"] in ("mnist", ["mnist"])
    for page in ("views/route.py", "views/rebuild.py"):
        app.switch_page(page).run()
        assert app.selectbox[0].value == "mnist"
        assert sent_to(app, "header")["sure"]
    app.selectbox[0].select("digits").run()
    assert "network" not in app.query_params
    assert not sent_to(app, "header")["sure"]


def test_a_link_names_the_network(two: Path) -> None:
    app = open_app(network="mnist")
    assert app.selectbox[0].value == "mnist"
    assert sent_to(app, "reading")["sure"]


@pytest.mark.parametrize("name", ["mnist.resume", "../mnist", "nonsense", "9" * 5000])
def test_a_link_with_an_unknown_network_is_noted(two: Path, name: str) -> None:
    app = open_app(network=name)
    assert not app.exception
    assert f"names a network that is not here; this is {BOTH}" in app.warning[0].value
    assert "network" not in app.query_params
    assert app.selectbox[0].value == "digits"


def test_a_broken_network_is_named_and_another_one_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "digits.safetensors").write_bytes(b"half a file")
    (tmp_path / "mnist.safetensors").write_bytes(MNIST.read_bytes())
    monkeypatch.setenv(networks.CHECKPOINT_VARIABLE, str(tmp_path))
    app = open_app(network="digits")
    assert not app.exception
    said = app.warning[0].value
    assert "Not offered: digits.safetensors is not a readable safetensors file" in said
    assert str(tmp_path) not in said
    assert sent_to(app, "reading")["sure"]
    assert not app.selectbox


def test_a_network_whose_weights_are_broken_is_found_out_when_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = capsnet.CapsNetConfig(
        image_size=32, conv_channels=2, primary_types=1, digit_dim=2, decoder_hidden=(2, 2)
    )
    capsnet.save_checkpoint(tmp_path / "digits.safetensors", capsnet.CapsNet(other))
    (tmp_path / "mnist.safetensors").write_bytes(MNIST.read_bytes())
    monkeypatch.setenv(networks.CHECKPOINT_VARIABLE, str(tmp_path))
    app = open_app()
    assert not app.exception
    assert "takes images of 32 × 32 pixels" in app.warning[0].value
    assert sent_to(app, "reading")["sure"]


@pytest.mark.parametrize("content", [None, b"not a checkpoint"])
def test_without_any_network_the_page_explains_how_to_make_one(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "network.safetensors"
    if content is not None:
        path.write_bytes(content)
    monkeypatch.setenv(networks.CHECKPOINT_VARIABLE, str(path))
    app = open_app()
    assert not app.exception
    assert str(path) in app.error[0].value
    assert app.code[0].value.startswith("python -m capsnet.train --dataset mnist")
    assert not app.get("bidi_component")


def test_an_empty_folder_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(networks.CHECKPOINT_VARIABLE, str(tmp_path))
    app = open_app()
    assert not app.exception
    assert f"There is no checkpoint in {tmp_path}" in app.error[0].value


def test_a_network_that_was_loaded_goes_on_when_its_file_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.safetensors"
    copy.write_bytes(MNIST.read_bytes())
    monkeypatch.setenv(networks.CHECKPOINT_VARIABLE, str(copy))
    app = open_app()
    words = sent_to(app, "reading")["words"]
    copy.write_bytes(b"half a file")
    assert sent_to(app.run(), "reading")["words"] == words
    copy.unlink()
    app.run()
    assert not app.exception
    assert sent_to(app, "reading")["words"] == words


# --- the shelf --------------------------------------------------------------------------------


def test_the_shelf_holds_every_digit_three_times_and_hard_ones_of_every_digit() -> None:
    shelf = samples.load()
    assert sorted(shelf.labels[~shelf.hard]) == sorted([*range(10)] * 3)
    assert set(shelf.labels[shelf.hard]) == set(range(10))
    assert shelf.place(shelf.opening) is not None
    assert len(set(shelf.indices)) == len(shelf.images) == 42


def test_the_shelf_tells_what_the_network_in_use_misreads() -> None:
    given = sent_to(open_app(network="mnist"), "shelf")
    wrong = [
        hard
        for hard, read, label in zip(given["hard"], given["verdicts"], given["labels"], strict=True)
        if read != label
    ]
    assert len(wrong) >= 6
    assert all(wrong)
