import os

import pytest
import torch

from capsnet.checkpoint import read_tensors
from capsnet.device import PROCESSOR, compute_deterministically, fits, send
from capsnet.train import main
from capsnet.training.resume import resume_path

SIZES = "--conv-channels 8 --primary-types 2 --primary-dim 4 --digit-dim 4 --decoder-hidden 16 16"


@pytest.fixture
def as_before():
    """Leave torch's settings as they were."""
    yield
    torch.use_deterministic_algorithms(False)


def test_two_deterministic_runs_give_the_same_bits(mnist_root, tmp_path, as_before):
    files = [tmp_path / f"{name}.safetensors" for name in "ab"]
    for file in files:
        given = f"{SIZES} --epochs 2 --batch-size 30 --limit 200 --device cpu --deterministic"
        assert main([*given.split(), "--data-dir", str(mnist_root), "--out", str(file)]) == 0
    assert torch.are_deterministic_algorithms_enabled()
    for path in (lambda out: out, resume_path):
        one, other = (read_tensors(path(file))[0] for file in files)
        assert one.keys() == other.keys()
        assert all(torch.equal(one[name], other[name]) for name in one)


def test_cublas_is_told_before_it_starts(monkeypatch, as_before):
    monkeypatch.delenv("CUBLAS_WORKSPACE_CONFIG", raising=False)
    compute_deterministically()
    assert os.environ["CUBLAS_WORKSPACE_CONFIG"] in {":4096:8", ":16:8"}


def test_on_the_processor_nothing_is_copied():
    tensor = torch.ones(3)
    assert fits(10**15, PROCESSOR)
    assert send(tensor, PROCESSOR) is tensor
