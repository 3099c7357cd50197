"""Training on other sets than MNIST, and what that leaves in the checkpoint."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from capsnet import load_checkpoint
from capsnet.checkpoint import read_metadata
from capsnet.data import load_dataset
from capsnet.train import main
from capsnet.training.options import parse

SMALL = ["--conv-channels", "8", "--primary-types", "2", "--primary-dim", "4", "--digit-dim", "4"]
SMALL += ["--decoder-hidden", "16", "16", "--batch-size", "50", "--epochs", "1", "--device", "cpu"]


def test_a_network_of_clothes_knows_their_names_and_brings_some_along(tmp_path, fashion_root):
    out = tmp_path / "clothes.safetensors"
    given = ["--dataset", "fashion-mnist", "--data-dir", str(fashion_root), "--limit", "100"]
    assert main([*given, *SMALL, "--out", str(out)]) == 0
    model, data = load_checkpoint(out), load_dataset("fashion-mnist", fashion_root, train=False)
    assert model.class_names == data.class_names
    assert model.class_names[0] == "T-shirt/top"
    assert model.metrics["data"] == read_metadata(out)["data"] == "Fashion-MNIST"
    assert model.metrics["count"] == 100
    samples = model.samples
    assert np.array_equal(samples.images, data.images[samples.indices])
    assert samples.labels.tolist() == data.labels[samples.indices].tolist()
    assert samples.indices.max() < 100
    verdicts = model(data.images[samples.indices][:, None].float() / 255).lengths.argmax(1).numpy()
    assert (verdicts == samples.labels)[~samples.hard].all()


def test_a_folder_of_images_decides_how_many_classes_there_are(tmp_path, mnist_slice):
    for k in range(60):
        inside = tmp_path / "shapes" / "abc"[k % 3]
        inside.mkdir(parents=True, exist_ok=True)
        Image.fromarray(mnist_slice["train_images"][k]).save(inside / f"{k}.png")
    out = tmp_path / "x.safetensors"
    given = ["--dataset", str(tmp_path / "shapes"), "--validation", "9", "--out", str(out)]
    assert main([*given, *SMALL]) == 0
    model = load_checkpoint(out)
    assert model.config.classes == 3
    assert model.class_names == ("a", "b", "c")
    assert model.metrics["data"] == read_metadata(out)["data"] == "shapes"
    assert [sum(row) for row in model.metrics["confusion"]] == [4, 4, 4]
    assert [sum(row) for row in model.metrics["validation"]["confusion"]] == [3, 3, 3]
    assert set(model.samples.labels.tolist()) <= {0, 1, 2}


def test_strokes_of_digits_are_no_clothes(tmp_path, fashion_root, pen_folder, capsys):
    given = ["--dataset", "fashion-mnist", "--data-dir", str(fashion_root)]
    given += [
        "--strokes",
        str(pen_folder),
        "--hold-out",
        "1",
        "--out",
        str(tmp_path / "x.safetensors"),
    ]
    assert main([*given, *SMALL]) == 1
    message = capsys.readouterr().err
    assert "--strokes adds pen digits, and Fashion-MNIST shows T-shirt/top" in message
    assert len(message.strip().splitlines()) == 1


def test_a_set_that_is_none_is_answered_in_one_line(tmp_path, capsys):
    given = ["--dataset", "mnits", "--out", str(tmp_path / "x.safetensors")]
    assert main([*given, *SMALL]) == 1
    message = capsys.readouterr().err
    assert "no data set 'mnits'" in message
    assert len(message.strip().splitlines()) == 1


def test_another_set_does_not_go_on_where_one_stopped(tmp_path, mnist_root, fashion_root, capsys):
    out = ["--data-dir", str(mnist_root), "--out", str(tmp_path / "x.safetensors")]
    few = ["--limit", "50", *SMALL]
    assert main([*few, *out]) == 0
    capsys.readouterr()
    assert main([*few, *out, "--dataset", "fashion-mnist", "--resume"]) == 1
    assert "another data (MNIST instead of Fashion-MNIST)" in capsys.readouterr().err
    assert main([*few, *out, "--resume"]) == 0


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ([], "mnist"),
        (["--dataset", "kmnist"], "kmnist"),
        (["--dataset", "pictures/shapes/"], "shapes"),
        (["--dataset", "kmnist", "--out", "elsewhere/x.safetensors"], "x"),
    ],
)
def test_the_checkpoint_is_called_after_its_set(given, name):
    folder = "elsewhere" if "--out" in given else "checkpoints"
    assert parse(given).out == Path(folder) / f"{name}.safetensors"


def test_a_run_does_not_go_on_with_classes_of_other_names(tmp_path, mnist_slice, capsys):
    for folder, names in (("one", "abc"), ("two", "abd")):
        for k in range(60):
            inside = tmp_path / folder / "shapes" / names[k % 3]
            inside.mkdir(parents=True, exist_ok=True)
            Image.fromarray(mnist_slice["train_images"][k]).save(inside / f"{k}.png")
    out = tmp_path / "x.safetensors"
    first, second = (
        ["--dataset", str(tmp_path / folder / "shapes"), "--out", str(out), *SMALL, "--resume"]
        for folder in ("one", "two")
    )
    assert main(first) == 0
    before = out.read_bytes()
    assert main(second) == 1
    assert "another classes (['a', 'b', 'c'] instead of ['a', 'b', 'd'])" in capsys.readouterr().err
    assert out.read_bytes() == before
    assert main(first) == 0  # done already


@pytest.mark.parametrize("name", ["x.resume.safetensors", ".safetensors"])
def test_a_checkpoint_is_not_written_over_a_resume_state(tmp_path, mnist_root, name, capsys):
    given = ["--data-dir", str(mnist_root), *SMALL, "--out", str(tmp_path / name)]
    assert main(given) == 1
    assert f"--out cannot be '{name}'" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.safetensors"))
