"""What is shipped: the checkpoints, their card and what they say of each other."""

import json
from pathlib import Path

import pytest
import torch

import capsnet
from capsnet.analysis.doubt import Doubt
from capsnet.analysis.effects import single_effect
from capsnet.analysis.population import standing
from capsnet.checkpoint import read_metadata
from capsnet.data import to_input
from capsnet.model_card import main, model_card
from capsnet.preprocessing.drawing import from_strokes
from capsnet.survey import checkpoint_key, load_survey, survey_path

CHECKPOINTS = Path(capsnet.__file__).parents[1] / "checkpoints"
MNIST, DIGITS = (CHECKPOINTS / f"{name}.safetensors" for name in ("mnist", "digits"))
PEN_STROKES = Path(__file__).parent / "data" / "pen_strokes.json"


@pytest.fixture(scope="module", params=[MNIST, DIGITS], ids=["mnist", "digits"])
def path(request):
    return request.param


@pytest.fixture(scope="module")
def model(path):
    return capsnet.load_checkpoint(path)


def test_the_checkpoint_is_the_papers_network_and_small_enough(model, path):
    assert model.config == capsnet.CapsNetConfig()
    assert model.class_names == tuple("0123456789")
    assert path.stat().st_size < 20e6


def test_its_measured_test_error_is_at_most_half_a_percent(model):
    assert model.metrics["count"] == 10_000
    assert model.metrics["error_percent"] <= 0.50
    assert sum(map(sum, model.metrics["confusion"])) == 10_000


def test_pen_strokes_cost_next_to_nothing_on_mnist_and_gain_much_on_the_pad():
    pure, both = (read_metadata(path)["metrics"] for path in (MNIST, DIGITS))
    assert both["error_percent"] <= pure["error_percent"] + 0.05
    assert both["pen"]["count"] == pure["pen"]["count"] == 1248  # five whole writers
    assert both["pen"]["error_percent"] <= 2.0
    assert both["pen"]["error_percent"] < 0.5 * pure["pen"]["error_percent"]


def test_it_says_which_command_made_it(path):
    metadata = read_metadata(path)
    assert metadata["command"].startswith("python -m capsnet.train --da")
    assert len(metadata["metrics"]["history"]) == metadata["settings"]["epochs"]
    assert metadata["code_version"]


def test_its_thresholds_of_doubt_let_digits_pass_and_hold_non_digits_back(model):
    doubt = model.metrics["doubt"]
    rates = doubt["rates"]
    assert rates["mnist"]["sure"] >= 0.95
    assert rates["pen"]["sure"] >= 0.95 * (1 - model.metrics["pen"]["error_percent"] / 100)
    assert rates["letters"]["sure"] < 0.6
    assert rates["scribbles"]["sure"] < 0.6
    blank = model(torch.zeros(1, 1, 28, 28)).lengths.numpy()
    assert not Doubt(doubt["length"], doubt["margin"]).sure(blank).any()


def test_it_reads_what_a_pen_draws(model):
    drawn = json.loads(PEN_STROKES.read_text())
    labels = torch.tensor([one["label"] for one in drawn])
    lengths = model(torch.cat([from_strokes(one["strokes"]) for one in drawn])).lengths
    assert int((lengths.argmax(1) != labels).sum()) <= 2


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


def test_its_survey_is_of_these_weights_and_of_the_whole_test_set(model, path):
    assert survey_path(path).stat().st_size < 500e3
    for section in ("routing", "moved"):
        survey = load_survey(survey_path(path), checkpoint_key(path), section)
        assert (survey.count, survey.trained) == (10_000, model.config.iterations)
        assert survey.class_counts.sum() == 10_000
    routing = load_survey(survey_path(path), checkpoint_key(path))
    assert routing.errors[2] == model.metrics["errors"]
    assert routing.own_mean.shape == (10, model.config.primary_capsules)


def test_its_survey_says_where_real_poses_lie(model, path, test_digits):
    population = load_survey(survey_path(path), checkpoint_key(path), "poses")
    assert population.count.sum() == 10_000 - model.metrics["errors"]
    assert population.misread.sum() == model.metrics["errors"]
    out = model(to_input(test_digits.images[:100]))
    stands = [
        standing(population, int(label), pose[label])
        for pose, label in zip(out.poses.numpy(), test_digits.labels[:100], strict=True)
    ]
    assert sum(one.far for one in stands) <= 5
    assert sum(one.off.mean() for one in stands) <= 5
    other = standing(population, 3, -population.mean[3])
    assert other.far
    assert other.off.any()


def test_its_survey_says_what_dimensions_do(model, path):
    for section in ("effects", "axes"):
        effects = load_survey(survey_path(path), checkpoint_key(path), section)
        assert effects.count.tolist() == [50] * 10
        assert effects.change.shape == (10, model.config.digit_dim)
        assert effects.change.min() > 0
        named = sum(single_effect(effects, j, k) is not None for j in range(10) for k in range(16))
        assert 16 < named < 120  # some do one thing, far from all


def test_the_card_says_what_the_files_say():
    card = (CHECKPOINTS / "README.md").read_text()
    shipped = [p for p in sorted(CHECKPOINTS.glob("*.safetensors")) if ".resume." not in p.name]
    assert card == model_card(shipped)


def test_a_file_without_a_story_has_no_card(tmp_path, capsys):
    capsnet.save_checkpoint(tmp_path / "x.safetensors", capsnet.CapsNet())
    assert main([str(tmp_path / "x.safetensors")]) == 1
    assert "does not tell its" in capsys.readouterr().err
