import dataclasses
import json

import pytest
import torch
from PIL import Image

from capsnet import CapsNet, CapsNetConfig, margin_loss, save_checkpoint
from capsnet.checkpoint import Provenance
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
    given = ["--dataset", "mnist", "--data-dir", str(mnist_root), "--device", "cpu"]
    assert main([str(file), *given]) == 1
    assert "5 classes of 28 × 28 images in 1 channels, not for MNIST" in capsys.readouterr().err


CLOTHES = ("T-shirt/top", "Trouser", "Pullover", "Dress", "Coat")
CLOTHES += ("Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot")


def test_by_default_it_is_asked_about_what_it_was_trained_on(
    tmp_path, fashion_root, mnist_root, capsys
):
    file = tmp_path / "clothes.safetensors"
    save_checkpoint(file, CapsNet(TINY, class_names=CLOTHES), Provenance("Fashion-MNIST"))
    given = [str(file), "--data-dir", str(fashion_root), "--device", "cpu"]
    assert main(given) == 0
    shown = capsys.readouterr().out
    assert "of 300)" in shown
    assert "\n9 Ankle boot" in shown
    assert main([*given, "--dataset", "mnist"]) == 1
    message = capsys.readouterr().err
    assert "knows T-shirt/top, Trouser" in message
    assert "not what MNIST shows: 0, 1, 2" in message
    assert len(message.strip().splitlines()) == 1


def test_a_checkpoint_that_does_not_tell_its_data_is_asked_for_it(tiny, tmp_path, capsys):
    file = tmp_path / "tiny.safetensors"
    for provenance, told in ((None, "does not tell"), (Provenance("shapes"), "images in 'shapes'")):
        save_checkpoint(file, tiny, provenance)
        assert main([str(file), "--device", "cpu"]) == 1
        message = capsys.readouterr().err
        assert told in message
        assert "--dataset" in message
        assert len(message.strip().splitlines()) == 1


def test_a_folder_of_images_is_a_test_set(tmp_path, test_digits, capsys):
    for k in range(30):
        inside = tmp_path / "shapes" / f"class {k % 3}"
        inside.mkdir(parents=True, exist_ok=True)
        Image.fromarray(test_digits.images[k].numpy()).save(inside / f"{k}.png")
    names = ("class 0", "class 1", "class 2")
    model = CapsNet(dataclasses.replace(TINY, classes=3), class_names=names)
    file = tmp_path / "shapes.safetensors"
    save_checkpoint(file, model, Provenance("shapes"))
    given = [str(file), "--dataset", str(tmp_path / "shapes"), "--device", "cpu", "--json"]
    assert main(given) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["count"] == 6  # the first and the seventh of ten
    assert [sum(row) for row in result["confusion"]] == [2, 2, 2]


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


def test_without_a_decoder_there_is_no_reconstruction_to_measure(tmp_path, mnist_root, capsys):
    file = tmp_path / "bare.safetensors"
    save_checkpoint(file, CapsNet(dataclasses.replace(TINY, decoder_hidden=None)))
    given = [str(file), "--dataset", "mnist", "--data-dir", str(mnist_root), "--device", "cpu"]
    assert main([*given, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["reconstruction_sse"] is None
    assert result["count"] == 300
    assert main(given) == 0
    assert "no decoder" in capsys.readouterr().out
