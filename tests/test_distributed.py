import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from capsnet import CapsNet, CapsNetConfig
from capsnet.checkpoint import read_metadata, read_tensors
from capsnet.data import LabelledImages
from capsnet.datasets.augment import Augmentation
from capsnet.device import DeviceError
from capsnet.train import main
from capsnet.training.distributed import Processes
from capsnet.training.recipe import Recipe, batches
from capsnet.training.resume import resume_path

ROOT = Path(__file__).parents[1]
SMALL = CapsNetConfig(
    conv_channels=8, primary_types=2, primary_dim=4, digit_dim=4, decoder_hidden=(16, 16)
)
SIZES = "--conv-channels 8 --primary-types 2 --primary-dim 4 --digit-dim 4 --decoder-hidden 16 16"


def given(data, out, *more):
    """A command line's arguments: small, and with a last batch of one image, for two processes."""
    fixed = f"{SIZES} --batch-size 33 --limit 100 --device cpu".split()
    return ["--data-dir", str(data), "--out", str(out), *fixed, *map(str, more)]


def torchrun(*arguments, processes=2):
    """Start processes as torchrun does; torchrun's own messages are among the output."""
    command = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", processes]
    return subprocess.Popen(
        [sys.executable, *map(str, command), "-m", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def moved_apart(one, other):
    """How far two runs' weights are from each other, by how far they moved from the start."""
    (first, metadata), (second, _) = (read_tensors(resume_path(out)) for out in (one, other))
    torch.manual_seed(0)
    start = CapsNet(CapsNetConfig.from_dict(metadata["config"])).state_dict()
    return max(
        float(
            (first[f"{kind}.{name}"] - second[f"{kind}.{name}"]).norm()
            / (first[f"{kind}.{name}"] - value).norm()
        )
        for kind in ("model", "average")
        for name, value in start.items()
    )


def test_two_processes_learn_what_one_does_and_one_of_them_writes(mnist_root, tmp_path):
    one, two = tmp_path / "one.safetensors", tmp_path / "two.safetensors"
    run = torchrun("capsnet.train", *given(mnist_root, two, "--epochs", 2))
    assert main(given(mnist_root, one, "--epochs", 2)) == 0
    shown, _ = run.communicate(timeout=300)
    assert run.returncode == 0, shown
    assert moved_apart(one, two) < 1e-3
    assert shown.count("epoch 2: loss") == 1
    assert {file.name for file in tmp_path.glob("two*")} == {
        "two.safetensors",
        "two.resume.safetensors",
        "two.jsonl",
    }
    alone, both = (read_metadata(out)["metrics"]["history"] for out in (one, two))
    assert [line["epoch"] for line in both] == [1, 2]
    for name, value in alone[1]["train"].items():
        assert both[1]["train"][name] == pytest.approx(value, rel=1e-4), name
    assert both[1]["test"]["count"] == alone[1]["test"]["count"] == 100


def test_a_run_goes_on_with_another_number_of_processes(mnist_root, tmp_path, monkeypatch):
    """Two processes, stopped by Ctrl-C, then one, stopped too, then two again."""
    whole, cut = tmp_path / "whole.safetensors", tmp_path / "cut.safetensors"
    epochs = ("--epochs", 12)
    run = torchrun("capsnet.train", *given(mnist_root, cut, *epochs))
    wait_for(run, "epoch 1: loss")
    run.send_signal(signal.SIGINT)  # as a terminal does: torchrun passes it on
    shown, _ = run.communicate(timeout=300)
    assert run.returncode != 0
    assert shown.count("stopping after this epoch, if it ends within 25 s") == 1, shown
    assert shown.count(f"stopped; {cut} is usable") == 1, shown
    done = len(history(cut))
    assert 1 <= done < 11

    with monkeypatch.context() as patch:
        from capsnet import train as module

        epoch = module.train_epoch

        def next_only(learner, digits, recipe, at, **more):
            if at > done:
                raise KeyboardInterrupt
            return epoch(learner, digits, recipe, at, **more)

        patch.setattr(module, "train_epoch", next_only)
        assert main([*given(mnist_root, cut, *epochs), "--resume"]) == 130
    assert len(history(cut)) == done + 1

    run = torchrun("capsnet.train", *given(mnist_root, cut, *epochs), "--resume")
    assert main(given(mnist_root, whole, *epochs)) == 0
    shown, _ = run.communicate(timeout=300)
    assert run.returncode == 0, shown
    assert f"epoch {done + 1}: loss" not in shown
    assert len(history(cut)) == 12
    assert moved_apart(whole, cut) < 0.02


def test_where_one_process_cannot_save_all_end_with_one_line(mnist_root, tmp_path):
    out = tmp_path / "x.safetensors"
    (resume_path(out) / "in the way").mkdir(parents=True)
    run = torchrun("capsnet.train", *given(mnist_root, out, "--epochs", 500))
    shown, _ = run.communicate(timeout=300)
    assert run.returncode != 0
    assert shown.count("error: ") == 1, shown
    assert f"error: {resume_path(out)} cannot be written" in shown


def test_where_one_process_is_lost_the_other_says_so(mnist_root, tmp_path):
    run = torchrun("capsnet.train", *given(mnist_root, tmp_path / "x.safetensors", "--epochs", 500))
    wait_for(run, "epoch 1: loss")
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    environments = {child: Path(f"/proc/{child}/environ").read_bytes() for child in children}
    (second,) = (child for child, text in environments.items() if b"\0RANK=1\0" in text)
    os.kill(int(second), signal.SIGKILL)
    shown, _ = run.communicate(timeout=300)
    assert run.returncode != 0
    assert shown.count("error: another process of this run was lost") == 1, shown


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What connected processes found, each of two."""
    folder = tmp_path_factory.mktemp("group")
    (folder / "config.json").write_text(json.dumps(SMALL.to_dict()))
    run = torchrun("tests.group", folder)
    shown, _ = run.communicate(timeout=300)
    assert run.returncode == 0, shown
    return [json.loads((folder / f"{rank}.json").read_text()) for rank in (0, 1)]


def test_an_evaluation_spread_over_processes_gives_the_same_numbers(answers):
    for answer in answers:
        assert answer["together"] == answer["alone"]
        assert answer["ranks"] == [0, 1]


def test_a_failure_of_one_is_a_failure_of_all_with_its_words(answers):
    assert [answer["failure"] for answer in answers] == [
        ["ProcessError", "the file is broken"],
        ["DataError", "the file is broken"],
    ]


def test_what_one_process_downloads_the_others_find(answers):
    assert [answer["found"] for answer in answers] == [False, True]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 128])
def test_the_shares_of_a_batch_are_all_of_it(count):
    shares = [Processes(rank, 3).share(count) for rank in range(3)]
    images = torch.arange(count)
    taken = torch.cat([images[share.images] for share in shares if share.weight])
    assert torch.equal(taken, images)
    assert sum(share.weight for share in shares) == pytest.approx(1)
    for share in shares:  # those with nothing to do take an image, too, and do not count it
        assert len(images[share.images]) == max(1, round(share.weight * count))


def test_processes_see_the_images_that_one_would(mnist_slice):
    digits = LabelledImages(
        torch.from_numpy(mnist_slice["train_images"][:50]),
        torch.from_numpy(mnist_slice["train_labels"][:50]).long(),
    )
    recipe = Recipe(batch_size=20, elastic=1.0, shear=0.2)
    parts = [batches(digits, recipe, 1, processes=Processes(rank, 3)) for rank in range(3)]
    for (images, labels), *shared in zip(batches(digits, recipe, 1), *parts, strict=True):
        assert torch.equal(torch.cat([part for part, _ in shared]), images)
        assert torch.equal(torch.cat([part for _, part in shared]), labels)


def test_a_part_of_a_batch_changes_as_it_would_among_the_whole(mnist_slice):
    images = torch.from_numpy(mnist_slice["test_images"][:9])[:, None].float() / 255
    augment = Augmentation(shear=0.3, elastic=1.0)
    whole = augment(images, torch.Generator().manual_seed(3))
    part = augment(images[2:5], torch.Generator().manual_seed(3), batch=9, share=slice(2, 5))
    assert torch.equal(part, whole[2:5])


@pytest.mark.parametrize(
    ("name", "devices", "expected"),
    [
        (None, 2, "cuda:1"),
        ("cuda", 2, "cuda:1"),
        ("cpu", 2, "cpu"),
        ("cuda", 1, "as many CUDA"),
        ("cuda:0", 2, "cannot share cuda:0"),
    ],
)
def test_each_process_has_a_cuda_device_of_its_own(monkeypatch, name, devices, expected):
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.device_count", lambda: devices)
    second = Processes(1, 2, 1, 2)
    if expected.startswith(("cuda", "cpu")):
        assert str(second.device(name)) == expected
    else:
        with pytest.raises(DeviceError, match=expected):
            second.device(name)


def history(out):
    return read_metadata(out)["metrics"]["history"]


def wait_for(run, words, seconds=240):
    """Read on until a line holds `words`."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        line = run.stdout.readline()
        if words in line:
            return
        assert line, "the run ended"
    raise AssertionError(f"no {words!r} within {seconds} s")
