import json
import sys

import pytest
import torch

from capsnet import CapsNet, CapsNetConfig, load_checkpoint, save_checkpoint
from capsnet.checkpoint import read_metadata, read_tensors
from capsnet.data import DataError
from capsnet.measure import main, measure
from capsnet.non_digits import LETTERS, _letter, non_digits

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
    measured = measure(tiny, test_digits, test_digits.take(100))
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
    save_checkpoint(file, tiny)
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


def test_bad_input_gives_one_clear_line(tmp_path, mnist_root, capsys):
    assert main([str(tmp_path / "none.safetensors"), "--data-dir", str(mnist_root)]) == 1
    message = capsys.readouterr().err
    assert "does not exist" in message
    assert len(message.strip().splitlines()) == 1
