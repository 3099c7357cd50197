import dataclasses
import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from capsnet import CapsNet, CapsNetConfig, CheckpointError, load_checkpoint, save_checkpoint
from capsnet.checkpoint import Provenance, read_metadata
from capsnet.data import DataError, LabelledImages
from capsnet.datasets.pen import PenDigits
from capsnet.train import TrainingError, main, train
from capsnet.training.recipe import Recipe, TrainingData, batches, learning_rate
from capsnet.training.resume import resume_path

PEN_STROKES = Path(__file__).parent / "data" / "pen_strokes.json"
SMALL = CapsNetConfig(
    conv_channels=8, primary_types=2, primary_dim=4, digit_dim=4, decoder_hidden=(16, 16)
)


@pytest.fixture(scope="module")
def digits(mnist_slice):
    return LabelledImages(
        torch.from_numpy(mnist_slice["train_images"][:96]),
        torch.from_numpy(mnist_slice["train_labels"][:96]).long(),
    )


def run(out, digits, epochs=3, resume=False, **recipe):
    return train(
        SMALL,
        Recipe(epochs=epochs, batch_size=32, **recipe),
        TrainingData(digits, digits.take(40)),
        out,
        device=torch.device("cpu"),
        provenance=Provenance("MNIST"),
        resume=resume,
    )


def test_a_few_hundred_digits_teach_the_papers_network(mnist_root, tmp_path, capfd):
    out = tmp_path / "made" / "few.safetensors"
    arguments = [
        "--data-dir",
        str(mnist_root),
        "--epochs",
        "3",
        "--batch-size",
        "25",
        "--device",
        "cpu",
        "--out",
        str(out),
    ]
    assert main(arguments) == 0
    lines = [json.loads(line) for line in out.with_suffix(".jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in lines] == [1, 2, 3]
    assert lines[-1]["train"]["loss"] < 0.5 * lines[0]["train"]["loss"]
    model = load_checkpoint(out)
    assert model.metrics["error_percent"] < 20  # of 300 unseen digits; guessing errs on 90
    assert model.metrics["error_percent"] == lines[-1]["test"]["error_percent"]
    assert model.metrics["history"] == lines
    command = read_metadata(out)["command"]
    assert command.startswith("python -m capsnet.train --data-dir")
    shown = capfd.readouterr().err
    assert "epoch 3/3" in shown
    assert "images/s" in shown
    assert "loss=" in shown


def test_the_rate_rises_then_falls_to_nearly_nothing():
    rates = [learning_rate(Recipe(learning_rate=0.002), step, 500) for step in range(500)]
    top = rates.index(max(rates))
    assert max(rates) == pytest.approx(0.002)
    assert 40 <= top <= 60
    assert rates[0] < 0.0001
    assert rates[-1] < 0.00001
    assert rates[:top] == sorted(rates[:top])
    assert rates[top:] == sorted(rates[top:], reverse=True)


def test_an_epoch_shows_every_image_once_in_an_order_of_its_own(digits):
    still = Recipe(shift=0, rotation=0, scale=0, batch_size=25)
    labels = [torch.cat([y for _, y in batches(digits, still, epoch)]) for epoch in (0, 0, 1)]
    assert torch.equal(labels[0], labels[1])
    assert not torch.equal(labels[0], labels[2])
    assert sorted(labels[0].tolist()) == sorted(digits.labels.tolist())


def test_a_seed_decides_the_weights(tmp_path, digits):
    first = run(tmp_path / "a.safetensors", digits, epochs=1, seed=4)
    again = run(tmp_path / "b.safetensors", digits, epochs=1, seed=4)
    other = run(tmp_path / "c.safetensors", digits, epochs=1, seed=5)
    assert torch.equal(first.W, again.W)
    assert not torch.equal(first.W, other.W)


def stop_in_epoch(monkeypatch, epoch, error=KeyboardInterrupt):
    from capsnet import train as module

    whole = module.train_epoch

    def cut(learner, digits, recipe, at, **settings):
        if at == epoch:
            raise error
        return whole(learner, digits, recipe, at, **settings)

    monkeypatch.setattr(module, "train_epoch", cut)


def test_a_resumed_run_follows_the_uninterrupted_one(tmp_path, digits, monkeypatch):
    whole = run(tmp_path / "whole.safetensors", digits)
    out = tmp_path / "cut.safetensors"
    with monkeypatch.context() as patch:
        stop_in_epoch(patch, 2)
        with pytest.raises(KeyboardInterrupt):
            run(out, digits)
    assert load_checkpoint(out).metrics["epochs"] == 2  # Ctrl-C leaves a usable checkpoint
    resumed = run(out, digits, resume=True)
    for (name, one), other in zip(
        whole.state_dict().items(), resumed.state_dict().values(), strict=True
    ):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-6, msg=name)
    assert [line["epoch"] for line in resumed.metrics["history"]] == [1, 2, 3]


def test_stopped_in_the_first_epoch_it_leaves_a_checkpoint_too(tmp_path, digits, monkeypatch):
    stop_in_epoch(monkeypatch, 0)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "x.safetensors", digits)
    assert load_checkpoint(tmp_path / "x.safetensors").metrics["interrupted"]


def test_resuming_where_nothing_was_begun_starts(tmp_path, digits):
    model = run(tmp_path / "x.safetensors", digits, epochs=1, resume=True)
    assert model.metrics["epochs"] == 1


def test_resuming_with_other_settings_is_refused_in_words(tmp_path, digits):
    out = tmp_path / "x.safetensors"
    run(out, digits, epochs=1)
    with pytest.raises(CheckpointError, match=r"another recipe \(seed 0 instead of 9\)"):
        run(out, digits, epochs=1, seed=9, resume=True)
    with pytest.raises(CheckpointError, match="another images"):
        run(out, digits.take(64), epochs=1, resume=True)


def test_resuming_from_a_damaged_file_is_refused_in_words(tmp_path, digits):
    out = tmp_path / "x.safetensors"
    run(out, digits, epochs=1)
    file = resume_path(out)
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(CheckpointError, match="not a readable"):
        run(out, digits, epochs=2, resume=True)


def test_forgetting_resume_costs_nothing_until_an_epoch_is_done(tmp_path, digits, monkeypatch):
    out = tmp_path / "x.safetensors"
    run(out, digits, epochs=2)
    before = resume_path(out).read_bytes()
    with monkeypatch.context() as patch:
        stop_in_epoch(patch, 0)
        with pytest.raises(KeyboardInterrupt):
            run(out, digits, epochs=2)
    assert resume_path(out).read_bytes() == before


@pytest.fixture
def pen():
    strokes = json.loads(PEN_STROKES.read_text())
    return PenDigits(
        tuple(tuple(np.array(s, float) for s in one["strokes"]) for one in strokes),
        torch.tensor([one["label"] for one in strokes]),
        torch.arange(len(strokes)) % 4,
    )


def test_an_epoch_holds_the_pictures_and_pen_digits_drawn_anew(digits, pen):
    data = TrainingData(digits, digits.take(10), pen)
    recipe = Recipe(strokes_copies=2, seed=1)
    first, again, second = (data.of_epoch(recipe, epoch) for epoch in (0, 0, 1))
    assert len(first) == data.size(recipe) == len(digits) + 2 * len(pen)
    assert torch.equal(first.images, again.images)
    assert torch.equal(first.images[: len(digits)], digits.images)
    assert first.labels[len(digits) :].tolist() == 2 * pen.labels.tolist()
    drawn = [*first.images[len(digits) :].split(len(pen)), second.images[-len(pen) :]]
    assert not any(torch.equal(drawn[i], drawn[j]) for i, j in ((0, 1), (0, 2), (1, 2)))


def test_pen_digits_are_trained_on_and_unseen_writers_tested(tmp_path, digits, pen):
    out = tmp_path / "x.safetensors"
    seen, unseen = pen.split(1)
    model = train(
        SMALL,
        Recipe(epochs=1, batch_size=32),
        TrainingData(digits, digits.take(40), seen, unseen.drawn()),
        out,
        device=torch.device("cpu"),
        provenance=Provenance("both"),
    )
    metrics = load_checkpoint(out).metrics
    assert metrics["count"] == 40
    assert metrics["pen"]["count"] == len(unseen)
    assert sum(map(sum, metrics["pen"]["confusion"])) == len(unseen)
    assert metrics["history"][0]["pen"]["errors"] == metrics["pen"]["errors"]
    assert model.metrics == metrics


def test_training_goes_on_from_another_checkpoints_weights(tmp_path, digits):
    first = run(tmp_path / "first.safetensors", digits, epochs=1)
    started = {"epochs": 1, "learning_rate": 0.0, "start": str(tmp_path / "first.safetensors")}
    second = run(tmp_path / "second.safetensors", digits, **started)
    torch.testing.assert_close(second.W, first.W.half().float())
    assert read_metadata(tmp_path / "first.safetensors")["metrics"]["epochs"] == 1


def test_weights_of_another_network_are_no_start(tmp_path, digits):
    other = tmp_path / "other.safetensors"
    save_checkpoint(other, CapsNet(dataclasses.replace(SMALL, digit_dim=5)))
    with pytest.raises(CheckpointError, match="other sizes"):
        run(tmp_path / "x.safetensors", digits, start=str(other))


@pytest.mark.parametrize("name", ["x.jsonl", "folder.safetensors", "file/x.safetensors"])
def test_a_name_that_cannot_be_written_is_refused_before_training(tmp_path, name, capsys):
    (tmp_path / "folder.safetensors").mkdir()
    (tmp_path / "file").write_text("x")
    assert main(["--out", str(tmp_path / name), "--data-dir", str(tmp_path)]) == 1
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_metrics_that_cannot_be_written_end_the_run_in_words(tmp_path, digits):
    (tmp_path / "x.jsonl" / "in the way").mkdir(parents=True)
    with pytest.raises(CheckpointError, match=r"x\.jsonl cannot be written"):
        run(tmp_path / "x.safetensors", digits, epochs=1)


def test_a_loss_that_is_no_number_stops_with_a_sentence(tmp_path, digits, monkeypatch):
    out = tmp_path / "x.safetensors"
    run(out, digits, epochs=1)
    before = out.read_bytes()
    monkeypatch.setattr(
        "capsnet.training.epoch.total_loss", lambda margin, *_: margin * float("nan")
    )
    with pytest.raises(TrainingError, match="the loss became nan in epoch 1"):
        run(out, digits)
    assert out.read_bytes() == before


def test_a_wrongly_sized_w_is_warned_of(tmp_path, digits, monkeypatch, capfd):
    monkeypatch.setattr("capsnet.model.WEIGHT_STD", 1e-6)
    run(tmp_path / "x.safetensors", digits, epochs=1, learning_rate=1e-9)
    assert "W starts too small" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--data-dir", "{}/nowhere"], "put the unpacked files"),
        (["--device", "abacus"], "not available"),
        (["--device", "cpu:foo"], "not spelled"),
    ],
)
def test_bad_input_gives_one_clear_line(tmp_path, arguments, words, capsys, monkeypatch):
    def refuse(*arguments, **settings):
        raise RuntimeError("no network")

    monkeypatch.setattr("torchvision.datasets.MNIST.download", refuse)
    given = [a.format(tmp_path) for a in arguments]
    assert main([*given, "--out", str(tmp_path / "x.safetensors")]) == 1
    message = capsys.readouterr().err
    assert words.lower() in message.lower()
    assert len(message.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--strokes", "{}"], "there are no pen digits in"),
        (["--start", "{}/none.safetensors"], "does not exist"),
    ],
)
def test_what_cannot_be_trained_on_or_from_is_named_in_one_line(
    mnist_root, tmp_path, arguments, words, capsys
):
    given = [a.format(tmp_path) for a in arguments]
    out = str(tmp_path / "x.safetensors")
    assert main([*given, "--data-dir", str(mnist_root), "--device", "cpu", "--out", out]) == 1
    message = capsys.readouterr().err
    assert words in message
    assert len(message.strip().splitlines()) == 1


@pytest.mark.parametrize("module", ["capsnet.train", "capsnet.evaluate"])
def test_the_command_lines_explain_themselves(module):
    done = subprocess.run(
        [sys.executable, "-m", module, "--help"], capture_output=True, text=True, check=True
    )
    assert "--data-dir" in done.stdout


def test_unreasonable_numbers_are_refused(capsys):
    for arguments in (
        ["--epochs", "0"],
        ["--batch-size", "-3"],
        ["--learning-rate", "-1"],
        ["--average", "1.5"],
    ):
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert stopped.value.code == 2
        message = capsys.readouterr().err
        assert arguments[0] in message
        assert len(message.strip().splitlines()) == 1


def test_the_last_steps_rate_is_finite_for_a_single_step():
    assert math.isfinite(learning_rate(Recipe(), 0, 1))


def test_held_out_digits_are_tested_on_but_not_trained_on(tmp_path, digits):
    kept, held_out = digits.split(60)
    assert len(kept) + len(held_out) == len(digits)
    assert torch.equal(held_out.images, digits.images[-60:])
    assert digits.split(0) == (digits, None)
    with pytest.raises(DataError, match="cannot be held out"):
        digits.split(len(digits))
    out = tmp_path / "x.safetensors"
    train(
        SMALL,
        Recipe(epochs=1, batch_size=32, validation=60),
        TrainingData(kept, digits.take(40), validation=held_out),
        out,
        device=torch.device("cpu"),
        provenance=Provenance("MNIST"),
    )
    metrics = load_checkpoint(out).metrics
    assert metrics["count"] == 40
    assert metrics["validation"]["count"] == 60
    assert metrics["history"][0]["validation"]["errors"] == metrics["validation"]["errors"]


def test_without_the_reconstruction_loss_the_decoder_stays_as_it_began(tmp_path, digits):
    models = [
        train(
            SMALL,
            Recipe(epochs=1, batch_size=32, seed=3, reconstruction=weight),
            TrainingData(digits.take(64), digits.take(40)),
            tmp_path / "x.safetensors",
            device=torch.device("cpu"),
            provenance=Provenance("MNIST"),
        )
        for weight in (0.0, 0.0005)
    ]
    torch.manual_seed(3)
    fresh = CapsNet(SMALL)
    same = [torch.equal(fresh.decoder[0].weight, model.decoder[0].weight) for model in models]
    assert same == [True, False]
    assert not torch.equal(fresh.W, models[0].W)
