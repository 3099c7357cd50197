import io
import math
import time

import numpy as np
import pytest
import torch
from PIL import Image
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from capsnet import CapsNet, CapsNetConfig
from capsnet.analysis.couplings import coupling_entropy
from capsnet.checkpoint import Provenance
from capsnet.data import LabelledImages
from capsnet.train import main, train
from capsnet.training.board import TensorBoard
from capsnet.training.board_pictures import CELL, FAINT, GAP, LABEL, LINE, VIRIDIS, sheet
from capsnet.training.epoch import Learner, train_epoch
from capsnet.training.recipe import Recipe, TrainingData, learning_rate

SMALL = CapsNetConfig(
    conv_channels=4, primary_types=2, primary_dim=4, digit_dim=4, decoder_hidden=(8, 8)
)
NEXT_FILE = 1.1  # seconds: TensorBoard reads files in the order of the seconds in their names


@pytest.fixture(scope="module")
def digits(mnist_slice):
    return LabelledImages(
        torch.from_numpy(mnist_slice["train_images"][:120]),
        torch.from_numpy(mnist_slice["train_labels"][:120]).long(),
    )


def run(out, digits, logdir, epochs=2, resume=False, config=SMALL):
    return train(
        config,
        Recipe(epochs=epochs, batch_size=40),
        TrainingData(digits, digits.take(60), validation=digits.take(20)),
        out,
        device=torch.device("cpu"),
        provenance=Provenance(),
        resume=resume,
        logdir=logdir,
    )


@pytest.fixture(scope="module")
def trained(tmp_path_factory, digits):
    """A network after one epoch of three steps, and its log."""
    folder = tmp_path_factory.mktemp("trained")
    model = run(folder / "x.safetensors", digits, folder / "log", epochs=1)
    return model, read(folder / "log")


def read(logdir):
    return EventAccumulator(str(logdir), {"scalars": 0, "images": 0, "histograms": 0}).Reload()


def scalars(log, tag):
    return {event.step: event.value for event in log.Scalars(tag)}


def picture(log, name, at=-1):
    data = log.Images(f"samples/{name}")[at].encoded_image_string
    return np.asarray(Image.open(io.BytesIO(data)))


def cell(sheet, row, column, heights=(CELL, CELL, CELL)):
    """The picture at a place of a sheet."""
    top = LINE + sum(heights[:row]) + GAP * row
    left = LABEL + column * (CELL + GAP)
    return sheet[top : top + heights[row], left : left + CELL]


def test_the_log_tells_what_the_history_tells(tmp_path, digits):
    model = run(tmp_path / "x.safetensors", digits, tmp_path / "log")
    log = read(tmp_path / "log")
    history = model.metrics["history"]
    for part in ("train", "test", "validation"):
        for name in ("margin_loss", "reconstruction_sse", "error_percent"):
            told = scalars(log, f"{part}/{name}")
            assert list(told) == [3, 6]
            expected = [line[part][name] for line in history]
            np.testing.assert_allclose(list(told.values()), expected, rtol=1e-6)
    speeds = scalars(log, "epochs/images_per_second")
    assert list(speeds.values()) == pytest.approx([line["images_per_second"] for line in history])
    rates = scalars(log, "epochs/learning_rate")
    assert rates == pytest.approx({n: learning_rate(Recipe(), n - 1, 6) for n in (3, 6)})


def test_the_steps_losses_are_means_since_the_note_before(tmp_path, digits):
    recipe = Recipe(epochs=2, batch_size=1)
    torch.manual_seed(0)
    learner = Learner.of(CapsNet(SMALL), recipe)
    losses = []
    learner.losses.register_forward_hook(lambda *call: losses.append(call[2][0].item()))
    board = TensorBoard(tmp_path, digits.take(20))
    for epoch in range(2):
        trained = train_epoch(learner, digits, recipe, epoch, board=board, progress=False)
        line = {"train": trained, "images_per_second": 1.0}
        board.epoch(120 * (epoch + 1), 0.0, line, learner.average.model)
    told = scalars(read(tmp_path), "steps/loss")
    assert list(told) == [10, 60, 110, 160, 210]
    # The fourth note begins where the second epoch does.
    spans = [(0, 10), (10, 60), (60, 110), (120, 160), (160, 210)]
    expected = [np.mean(losses[start:stop]) for start, stop in spans]
    np.testing.assert_allclose(list(told.values()), expected, rtol=1e-4)
    rates = scalars(read(tmp_path), "steps/learning_rate")
    assert rates == pytest.approx({n: learning_rate(recipe, n - 1, 240) for n in told})


def test_the_pictures_show_the_first_image_of_each_class_and_what_is_drawn_of_it(trained, digits):
    model, log = trained
    shown = picture(log, "reconstructions")
    assert shown.shape == (2 * LINE + 2 * (CELL + GAP), LABEL + 10 * (CELL + GAP), 3)
    for j in range(10):
        image = digits.images[(digits.labels == j).nonzero()[0, 0]]
        np.testing.assert_array_equal(cell(shown, 0, j)[1::3, 1::3, 0], image.numpy())
        x = image[None, None].float() / 255
        drawn = (255 * model.decode(model(x).poses)[0, 0]).round().numpy()
        np.testing.assert_allclose(cell(shown, 1, j)[1::3, 1::3, 0], drawn, atol=1)
    words = shown[-LINE:, LABEL:]
    assert words.min() < 100  # what is read in them


def test_the_entropies_are_those_of_the_couplings(trained, digits):
    model, log = trained
    first = [int((digits.labels == j).nonzero()[0, 0]) for j in range(10)]
    couplings = model.trace(digits.images[first][:, None].float() / 255, 3).couplings
    entropy = coupling_entropy(couplings)
    for t in range(3):
        told = scalars(log, f"routing/entropy_{t + 1}")
        assert told == pytest.approx({3: entropy[t].mean()}, abs=1e-5)
    assert scalars(log, "routing/entropy_1")[3] == pytest.approx(math.log2(10), abs=1e-5)


def test_the_entropys_colours_tell_how_far_each_place_is_below_even(tmp_path, digits):
    torch.manual_seed(0)
    model = CapsNet(SMALL).eval()
    with torch.no_grad():
        model.W.mul_(30)  # couplings that decide
    board = TensorBoard(tmp_path, digits)
    board.epoch(7, 0.1, {"images_per_second": 1.0}, model)
    board.close()
    shown = picture(read(tmp_path), "coupling_entropy")
    heights = (CELL, CELL, CELL, 10)
    even = cell(shown, 0, 4, heights)
    assert (even == VIRIDIS[0]).all()
    image = digits.images[(digits.labels == 4).nonzero()[0, 0]][None, None].float() / 255
    entropy = coupling_entropy(model.trace(image, 3).couplings)[2, 0]
    below = math.log2(10) - entropy.reshape(2, 6, 6).mean(axis=0)
    share = np.log(np.maximum(below, FAINT) / FAINT) / math.log(math.log2(10) / FAINT)
    assert np.ptp(share) > 0.1
    greens = np.interp(share, np.linspace(0, 1, len(VIRIDIS)), VIRIDIS[:, 1])
    np.testing.assert_allclose(cell(shown, 2, 4, heights)[7::14, 7::14, 1], greens, atol=1)


def test_every_capsules_lengths_are_counted(trained):
    _, log = trained
    for j in range(10):
        histogram = log.Histograms(f"lengths/{j}")[0].histogram_value
        assert histogram.num == 60
        assert 0 <= histogram.min <= histogram.max <= 1


def test_without_a_decoder_the_log_shows_images_alone(tmp_path, digits):
    config = CapsNetConfig.from_dict(SMALL.to_dict() | {"decoder_hidden": None})
    run(tmp_path / "x.safetensors", digits, tmp_path / "log", 1, config=config)
    log = read(tmp_path / "log")
    assert picture(log, "reconstructions").shape[0] == 2 * LINE + CELL + GAP
    assert not {"train/reconstruction_sse", "test/reconstruction_sse"} & set(log.Tags()["scalars"])


def test_a_resumed_run_takes_back_what_it_does_again(tmp_path, digits):
    killed = TensorBoard(tmp_path, digits)
    for step in (100, 200, 300):
        killed.step(step, 99.0, step, 0.1)
    killed.close()
    time.sleep(NEXT_FILE)
    resumed = TensorBoard(tmp_path, digits, done=200)
    resumed.step(250, 1.0, 50, 0.1)
    resumed.close()
    told = scalars(read(tmp_path), "steps/loss")
    assert told == {100: 99, 200: 99, 250: 1}


def test_a_resumed_run_notes_its_first_look(tmp_path, digits):
    # TensorBoard itself takes back only what a curve that goes back covers.
    board = TensorBoard(tmp_path, digits, done=200)
    for step in (210, 220, 260):
        board.step(step, 1.0, step, 0.1)
    board.close()
    assert list(scalars(read(tmp_path), "steps/loss")) == [210, 260]


def test_a_resumed_run_goes_on_in_the_log(tmp_path, digits, monkeypatch):
    out, log = tmp_path / "x.safetensors", tmp_path / "log"

    def stopped(*arguments, **settings):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("capsnet.train.write_log", stopped)  # after an epoch was saved
        with pytest.raises(KeyboardInterrupt):
            run(out, digits, log)
    time.sleep(NEXT_FILE)
    model = run(out, digits, log, resume=True)
    told = scalars(read(log), "test/margin_loss")
    assert told == pytest.approx({6: model.metrics["margin_loss"]}, rel=1e-6)


def test_without_a_log_nothing_of_it_is_written(tmp_path, digits):
    run(tmp_path / "x.safetensors", digits, None, epochs=1)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"x.safetensors", "x.resume.safetensors", "x.jsonl"}


def test_taking_notes_changes_no_weight(trained, tmp_path, digits):
    without = run(tmp_path / "x.safetensors", digits, None, epochs=1)
    for one, other in zip(trained[0].parameters(), without.parameters(), strict=True):
        assert torch.equal(one, other)


def test_words_that_are_too_long_are_cut():
    cells = np.zeros((2, 28, 28, 3), np.uint8)
    long, short = (sheet([head, ""], [("", cells)]) for head in ("W" * 80, "W"))
    assert long.shape == short.shape
    beside = long[:LINE, LABEL + CELL + GAP :]
    assert (beside == 255).all()
    assert (short[:LINE, LABEL : LABEL + CELL] != 255).any()


@pytest.mark.parametrize(
    ("there", "words"),
    [
        ("no TensorBoard", "pip install tensorboard"),
        ("a file", "cannot be written"),
        ("a run", "holds the log of a run: name another folder, or go on with --resume"),
    ],
)
def test_a_log_that_cannot_be_written_is_refused_before_training(
    tmp_path, mnist_root, digits, there, words, monkeypatch, capsys
):
    logdir, out = tmp_path / "log", tmp_path / "x.safetensors"
    if there == "no TensorBoard":
        monkeypatch.setattr("capsnet.training.board.find_spec", lambda name: None)
    elif there == "a file":
        logdir.write_text("a file")
    else:
        TensorBoard(logdir, digits).close()
    given = ["--data-dir", str(mnist_root), "--device", "cpu", "--out", str(out)]
    assert main([*given, "--logdir", str(logdir)]) == 1
    message = capsys.readouterr().err
    assert words in message
    assert len(message.strip().splitlines()) == 1
    assert not out.exists()
