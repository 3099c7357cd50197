import dataclasses
import json

import pytest
import torch

from capsnet import CapsNet, CapsNetConfig, margin_loss, save_checkpoint
from capsnet.evaluate import evaluate, main

TINY = CapsNetConfig(
    conv_channels=4, primary_types=2, primary_dim=3, digit_dim=4, decoder_hidden=(5, 6)
)


@pytest.fixture
def tiny():
    torch.manual_seed(0)
    return CapsNet(TINY).eval().requires_grad_(False)


def test_it_counts_what_the_network_says_image_by_image(tiny, test_digits, images):
    result = evaluate(tiny, test_digits, batch_size=70)
    out = tiny(images)
    verdicts = out.lengths.argmax(1)
    wrong = int((verdicts != test_digits.labels).sum())
    assert (result.errors, result.count, result.iterations) == (wrong, 300, 3)
    assert result.error_percent == pytest.approx(100 * wrong / 300)
    for label, verdict in zip(test_digits.labels.tolist()[:50], verdicts.tolist(), strict=False):
        assert result.confusion[label][verdict] > 0
    assert sum(map(sum, result.confusion)) == 300
    assert result.margin_loss == pytest.approx(
        float(margin_loss(out.lengths, test_digits.labels)), rel=1e-4
    )
    squared = (tiny.decode(out.poses) - images).square().sum() / 300
    assert result.reconstruction_sse == pytest.approx(float(squared), rel=1e-4)


def test_the_command_line_prints_one_json_object(tiny, tmp_path, mnist_root, capsys):
    file = tmp_path / "tiny.safetensors"
    save_checkpoint(file, tiny)
    given = [str(file), "--dataset", "mnist", "--data-dir", str(mnist_root), "--device", "cpu"]
    assert main([*given, "--json", "--iterations", "5"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert set(result) == {
        "error_percent",
        "errors",
        "count",
        "margin_loss",
        "reconstruction_sse",
        "iterations",
        "confusion",
    }
    assert result["iterations"] == 5
    assert main(given) == 0
    assert "300" in capsys.readouterr().out


def test_bad_input_gives_one_clear_line(tmp_path, capsys):
    assert main([str(tmp_path / "none.safetensors")]) == 1
    message = capsys.readouterr().err
    assert "does not exist" in message
    assert len(message.strip().splitlines()) == 1


def test_a_network_for_other_images_is_refused_in_words(tmp_path, mnist_root, capsys):
    file = tmp_path / "other.safetensors"
    save_checkpoint(file, CapsNet(dataclasses.replace(TINY, classes=5)))
    assert main([str(file), "--data-dir", str(mnist_root), "--device", "cpu"]) == 1
    assert "5 classes of 28 × 28 images in 1 channels, not for MNIST" in capsys.readouterr().err


def test_pen_digits_of_the_last_writers_alone_can_be_measured(tiny, tmp_path, pen_folder, capsys):
    file = tmp_path / "tiny.safetensors"
    save_checkpoint(file, tiny)
    given = [str(file), "--dataset", "pendigits", "--data-dir", str(pen_folder), "--json"]
    for more, count in (([], 5), (["--hold-out", "1"], 2)):
        assert main([*given, *more, "--device", "cpu"]) == 0
        assert json.loads(capsys.readouterr().out)["count"] == count


def test_mnist_has_no_writers_to_hold_out(capsys):
    with pytest.raises(SystemExit):
        main(["x", "--hold-out", "1"])
    assert "--hold-out is about writers" in capsys.readouterr().err


def test_no_iterations_are_refused(capsys):
    with pytest.raises(SystemExit):
        main(["x", "--iterations", "0"])
    assert "argument --iterations: must be at least 1" in capsys.readouterr().err
