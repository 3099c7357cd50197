import numpy as np
import pytest
import torch

from capsnet.data import DataError
from capsnet.datasets.pen import PenChange, load_pen
from capsnet.preprocessing.drawing import from_strokes
from tests.unipen import unipen


def test_it_reads_strokes_labels_and_writers_with_y_down(pen_folder):
    pen = load_pen(pen_folder)
    assert pen.labels.tolist() == [7, 4, 7, 1, 7]
    assert pen.writers.tolist() == [1, 1, 2, 3, 3]
    down, across = pen.strokes[1]
    assert down.tolist() == [[201, -450], [230, -20]]
    assert across.tolist() == [[100, -300], [400, -300]]


def test_held_out_writers_are_whole_and_apart(pen_folder):
    pen = load_pen(pen_folder)
    seen, unseen = pen.split(1)
    assert (set(seen.writers.tolist()), set(unseen.writers.tolist())) == ({1, 2}, {3})
    assert len(seen) + len(unseen) == len(pen)
    assert unseen.labels.tolist() == [1, 7]
    assert len(pen.split(0)[1]) == 0
    with pytest.raises(DataError, match="at most 2"):
        pen.split(3)


def test_digits_are_drawn_as_any_drawing_is(pen_folder):
    pen = load_pen(pen_folder)
    drawn = pen.drawn()
    assert drawn.images.dtype == torch.uint8
    assert drawn.images.shape == (5, 28, 28)
    wanted = (from_strokes(pen.strokes[3])[0, 0] * 255).round()
    assert torch.equal(drawn.images[3].float(), wanted)
    assert torch.equal(drawn.labels, pen.labels)


def test_a_seed_decides_how_digits_are_redrawn(pen_folder):
    pen = load_pen(pen_folder)
    first, again, other = (pen.redrawn(PenChange(), seed).images for seed in (3, 3, 4))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
    assert not torch.equal(first[0], first[2])  # each digit is changed on its own


def test_the_pen_of_a_redrawn_digit_is_as_thick_as_asked(pen_folder):
    pen = load_pen(pen_folder)
    still = {"rotation": 0, "slant": 0, "stretch": 0, "bend": 0}
    thin = pen.redrawn(PenChange(thickness=(2, 2), **still), 0).images.float()
    thick = pen.redrawn(PenChange(thickness=(4, 4), **still), 0).images.float()
    assert thick.sum() > 1.5 * thin.sum()
    assert torch.equal(thin, pen.drawn(thickness=2).images.float())


def test_a_change_bends_and_tilts_but_keeps_the_strokes_together():
    corner = [np.array([[0.0, 0.0], [0.0, 300.0]]), np.array([[0.0, 300.0], [200.0, 300.0]])]
    random = np.random.default_rng(0)
    angles = []
    for _ in range(200):
        down, across = PenChange()(corner, random)
        assert np.allclose(down[1], across[0])  # the same point stays the same
        assert np.abs(np.concatenate([down, across])).max() < 1
        step = down[1] - down[0]
        angles.append(np.degrees(np.arctan2(step[0], step[1])))
    assert 5 < np.std(angles) < 20
    assert abs(np.mean(angles)) < 4


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no pen digits"),
        (unipen([(7, 1)]).replace('? "7"', ""), "without label"),
        (unipen([(7, 1)]).replace(".COMMENT", ".REMARK"), "without label or writer"),
        (unipen([(7, 1)]).replace("PEN_DOWN", "PEN_SIDEWAYS"), "without strokes"),
        (unipen([(7, 1)]).replace(" 300\n", " three\n"), "three"),
        (unipen([(7, 1)]).replace(" 400  300\n", " 400\n"), "pen digits"),
        (unipen([(7, 1)]).replace("DIGIT", "Zïffer"), "cannot be read"),
    ],
)
def test_a_file_of_another_kind_is_refused_in_words(tmp_path, text, words):
    (tmp_path / "x.tra").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=words):
        load_pen(tmp_path)


def test_a_folder_without_pen_digits_says_what_to_put_there(tmp_path):
    with pytest.raises(DataError, match=r"Put pendigits-orig\.tra"):
        load_pen(tmp_path / "none")
