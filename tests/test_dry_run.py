import re

import pytest
import torch

from capsnet import CapsNetConfig
from capsnet.data import LabelledImages
from capsnet.train import main
from capsnet.training.dry_run import (
    Measured,
    columns,
    counting,
    duration,
    load_at_hand,
    measure,
    report,
)
from capsnet.training.recipe import Recipe, TrainingData

SMALL = ["--conv-channels", "4", "--primary-types", "2", "--device", "cpu", "--batch-size", "32"]
TINY = CapsNetConfig(conv_channels=4, primary_types=2, primary_dim=3, digit_dim=4)


@pytest.fixture
def data(mnist_slice):
    digits = LabelledImages(
        torch.from_numpy(mnist_slice["train_images"]),
        torch.from_numpy(mnist_slice["train_labels"]).long(),
        name="MNIST",
    )
    return TrainingData(digits.take(100), digits.take(50), validation=digits.take(30))


def test_what_a_step_keeps_is_counted_without_the_weights():
    model = torch.nn.Linear(1000, 10)
    x = torch.zeros(7, 1000)
    with counting(model) as kept:
        model(x).square().sum().backward()
    # The input, 7 × 1000, and the output, 7 × 10, in float32; the weights of 1000 × 10 are not.
    assert sum(kept.values()) == 4 * (7 * 1000 + 7 * 10)


def test_a_few_steps_are_measured_and_the_data_stay(data):
    before = data.images.images.clone()
    measured = measure(TINY, Recipe(batch_size=20), data, torch.device("cpu"))
    assert measured.steps == 5
    assert measured.trained > 0
    assert measured.tested > 0
    assert measured.redrawn is None
    assert measured.kept > 4 * 20 * 784  # the images, at least
    assert torch.equal(data.images.images, before)


def test_the_time_of_the_run_follows_from_what_was_measured(data):
    measured = Measured(steps=5, trained=10.0, tested=20.0, redrawn=None, kept=2_000_000, peak=None)
    told = report(TINY, Recipe(epochs=3), data, measured, "cpu")
    # 100 images at 10 a second, 50 + 30 to test on at 20.
    assert re.search(r"an epoch +14\.0 s +100 images, and 80 to test on", told)
    assert re.search(r"the run +42\.0 s +3 epochs", told)
    assert re.search(r"activations of a batch of 128 +2\.0 MB +measured", told)
    assert "peak" not in told


def test_it_prints_what_to_expect_and_writes_nothing(mnist_root, tmp_path, capfd):
    out = tmp_path / "made" / "x.safetensors"
    given = ["--dry-run", "--data-dir", str(mnist_root), "--device", "cpu", "--out", str(out)]
    before = sorted(tmp_path.rglob("*"))
    given += ["--batch-size", "4", "--limit", "40", "--logdir", str(tmp_path / "log")]
    assert main(given) == 0
    shown = capfd.readouterr()
    for words in ("8,215,568", "1152 × 10 × 16", "images/s", "Adam", "with MNIST", "131.4 MB"):
        assert words in shown.out
    assert "epoch 1" not in shown.err
    assert sorted(tmp_path.rglob("*")) == before


def test_without_the_data_random_pixels_are_timed_and_nothing_is_downloaded(
    tmp_path, monkeypatch, capsys
):
    def refuse(*arguments, **settings):
        raise AssertionError("downloads")

    monkeypatch.setattr("torchvision.datasets.MNIST.download", refuse)
    given = ["--dry-run", "--data-dir", str(tmp_path / "nowhere"), *SMALL, "--no-decoder"]
    assert main(given) == 0
    shown = capsys.readouterr().out
    assert "random pixels" in shown
    assert "60,000 images, and 10,000 to test on" in shown
    assert not (tmp_path / "nowhere").exists()


def test_sets_of_other_sizes_are_expected_as_large_as_they_are(tmp_path):
    digits = load_at_hand("emnist-digits", tmp_path, train=False)
    assert digits.images.shape == (40_000, 28, 28)
    assert len(load_at_hand("kmnist", tmp_path, train=True)) == 60_000


def test_pen_digits_count_with_the_time_to_draw_them(mnist_root, pen_folder, capsys):
    given = ["--dry-run", "--data-dir", str(mnist_root), "--strokes", str(pen_folder), *SMALL]
    assert main([*given, "--hold-out", "1", "--limit", "40"]) == 0
    shown = capsys.readouterr().out
    assert "pen digits/s" in shown
    assert "46 images, and 42 to test on" in shown  # 40 and 2 × 3; 40 and 2


@pytest.mark.parametrize(
    ("time", "words"),
    [(3.21, "3.2 s"), (59.9, "1 min 00 s"), (61, "1 min 01 s"), (17_220, "4 h 47 min")],
)
def test_times_are_told_in_two_units(time, words):
    assert duration(time) == words


def test_columns_stand_under_each_other():
    assert columns([("a", "1", "x"), ("bb", "22", "")]) == "a    1  x\nbb  22"
