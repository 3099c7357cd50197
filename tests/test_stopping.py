import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from capsnet import load_checkpoint
from capsnet.training.resume import resume_path
from capsnet.training.stopping import undisturbed

ROOT = Path(__file__).parents[1]
SIZES = "--conv-channels 8 --primary-types 2 --primary-dim 4 --digit-dim 4 --decoder-hidden 16 16"
QUICK = ("--batch-size", "50", "--limit", "200")  # an epoch takes a fraction of a second
SLOW = ("--batch-size", "1")  # an epoch takes seconds


class Run:
    """A training in a process of its own."""

    def __init__(self, data, out, *more, **environment):
        command = [sys.executable, "-u", "-m", "capsnet.train", *SIZES.split(), *more]
        command += ["--epochs", "500", "--device", "cpu", "--data-dir", data, "--out", out]
        self.process = subprocess.Popen(
            list(map(str, command)),
            cwd=ROOT,
            env={**os.environ, "OMP_NUM_THREADS": "1", **environment},
            stderr=subprocess.PIPE,
        )
        self.shown = ""

    def wait_for(self, words, seconds=120):
        until = time.monotonic() + seconds
        while words not in self.shown:
            assert time.monotonic() < until, f"no {words!r} in: {self.shown}"
            more = os.read(self.process.stderr.fileno(), 4096).decode(errors="replace")
            assert more, f"the run ended: {self.shown}"
            self.shown += more

    def send(self, number):
        self.process.send_signal(number)

    def ends(self):
        """The exit status."""
        rest = self.process.communicate(timeout=120)[1]
        self.shown += rest.decode(errors="replace")
        return self.process.returncode


def epochs_done(out):
    lines = out.with_suffix(".jsonl").read_text().splitlines()
    return [json.loads(line)["epoch"] for line in lines]


def test_ctrl_c_ends_after_the_epoch_with_everything_saved_and_tested(mnist_root, tmp_path):
    out = tmp_path / "x.safetensors"
    run = Run(mnist_root, out, *SLOW, "--limit", "300")
    run.wait_for("epoch 1/500")
    run.send(signal.SIGINT)
    assert run.ends() == 130, run.shown
    assert run.shown.count("stopping after this epoch; press Ctrl-C again to stop now") == 1
    assert run.shown.count(f"stopped; {out} is usable") == 1
    assert "Traceback" not in run.shown
    assert epochs_done(out) == [1]
    assert load_checkpoint(out).metrics["count"] == 300
    assert resume_path(out).exists()


def test_ctrl_c_twice_stops_at_once_and_leaves_a_usable_checkpoint(mnist_root, tmp_path):
    out = tmp_path / "x.safetensors"
    run = Run(mnist_root, out, *SLOW)
    run.wait_for("epoch 1/500")
    run.send(signal.SIGINT)
    run.wait_for("again to stop now")
    run.send(signal.SIGINT)
    assert run.ends() == 130, run.shown
    assert "Traceback" not in run.shown
    assert not out.with_suffix(".jsonl").exists()
    assert load_checkpoint(out).metrics == {"epochs": 0, "interrupted": True}


@pytest.mark.parametrize("presses", [[signal.SIGTERM], [signal.SIGINT, signal.SIGINT]])
def test_stopped_at_once_it_keeps_the_last_whole_epoch(mnist_root, tmp_path, presses):
    out = tmp_path / "x.safetensors"
    run = Run(mnist_root, out, *QUICK)
    run.wait_for("epoch 2: loss")
    for press in presses:
        run.send(press)
        time.sleep(0.02)  # two of a kind at the same moment would arrive as one
    assert run.ends() == 130, run.shown
    assert "Traceback" not in run.shown
    done = epochs_done(out)
    assert len(done) >= 2
    assert load_checkpoint(out).metrics["epochs"] == len(done)


def test_before_torchrun_kills_it_the_run_stops_and_leaves_a_usable_checkpoint(
    mnist_root, tmp_path
):
    out = tmp_path / "x.safetensors"
    by_torchrun = {"TORCHELASTIC_RUN_ID": "1", "TORCH_ELASTIC_SHUTDOWN_TIMEOUT": "6"}
    run = Run(mnist_root, out, *SLOW, **by_torchrun)
    run.wait_for("epoch 1/500")
    run.send(signal.SIGINT)
    run.wait_for("stopping after this epoch, if it ends within 1 s")
    assert run.ends() == 130, run.shown
    assert "Traceback" not in run.shown
    assert load_checkpoint(out).metrics["interrupted"]


def test_what_is_undisturbed_ends_before_a_signal_does_anything():
    before = signal.getsignal(signal.SIGINT)
    with undisturbed():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGINT) is before
