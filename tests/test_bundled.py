"""What is shipped: the checkpoint, its card and what they say of each other."""

from pathlib import Path

import pytest
import torch

import capsnet
from capsnet.checkpoint import read_metadata
from capsnet.data import to_input
from capsnet.model_card import main, model_card

CHECKPOINTS = Path(capsnet.__file__).parents[1] / "checkpoints"
MNIST = CHECKPOINTS / "mnist.safetensors"


@pytest.fixture(scope="module")
def model():
    return capsnet.load_checkpoint(MNIST)


def test_the_checkpoint_is_the_papers_network_and_small_enough(model):
    assert model.config == capsnet.CapsNetConfig()
    assert model.class_names == tuple("0123456789")
    assert MNIST.stat().st_size < 20e6


def test_its_measured_test_error_is_at_most_half_a_percent(model):
    assert model.metrics["count"] == 10_000
    assert model.metrics["error_percent"] <= 0.50
    assert sum(map(sum, model.metrics["confusion"])) == 10_000


def test_it_says_which_command_made_it():
    metadata = read_metadata(MNIST)
    assert metadata["command"].startswith("python -m capsnet.train --dataset mnist")
    assert len(metadata["metrics"]["history"]) == metadata["settings"]["epochs"]
    assert metadata["code_version"]


def test_it_reads_real_digits(model, test_digits):
    out = model(to_input(test_digits.images))
    assert int((out.lengths.argmax(1) != test_digits.labels).sum()) <= 3
    right = out.lengths.gather(1, test_digits.labels[:, None])
    assert right.median() > 0.8


def test_its_reconstructions_resemble_the_digits(model, test_digits):
    x = to_input(test_digits.images)
    rebuilt = model.decode(model(x).poses)
    error = (rebuilt - x).square().sum((1, 2, 3)).mean()
    blank = x.square().sum((1, 2, 3)).mean()
    assert error < 0.35 * blank


def test_routing_settles_on_the_right_digit(model, test_digits):
    trace = model.trace(to_input(test_digits.images[:40]))
    agreement = trace.lengths.gather(2, test_digits.labels[:40].expand(10, -1)[..., None])
    rising = agreement[1:, :, 0] >= agreement[:-1, :, 0] - 1e-3
    assert rising.float().mean() > 0.9
    assert torch.isfinite(trace.logits).all()


def test_the_card_says_what_the_files_say():
    card = (CHECKPOINTS / "README.md").read_text()
    shipped = [p for p in sorted(CHECKPOINTS.glob("*.safetensors")) if ".resume." not in p.name]
    assert card == model_card(shipped)


def test_a_file_without_a_story_has_no_card(tmp_path, capsys):
    capsnet.save_checkpoint(tmp_path / "x.safetensors", capsnet.CapsNet())
    assert main([str(tmp_path / "x.safetensors")]) == 1
    assert "does not tell its" in capsys.readouterr().err
