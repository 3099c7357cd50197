"""The bundled network of clothes: another data set, its own class names and samples."""

from pathlib import Path

import numpy as np
import pytest
import torch

import capsnet
from capsnet.data import to_input
from capsnet.datasets.idx_sets import IDX_SETS
from capsnet.survey import checkpoint_key, load_survey, survey_path

PATH = Path(capsnet.__file__).parents[1] / "checkpoints" / "fashion.safetensors"


@pytest.fixture(scope="module")
def model():
    return capsnet.load_checkpoint(PATH)


def test_it_is_the_papers_network_for_fashion_mnist_and_small_enough(model):
    assert model.config == capsnet.CapsNetConfig()
    assert model.class_names == IDX_SETS["fashion-mnist"].class_names
    assert PATH.stat().st_size < 20e6
    assert model.metrics["data"] == "Fashion-MNIST"
    assert model.metrics["count"] == 10_000
    assert model.metrics["error_percent"] < 12


def test_it_reads_and_rebuilds_its_usual_samples_and_not_its_hard_ones(model):
    samples = model.samples
    images = to_input(torch.from_numpy(samples.images))
    out = model(images)
    leads = out.lengths.topk(2, dim=1).values.diff(dim=1)[:, 0].numpy() < -0.5
    right = out.lengths.argmax(1).numpy() == samples.labels
    assert right[~samples.hard].all()
    assert not (right & leads)[samples.hard].any()
    assert np.bincount(samples.labels[~samples.hard]).tolist() == [2] * 10
    rebuilt = model.decode(out.poses, torch.from_numpy(samples.labels))
    error, blank = (
        (picture - images)[~samples.hard].square().sum((1, 2, 3)).mean()
        for picture in (rebuilt, torch.zeros_like(images))
    )
    assert error < 0.35 * blank


def test_its_survey_is_of_these_weights_and_says_nothing_of_strokes(model):
    key = checkpoint_key(PATH)
    routing = load_survey(survey_path(PATH), key)
    assert routing.count == 10_000
    assert routing.errors[2] == model.metrics["errors"]
    poses = load_survey(survey_path(PATH), key, "poses")
    assert poses.count.sum() == 10_000 - model.metrics["errors"]
    with pytest.raises(capsnet.survey.SurveyError, match="effects"):
        load_survey(survey_path(PATH), key, "effects")
