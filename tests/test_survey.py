"""Surveying a checkpoint from the command line, and reading the file back."""

import dataclasses
import json
import math

import numpy as np
import pytest
import torch

from capsnet import CapsNet, CapsNetConfig, load_checkpoint, save_checkpoint
from capsnet.analysis.effects import Effects, measure_effects
from capsnet.analysis.population import PosePopulation, pose_population
from capsnet.checkpoint import Provenance
from capsnet.data import load_dataset
from capsnet.evaluate import evaluate
from capsnet.survey import (
    SurveyError,
    checkpoint_key,
    how_to_make,
    load_survey,
    main,
    save_survey,
    survey_path,
)
from capsnet.surveying import all_poses, moved, survey, survey_effects

TINY = CapsNetConfig(
    conv_channels=4, primary_types=2, primary_dim=3, digit_dim=4, decoder_hidden=(5, 6)
)


@pytest.fixture
def tiny():
    torch.manual_seed(0)
    model = CapsNet(TINY).eval().requires_grad_(False)
    model.W.mul_(10)
    return model


@pytest.fixture
def file(tiny, tmp_path):
    save_checkpoint(tmp_path / "tiny.safetensors", tiny, Provenance("MNIST"))
    return tmp_path / "tiny.safetensors"


@pytest.fixture
def made(tiny, test_digits):
    return survey(tiny, test_digits.take(120))


def same(one, other):
    assert type(one) is type(other)
    for field in dataclasses.fields(one):
        left, right = getattr(one, field.name), getattr(other, field.name)
        np.testing.assert_allclose(left, right, rtol=1e-6, atol=1e-7)
    return True


def test_its_errors_are_those_of_the_evaluation(tiny, test_digits):
    surveyed = survey(tiny, test_digits)
    assert (surveyed.count, surveyed.trained) == (300, 3)
    for iterations in (1, 3, 10):
        assert (
            surveyed.errors[iterations - 1]
            == evaluate(tiny, test_digits, iterations=iterations).errors
        )


def test_the_command_line_writes_the_survey_beside_the_checkpoint(
    file, mnist_root, test_digits, capsys
):
    assert main([str(file), "--data-dir", str(mnist_root), "--device", "cpu"]) == 0
    assert "300 images" in capsys.readouterr().out
    found = load_survey(survey_path(file), checkpoint_key(file))
    assert same(found, survey(load_checkpoint(file), test_digits))
    assert same(
        load_survey(survey_path(file), checkpoint_key(file), "moved"),
        survey(load_checkpoint(file), test_digits, "moved"),
    )
    assert isinstance(found.count, int)
    assert isinstance(found.static, float)


def test_of_clothes_it_surveys_what_is_not_measured_in_strokes(tmp_path, fashion_root, capsys):
    torch.manual_seed(0)
    file = tmp_path / "clothes.safetensors"
    given = [str(file), "--data-dir", str(fashion_root), "--limit", "60", "--device", "cpu"]
    names = load_dataset("fashion-mnist", fashion_root, train=False).class_names
    save_checkpoint(file, CapsNet(TINY, class_names=names), Provenance("Fashion-MNIST"))
    assert main(given) == 0
    assert "effects: left out, what a dimension does" in capsys.readouterr().out
    key = checkpoint_key(file)
    assert load_survey(survey_path(file), key).count == 60
    assert load_survey(survey_path(file), key, "moved").count == 60
    assert len(load_survey(survey_path(file), key, "poses").count) == 10
    for section in ("effects", "axes"):
        with pytest.raises(SurveyError, match=f"no section {section}"):
            load_survey(survey_path(file), key, section)
    assert main([*given, "--sections", "poses", "axes"]) == 1
    assert "there is no section axes: what a dimension does" in capsys.readouterr().err


def test_of_a_network_without_a_decoder_it_surveys_what_is_not_drawn(mnist_root, tmp_path, capsys):
    file = tmp_path / "bare.safetensors"
    bare = CapsNet(dataclasses.replace(TINY, decoder_hidden=None))
    save_checkpoint(file, bare, Provenance("MNIST"))
    given = [str(file), "--data-dir", str(mnist_root), "--limit", "60", "--device", "cpu"]
    assert main(given) == 0
    assert "axes: left out, the network has no decoder" in capsys.readouterr().out
    assert load_survey(survey_path(file), checkpoint_key(file)).count == 60


def test_sections_can_be_made_alone(file, mnist_root, test_digits, capsys):
    given = [str(file), "--data-dir", str(mnist_root), "--limit", "90", "--device", "cpu"]
    assert main([*given, "--sections", "poses"]) == 0
    assert "poses of" in capsys.readouterr().out
    assert main([*given, "--sections", "effects", "axes"]) == 0
    told = capsys.readouterr().out
    assert "effects: " in told
    assert "axes: " in told
    key, model, few = checkpoint_key(file), load_checkpoint(file), test_digits.take(90)
    poses, labels = all_poses(model, few), few.labels.numpy()
    found = load_survey(survey_path(file), key, "poses")
    assert isinstance(found, PosePopulation)
    assert same(found, pose_population(poses, labels))
    effects = load_survey(survey_path(file), key, "effects")
    assert isinstance(effects, Effects)
    assert same(effects, survey_effects(model, poses, labels))
    assert same(
        load_survey(survey_path(file), key, "axes"),
        survey_effects(model, poses, labels, along_axes=True),
    )
    with pytest.raises(SurveyError, match="no section routing"):
        load_survey(survey_path(file), key)


def test_the_poses_are_those_of_the_forward_pass(tiny, test_digits, images):
    np.testing.assert_allclose(all_poses(tiny, test_digits), tiny(images).poses, atol=1e-6)


def test_digits_read_right_are_moved_and_decoded_alone(tiny, test_digits):
    poses, labels = all_poses(tiny, test_digits), test_digits.labels.numpy()
    right = np.linalg.norm(poses, axis=-1).argmax(axis=1) == labels
    chosen, population = [], pose_population(poses, labels)
    for j in range(10):
        of_class = [n for n in range(len(labels)) if labels[n] == j and right[n]]
        picked = of_class if len(of_class) < 3 else [of_class[0], of_class[-1]]
        chosen.append(poses[picked[:2], j])

    def decode(v, digit):
        whole = torch.ones(len(v), 10, TINY.digit_dim)  # the other capsules do not matter
        whole[:, digit] = torch.tensor(v)
        return tiny.decode(whole, digit)[:, 0].numpy()

    found = survey_effects(tiny, poses, labels, count=2)
    assert found.count.max() == 2
    assert same(found, measure_effects(decode, chosen))
    along = survey_effects(tiny, poses, labels, count=2, along_axes=True)
    deviations = population.axes * population.spreads[..., None] * 10  # 0.1 is one of them
    assert same(along, measure_effects(decode, chosen, deviations))


def test_the_first_images_alone_can_be_surveyed_into_another_file(file, mnist_root, tmp_path):
    out = tmp_path / "elsewhere" / "few.npz"
    given = ["--data-dir", str(mnist_root), "--limit", "70", "--out", str(out), "--device", "cpu"]
    assert main([str(file), *given]) == 0
    assert load_survey(out, checkpoint_key(file)).count == 70
    assert not survey_path(file).exists()


def test_moved_images_are_turned_sheared_and_scaled_about_their_centre(images):
    bar = torch.zeros(16, 1, 28, 28)
    bar[:, 0, 8:20, 13:15] = 1
    rows = torch.arange(28.0) - 13.5
    angles, sizes = [], []
    for image in moved(bar)[:, 0]:
        slope = float((image * rows[:, None] * rows).sum() / (image * rows[:, None] ** 2).sum())
        angles.append(math.degrees(math.atan(slope)))
        sizes.append(float(image.sum()) / 24)
        assert float((image * rows).sum()) == pytest.approx(0, abs=0.1)
    assert sizes[:8:2] == pytest.approx([1.2**2] * 4, rel=0.03)
    assert sizes[1:8:2] == pytest.approx([0.8**2] * 4, rel=0.03)
    expected = [math.degrees(math.atan(s)) + turn for turn in (20, -20) for s in (-0.2, 0.2)]
    assert [abs(angle) for angle in angles[:8:2]] == pytest.approx(list(map(abs, expected)), abs=3)
    assert angles[8:] == pytest.approx(angles[:8])
    assert torch.equal(moved(images[:20])[7:], moved(images[7:20], 7))
    assert moved(images).min() >= 0
    assert moved(images).max() <= 1


def test_a_survey_of_another_version_of_the_checkpoint_is_refused(made, tmp_path):
    save_survey(tmp_path / "x.npz", "0123456789abcdef", {"routing": made})
    assert same(load_survey(tmp_path / "x.npz", "0123456789abcdef"), made)
    with pytest.raises(SurveyError, match="another version of the checkpoint"):
        load_survey(tmp_path / "x.npz", "fedcba9876543210")


def test_a_missing_or_damaged_file_is_told_in_words(made, tmp_path):
    path = tmp_path / "x.npz"
    with pytest.raises(SurveyError, match="does not exist"):
        load_survey(path, "key")
    save_survey(path, "key", {"routing": made})
    good = path.read_bytes()
    broken = [b"", b"no survey", good[:1000], good[:2000] + bytes(500) + good[2500:]]
    for content in broken:
        path.write_bytes(content)
        with pytest.raises(SurveyError, match="damaged"):
            load_survey(path, "key")
    with pytest.raises(SurveyError, match="cannot be read"):
        load_survey(tmp_path, "key")


def test_files_of_other_kinds_are_told_apart(made, tmp_path):
    path = tmp_path / "x.npz"
    np.savez(path, images=np.zeros(3))
    with pytest.raises(SurveyError, match="not a survey"):
        load_survey(path, "key")
    np.savez(path, about=json.dumps({"format": "capsnet-survey-9", "checkpoint": "key"}))
    with pytest.raises(SurveyError, match="format capsnet-survey-9"):
        load_survey(path, "key")
    about = json.dumps({"format": "capsnet-survey-1", "checkpoint": "key"})
    np.savez(path, about=about)
    with pytest.raises(SurveyError, match="no section routing"):
        load_survey(path, "key")
    np.savez(path, about=about, **{"routing.count": np.array(3)})
    with pytest.raises(SurveyError, match="lacks trained, errors"):
        load_survey(path, "key")


def test_other_sections_of_the_same_checkpoint_are_kept(made, tmp_path):
    path = tmp_path / "x.npz"
    about = json.dumps({"format": "capsnet-survey-1", "checkpoint": "key", "more": 1})
    np.savez(path, about=about, **{"future.mean": np.arange(3.0)})
    save_survey(path, "key", {"routing": made})
    assert same(load_survey(path, "key"), made)
    with np.load(path) as stored:
        assert stored["future.mean"].tolist() == [0, 1, 2]
        assert json.loads(str(stored["about"]))["more"] == 1
    save_survey(path, "another", {"routing": made})
    with np.load(path) as stored:
        assert "future.mean" not in stored


def test_bad_input_gives_one_clear_line(file, tmp_path, mnist_root, capsys):
    save_checkpoint(tmp_path / "other.safetensors", CapsNet(dataclasses.replace(TINY, classes=5)))
    data = ["--dataset", "mnist", "--data-dir", str(mnist_root), "--device", "cpu"]
    for given, told in [
        ([str(tmp_path / "none.safetensors"), *data], "does not exist"),
        ([str(tmp_path / "other.safetensors"), *data], "not for MNIST"),
        ([str(file), *data, "--out", str(tmp_path / "x.txt")], "--out must end in .npz"),
        ([str(file), *data, "--out", str(file / "x.npz")], "cannot be written"),
        ([str(file), *data, "--device", "abacus"], "not available here"),
    ]:
        assert main(given) == 1
        message = capsys.readouterr().err
        assert told in message
        assert len(message.strip().splitlines()) == 1
    with pytest.raises(SystemExit):
        main([str(file), "--limit", "0"])
    assert "must be at least 1" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([str(file), "--sections", "colours"])
    assert "colours" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_told_in_words(made, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(SurveyError, match="cannot be written"):
        save_survey(tmp_path / "file" / "x.npz", "key", {"routing": made})


def test_of_a_folder_of_images_the_command_asks_where_it_is():
    assert how_to_make("x.safetensors", "shapes").endswith(" --dataset FOLDER")
    for known in ("", "MNIST and pen strokes of 30 writers", "Fashion-MNIST"):
        assert how_to_make("x.safetensors", known).endswith(" --data-dir data")


def test_the_command_it_tells_is_the_one_there_is():
    assert how_to_make("checkpoints/x.safetensors") == (
        "python -m capsnet.survey checkpoints/x.safetensors --data-dir data"
    )
