"""What the card says of networks of other sets, and of those without a decoder."""

import dataclasses

import pytest

from capsnet import CapsNet, CapsNetConfig, save_checkpoint
from capsnet.checkpoint import Provenance
from capsnet.model_card import model_card
from capsnet.training.recipe import Recipe

TINY = CapsNetConfig(
    conv_channels=4, primary_types=2, primary_dim=3, digit_dim=4, decoder_hidden=(5, 6), classes=3
)
SETTINGS = dataclasses.asdict(Recipe(epochs=1))


def evaluation(errors=1, sse=20.0):
    return {
        "error_percent": 10.0 * errors,
        "errors": errors,
        "count": 10,
        "margin_loss": 0.1,
        "reconstruction_sse": sse,
        "iterations": 3,
        "confusion": [[4, errors, 0], [0, 3 - errors, 0], [0, 0, 3]],
    }


def checkpoint(tmp_path, name, names, data, *, sse=20.0, settings=SETTINGS, **more):
    """A checkpoint of three classes that tells of a training of one epoch."""
    sets = {"test": evaluation(sse=sse), **{k: v for k, v in more.items() if k != "doubt"}}
    line = {"epoch": 1, "train": {"loss": 0.5, "error_percent": 5.0}, "images_per_second": 99}
    metrics = {**sets["test"], "data": data.split(" and ")[0], "history": [line | sets], **more}
    config = TINY if sse is not None else dataclasses.replace(TINY, decoder_hidden=None)
    path = tmp_path / name
    model = CapsNet(config, class_names=names, metrics=metrics)
    save_checkpoint(path, model, Provenance(data, "1", "python -m capsnet.train", settings))
    return path


@pytest.fixture
def shapes(tmp_path):
    doubt = {"length": 0.5, "margin": 0.1}
    doubt["rates"] = {"test": {"count": 5, "sure": 0.9, "sure_and_wrong": 0.02}}
    names = ("round", "square", "oval")
    return checkpoint(tmp_path, "shapes.safetensors", names, "Fashion-MNIST", doubt=doubt)


def test_of_another_set_it_speaks_of_nothing_that_the_network_has_not_seen(shapes):
    card = model_card([shapes])
    for words in (
        "shapes.safetensors, Fashion-MNIST",
        "| round, % | 20.00 |",
        "| **square** | 0 |",
    ):
        assert words in card
    assert "| test images, sure and wrong | 2.00 % |" in card
    assert "leave the fewest mistakes on the test images sure" in card
    assert "R. Vollgraf" in card
    for words in ("pen strokes", "Pen strokes", "letters", "LeCun", "crossed sevens", "One digit"):
        assert words not in card


def test_networks_of_other_classes_have_a_table_of_their_own(shapes, tmp_path):
    other = checkpoint(tmp_path, "abc.safetensors", ("a", "b", "c"), "letters")
    card = model_card([shapes, other])
    assert "| error | shapes.safetensors, Fashion-MNIST |\n" in card
    assert "| error | abc.safetensors, letters |\n" in card
    alike = checkpoint(tmp_path, "more.safetensors", ("a", "b", "c"), "letters")
    card = model_card([other, alike])
    assert "| error | abc.safetensors, letters | more.safetensors, letters |\n" in card


def test_the_validation_error_stands_beside_the_test_error(tmp_path):
    made = checkpoint(
        tmp_path, "x.safetensors", ("a", "b", "c"), "letters", validation=evaluation(2)
    )
    card = model_card([made])
    assert "| error | x.safetensors, letters | x.safetensors, validation |" in card
    assert "| all, % | **10.00** | **20.00** |" in card
    assert "| validation error | **20.00 %** (2 of 10 held-out images), r = 3 |" in card
    assert "test error % | validation error % |" in card
    assert "choices that the test images must not make" in card


def test_without_a_decoder_nothing_is_said_of_reconstructions(tmp_path):
    card = model_card([checkpoint(tmp_path, "x.safetensors", ("a", "b", "c"), "letters", sse=None)])
    assert "| reconstruction | none: the network has no decoder |" in card
    assert "test squared error" not in card


def test_the_recipe_is_told_as_it_was(tmp_path):
    changed = SETTINGS | {"full_gradient": True, "elastic": 1.5}
    card = model_card(
        [checkpoint(tmp_path, "x.safetensors", ("a", "b", "c"), "letters", settings=changed)]
    )
    assert "bent by up to 1.5 px; moving average" in card
    assert "gradient through all routing iterations." in card
