"""Choosing the test images that a checkpoint holds, and keeping them in the file."""

import dataclasses

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from capsnet import CapsNet, CapsNetConfig, CheckpointError, load_checkpoint, save_checkpoint
from capsnet.data import LabelledImages
from capsnet.samples import choose_samples

TINY = CapsNetConfig(
    conv_channels=4, primary_types=2, primary_dim=3, digit_dim=4, decoder_hidden=(5, 6), classes=3
)


def test_set(leads, labels):
    """Lengths of three capsules, the right one ahead by `leads`, and images that are all unlike."""
    leads, labels = torch.tensor(leads), torch.tensor(labels)
    lengths = torch.full((len(labels), 3), 0.5)
    lengths[torch.arange(len(labels)), labels] += leads
    images = torch.arange(len(labels), dtype=torch.uint8)[:, None, None].expand(-1, 28, 28)
    return lengths, LabelledImages(images.contiguous(), labels, ("a", "b", "c"), "letters")


test_set.__test__ = False

# Class 0: six clear ones; class 1: a sure mistake, a narrow one, two clear; class 2: misread all.
LEADS = [0.1, 0.9, 0.8, 0.7, 0.6, 0.85, -0.8, -0.1, 0.9, 0.7, -0.2, -0.3]
LABELS = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2]


@pytest.fixture
def samples():
    return choose_samples(*test_set(LEADS, LABELS))


def test_usual_ones_are_read_rightly_and_clearly_one_of_each_class_and_again(samples):
    usual = samples.usual(10)
    assert usual.indices.tolist() == [1, 8, 5, 9]  # the clearer of class 0, in the set's order
    assert usual.labels.tolist() == [0, 1, 0, 1]  # class 2 has none
    assert not usual.hard.any()


def test_hard_ones_are_the_mistakes_of_each_class_and_what_is_read_narrowly(samples):
    hard = samples.indices[samples.hard]
    assert hard.tolist() == [0, 6, 7, 11, 10]  # by class, the worst first
    assert len(set(samples.indices.tolist())) == len(samples.indices)


def test_the_surest_mistake_on_each_class_comes_before_second_ones():
    leads = [-0.9 + 0.01 * k for k in range(12)] + [-0.1, -0.2]
    hard = choose_samples(*test_set(leads, [0] * 12 + [1, 2]))
    assert {12, 13} <= set(hard.indices.tolist())
    assert sorted(hard.indices.tolist()) == [0, 1, 2, 3, 4, 5, 6, 7, 12, 13]  # ten at most


def test_it_opens_with_the_clearest_and_where_none_is_with_the_least_wrong(samples):
    assert LEADS[samples.opening] == 0.9
    assert choose_samples(*test_set([-0.5, -0.1], [0, 1])).opening == 1


def test_images_labels_and_places_belong_together(samples):
    assert samples.images[:, 0, 0].tolist() == samples.indices.tolist()
    assert samples.labels.tolist() == [LABELS[k] for k in samples.indices]
    assert samples.place(8) == samples.indices.tolist().index(8)
    assert samples.place(3) is None


@pytest.fixture
def file(tmp_path, samples):
    torch.manual_seed(0)
    model = CapsNet(TINY, class_names=("a", "b", "c"))
    model.samples = samples
    save_checkpoint(tmp_path / "x.safetensors", model)
    return tmp_path / "x.safetensors"


def test_a_checkpoint_brings_its_samples_back(file, samples):
    loaded = load_checkpoint(file).samples
    for field in dataclasses.fields(samples):
        one, other = (getattr(which, field.name) for which in (samples, loaded))
        assert np.array_equal(one, other)
        assert np.asarray(one).dtype == np.asarray(other).dtype
    save_checkpoint(file, load_checkpoint(file))
    assert load_checkpoint(file).samples.opening == samples.opening


def test_a_checkpoint_without_samples_has_none(tmp_path):
    save_checkpoint(tmp_path / "x.safetensors", CapsNet(TINY))
    assert load_checkpoint(tmp_path / "x.safetensors").samples is None


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("images", lambda t: t.float(), r"samples.images holds torch.float32"),
        ("images", lambda t: t[:, :20], r"samples.images holds torch.uint8 \[9, 20, 28\] instead"),
        ("images", lambda t: t[1:], r"instead of torch.uint8 \[9, 28, 28\]"),
        ("labels", lambda t: t + 2, "labels outside 0…2"),
        ("labels", lambda t: t - 1, "labels outside 0…2"),
        ("labels", lambda t: t.int(), "samples.labels holds torch.int32"),
        ("indices", lambda t: t - 1, "below 0, or one twice"),
        ("indices", lambda t: t * 0, "below 0, or one twice"),
        ("hard", lambda t: t.long(), "samples.hard holds torch.int64"),
        ("opening", lambda t: t * 0 - 1, "the sample to open with, -1, is none of them"),
        ("opening", lambda t: t[None], r"samples.opening holds torch.int64 \[1\]"),
        ("opening", lambda t: None, "samples.opening is missing"),
    ],
)
def test_samples_that_are_not_the_networks_are_refused(file, name, change, words):
    with safe_open(file, framework="pt") as stored:
        tensors = {key: stored.get_tensor(key) for key in stored.keys()}  # noqa: SIM118
        metadata = stored.metadata()
    changed = change(tensors.pop(f"samples.{name}"))
    if changed is not None:
        tensors[f"samples.{name}"] = changed.contiguous()
    save_file(tensors, file, metadata=metadata)
    with pytest.raises(CheckpointError, match=words):
        load_checkpoint(file)
