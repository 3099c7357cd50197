import dataclasses
import json
import pickle
import struct

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from capsnet import CapsNet, CapsNetConfig, CheckpointError, load_checkpoint, save_checkpoint
from capsnet.checkpoint import Provenance, read_metadata, write_tensors

TINY = CapsNetConfig(
    conv_channels=4, primary_types=2, primary_dim=3, digit_dim=4, decoder_hidden=(5, 6)
)


@pytest.fixture
def tiny():
    torch.manual_seed(0)
    return CapsNet(TINY, class_names=tuple("abcdefghij"), metrics={"error_percent": 12.5})


@pytest.fixture
def path(tmp_path, tiny):
    file = tmp_path / "tiny.safetensors"
    save_checkpoint(file, tiny, Provenance("MNIST", "1", "python -m capsnet.train", {"seed": 1}))
    return file


def rewrite(path, change_tensors=lambda tensors: None, change_metadata=lambda metadata: None):
    with safe_open(path, framework="pt") as file:
        metadata, tensors = dict(file.metadata()), {k: file.get_tensor(k) for k in file.keys()}  # noqa: SIM118
    change_tensors(tensors)
    change_metadata(metadata)
    save_file(tensors, path, metadata=metadata)


def test_a_checkpoint_brings_back_the_network_and_the_way_to_show_it(path, tiny):
    model = load_checkpoint(path)
    assert not model.training
    assert model.config == TINY
    assert model.class_names == tuple("abcdefghij")
    assert model.metrics == {"error_percent": 12.5}
    assert all(p.dtype == torch.float32 and p.device.type == "cpu" for p in model.parameters())
    images = torch.rand(2, 1, 28, 28)
    torch.testing.assert_close(model(images).poses, tiny.eval()(images).poses, rtol=0.02, atol=1e-3)


def test_it_says_where_the_weights_come_from(path):
    metadata = read_metadata(path)
    assert metadata["data"] == "MNIST"
    assert metadata["command"] == "python -m capsnet.train"
    assert metadata["settings"] == {"seed": 1}


def test_the_papers_network_fits_into_20_megabytes(tmp_path):
    file = tmp_path / "paper.safetensors"
    save_checkpoint(file, CapsNet())
    assert file.stat().st_size < 20e6


def test_a_failed_write_leaves_the_old_file(path, tiny, monkeypatch):
    before = path.read_bytes()

    def full_disk(tensors, file, metadata):
        file.write_bytes(b"half")
        raise OSError("No space left on device")

    monkeypatch.setattr("capsnet.checkpoint.save_file", full_disk)
    with pytest.raises(CheckpointError, match="cannot be written: No space left"):
        save_checkpoint(path, tiny)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_weights_that_are_not_numbers_are_not_saved(tmp_path, tiny):
    with torch.no_grad():
        tiny.W[0] = float("nan")
    with pytest.raises(CheckpointError, match="W holds NaN"):
        save_checkpoint(tmp_path / "bad.safetensors", tiny)
    assert not list(tmp_path.iterdir())


def test_a_missing_file_is_explained_with_the_command_that_makes_one(tmp_path):
    with pytest.raises(CheckpointError, match=r"does not exist.*python -m capsnet.train"):
        load_checkpoint(tmp_path / "none.safetensors")


def test_a_folder_is_no_checkpoint(tmp_path):
    with pytest.raises(CheckpointError, match="is a folder"):
        load_checkpoint(tmp_path)


class Trap:
    """Writes a file when it is unpickled."""

    def __init__(self, file):
        self.file = file

    def __reduce__(self):
        return (open, (str(self.file), "w"))


def test_a_pickle_is_refused_and_never_executed(tmp_path):
    sprung = tmp_path / "sprung"
    for name in ("trap.safetensors", "trap.pt"):
        file = tmp_path / name
        file.write_bytes(pickle.dumps(Trap(sprung)))
        with pytest.raises(CheckpointError, match="not a readable safetensors file"):
            load_checkpoint(file)
    torch.save({"trap": Trap(sprung)}, tmp_path / "zip.safetensors")
    with pytest.raises(CheckpointError, match="not a readable"):
        load_checkpoint(tmp_path / "zip.safetensors")
    assert not sprung.exists()


def test_damaged_files_are_refused(path):
    whole = path.read_bytes()
    damaged = [
        b"",
        b"hello",
        whole[:4],
        whole[: len(whole) // 2],
        whole[:-1],
        whole + b"more",
        b"\xff" * 8 + whole[8:],
        struct.pack("<Q", 10**15) + whole[8:],
        whole[:9] + b"\x00" * 20 + whole[29:],
    ]
    for content in damaged:
        path.write_bytes(content)
        with pytest.raises(CheckpointError):
            load_checkpoint(path)


def test_a_safetensors_file_of_another_kind_is_refused(tmp_path):
    file = tmp_path / "other.safetensors"
    save_file({"x": torch.zeros(3)}, file)
    with pytest.raises(CheckpointError, match="not a capsule network's checkpoint"):
        load_checkpoint(file)
    save_file({"x": torch.zeros(3)}, file, metadata={"format": "pt"})
    with pytest.raises(CheckpointError, match="not this program's"):
        load_checkpoint(file)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t.pop("W"), "lacks W"),
        (lambda t: t.update(extra=torch.zeros(1)), "unknown extra"),
        (lambda t: t.update(W=torch.zeros(3, 3)), r"W is \[3, 3\] instead of \[72, 3, 10, 4\]"),
        (lambda t: t["W"].fill_(float("inf")), "W holds NaN or infinite"),
        (lambda t: t.update(W=t["W"].int()), "W holds torch.int32, not weights"),
    ],
)
def test_tensors_that_do_not_fit_are_named(path, change, words):
    rewrite(path, change_tensors=change)
    with pytest.raises(CheckpointError, match=words):
        load_checkpoint(path)


def lie(**config):
    def change(metadata):
        metadata["config"] = json.dumps(json.loads(metadata["config"]) | config)

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lie(classes=11), "11 digit capsules"),
        (lie(primary_types=10**9), "instead of"),
        (lie(digit_dim=-1), "digit_dim"),
        (lie(flavour=1), "flavour"),
        (lambda m: m.pop("config"), "describes itself wrongly"),
        (lambda m: m.update(config="3"), "describes itself wrongly"),
        (lambda m: m.update(metrics="3"), "describes itself wrongly"),
        (lambda m: m.update(class_names='["a"]'), "names 1 classes"),
    ],
)
def test_a_file_that_describes_itself_wrongly_is_refused(path, change, words):
    rewrite(path, change_metadata=change)
    with pytest.raises(CheckpointError, match=words):
        load_checkpoint(path)


def test_metadata_survives_as_json(tmp_path):
    file = tmp_path / "x.safetensors"
    write_tensors(file, {"x": torch.zeros(1)}, {"a": [1, {"b": None}], "c": "words"})
    assert read_metadata(file) == {"a": [1, {"b": None}], "c": "words"}


def test_a_network_without_a_decoder_comes_back_without(tmp_path):
    file = tmp_path / "bare.safetensors"
    saved = CapsNet(dataclasses.replace(TINY, decoder_hidden=None))
    save_checkpoint(file, saved)
    with safe_open(file, framework="pt") as stored:
        assert not [name for name in stored.keys() if "decoder" in name]  # noqa: SIM118
    model = load_checkpoint(file)
    assert model.config == saved.config
    assert model.decoder is None


def test_decoder_weights_of_a_network_without_a_decoder_are_refused(path):
    rewrite(path, change_metadata=lie(decoder_hidden=None))
    with pytest.raises(CheckpointError, match=r"unknown decoder\.0\.bias"):
        load_checkpoint(path)
