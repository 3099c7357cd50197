import json
import sys

import pytest
import torch

from capsnet import CapsNet, CapsNetConfig, load_checkpoint, save_checkpoint
from capsnet.analysis.doubt import choose_doubt
from capsnet.checkpoint import Provenance, read_metadata, read_tensors
from capsnet.data import DataError, load_dataset
from capsnet.datasets.non_digits import LETTERS, _letter, non_digits
from capsnet.evaluate import lengths_of
from capsnet.measure import main, measure_digits, measure_others

TINY = CapsNetConfig(
    conv_channels=4, primary_types=2, primary_dim=3, digit_dim=4, decoder_hidden=(5, 6)
)


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setattr("capsnet.measure.NON_DIGITS", 20)
    torch.manual_seed(0)
    return CapsNet(TINY, metrics={"error_percent": 12.0}).eval().requires_grad_(False)


def test_letters_and_scribbles_are_drawn_as_digits_are_and_the_same_each_time():
    first, again, other = non_digits(30), non_digits(30), non_digits(30, seed=1)
    assert set(first) == {"letters", "scribbles"}
    for name, images in first.items():
        assert images.shape == (30, 28, 28)
        assert images.dtype == torch.uint8
        assert torch.equal(images, again[name])
        assert not torch.equal(images, other[name])
        assert (images.flatten(1).max(dim=1).values > 200).all()
        assert len({image.numpy().tobytes() for image in images}) == 30


def test_no_letter_is_one_that_looks_like_a_digit():
    assert not set(LETTERS) & set("BbDGgIilOoQqSsZz")
    assert len(_letter("futural", "A")) == 3  # two legs and a bar


def test_without_the_fonts_it_says_what_to_install(monkeypatch):
    _letter.cache_clear()
    monkeypatch.setitem(sys.modules, "HersheyFonts", None)
    with pytest.raises(DataError, match="pip install Hershey-Fonts"):
        non_digits(1)


def test_measuring_tells_the_thresholds_and_what_they_do(tiny, test_digits):
    measured = measure_digits(tiny, test_digits, test_digits.take(100))
    assert measured["pen"]["count"] == 100
    doubt = measured["doubt"]
    assert 0 <= doubt["length"] < 1
    assert 0 <= doubt["margin"] < 1
    assert set(doubt["rates"]) == {"mnist", "pen", "non_digits", "letters", "scribbles"}
    assert doubt["rates"]["mnist"]["count"] == 150  # every other one: not those it was chosen on
    assert doubt["rates"]["non_digits"]["count"] == 20


def test_a_measured_file_keeps_its_weights_and_gains_metrics(
    tiny, tmp_path, mnist_root, pen_folder, capsys
):
    file = tmp_path / "tiny.safetensors"
    save_checkpoint(file, tiny, Provenance("MNIST"))
    before, described = read_tensors(file)
    given = ["--data-dir", str(mnist_root), "--strokes", str(pen_folder), "--hold-out", "1"]
    assert main([str(file), *given, "--device", "cpu"]) == 0
    printed = json.loads(capsys.readouterr().out)
    after, metadata = read_tensors(file)
    assert all(torch.equal(before[name], after[name]) for name in before)
    assert before.keys() == after.keys()
    metrics = load_checkpoint(file).metrics
    assert metrics["error_percent"] == 12.0
    assert metrics["doubt"]["length"] == printed["length"]
    assert metrics["pen"]["count"] == 2
    assert {**metadata, "metrics": None} == {**described, "metrics": None}
    assert read_metadata(file)["format"] == "capsnet-1"


def clothes(tmp_path, fashion_root):
    names = load_dataset("fashion-mnist", fashion_root, train=False).class_names
    torch.manual_seed(0)
    file = tmp_path / "clothes.safetensors"
    save_checkpoint(file, CapsNet(TINY, class_names=names), Provenance("Fashion-MNIST"))
    return file


def test_where_nothing_can_be_said_to_be_in_no_class_mistakes_decide(
    tmp_path, fashion_root, capsys
):
    file = clothes(tmp_path, fashion_root)
    assert main([str(file), "--data-dir", str(fashion_root), "--device", "cpu"]) == 0
    doubt = load_checkpoint(file).metrics["doubt"]
    assert json.loads(capsys.readouterr().out) == doubt
    assert set(doubt["rates"]) == {"test"}
    assert doubt["rates"]["test"]["count"] == 150  # every other one
    data = load_dataset("fashion-mnist", fashion_root, train=False)
    lengths, labels = lengths_of(load_checkpoint(file), data.images).numpy(), data.labels.numpy()
    right = lengths[::2].argmax(axis=1) == labels[::2]
    chosen = choose_doubt([lengths[::2][right]], lengths[::2][~right])
    assert (doubt["length"], doubt["margin"]) == (chosen.length, chosen.margin)


def test_without_mistakes_there_is_nothing_to_choose_by(tiny, test_digits, monkeypatch):
    right = torch.nn.functional.one_hot(test_digits.labels, 10).float()
    monkeypatch.setattr("capsnet.measure.lengths_of", lambda model, images: right)
    assert measure_others(tiny, test_digits) == {}


def test_samples_are_chosen_anew_when_asked_for_and_kept_otherwise(tmp_path, fashion_root, capsys):
    file = clothes(tmp_path, fashion_root)
    given = [str(file), "--data-dir", str(fashion_root), "--device", "cpu"]
    assert main(given) == 0
    assert load_checkpoint(file).samples is None
    assert main([*given, "--samples"]) == 0
    chosen = load_checkpoint(file).samples
    data = load_dataset("fashion-mnist", fashion_root, train=False)
    assert chosen.images.tolist() == data.images[chosen.indices].tolist()
    assert main(given) == 0
    assert load_checkpoint(file).samples.indices.tolist() == chosen.indices.tolist()


def test_pen_strokes_say_nothing_about_clothes(tmp_path, fashion_root, pen_folder, capsys):
    file = clothes(tmp_path, fashion_root)
    given = [str(file), "--data-dir", str(fashion_root), "--strokes", str(pen_folder)]
    assert main([*given, "--device", "cpu"]) == 1
    assert "knows no digits" in capsys.readouterr().err


def test_bad_input_gives_one_clear_line(tmp_path, mnist_root, capsys):
    assert main([str(tmp_path / "none.safetensors"), "--data-dir", str(mnist_root)]) == 1
    message = capsys.readouterr().err
    assert "does not exist" in message
    assert len(message.strip().splitlines()) == 1
