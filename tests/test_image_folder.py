"""Folders of images as data sets."""

import logging

import numpy as np
import pytest
import torch
from PIL import Image

from capsnet.data import DataError, load_dataset
from capsnet.datasets.image_folder import load_image_folder


def save(path, grey=200, size=(28, 28), **settings):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("L", size, grey).save(path, **settings)


@pytest.fixture
def folder(tmp_path):
    """Two classes without parts: thirteen images of "2", three of "10", each of another grey."""
    for name, count in (("10", 3), ("2", 13)):
        for k in range(count):
            save(
                tmp_path / "shapes" / name / f"image {k}.png", grey=k + (100 if name == "10" else 0)
            )
    return tmp_path / "shapes"


def test_subfolders_are_classes_in_natural_order(folder):
    data = load_image_folder(folder, train=True)
    assert data.class_names == ("2", "10")
    assert data.name == "shapes"
    assert data.labels.dtype == torch.int64
    assert data.images.dtype == torch.uint8
    assert data.images.shape[1:] == (28, 28)
    greys = data.images[:, 0, 0]
    assert ((greys >= 100) == (data.labels == 1)).all()


def test_every_sixth_image_of_each_class_is_for_the_test(folder):
    test, train = (load_image_folder(folder, train=part).images[:, 0, 0] for part in (False, True))
    assert sorted(test.tolist()) == [0, 6, 12, 100]
    assert sorted([*test.tolist(), *train.tolist()]) == [*range(13), 100, 101, 102]


def test_classes_are_mixed_evenly_and_alike_each_time(folder):
    data = load_image_folder(folder, train=True)  # ten of one class, two of the other
    assert data.labels.tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0]
    again = load_image_folder(folder, train=True)
    assert torch.equal(data.images, again.images)
    assert data.images[data.labels == 0][:, 0, 0].tolist() == [1, 2, 3, 4, 5, 7, 8, 9, 10, 11]


def test_folders_train_and_test_are_taken_as_they_are(tmp_path):
    for part, count in (("train", 3), ("test", 2)):
        for name in ("round", "square"):
            for k in range(count):
                save(tmp_path / part / name / f"{k}.png")
    assert len(load_dataset(str(tmp_path), "unused", train=True)) == 6
    assert len(load_dataset(str(tmp_path), "unused", train=False)) == 4
    save(tmp_path / "test" / "oval" / "0.png")
    with pytest.raises(DataError, match="only one has oval"):
        load_image_folder(tmp_path, train=True)
    save(tmp_path / "validation" / "oval" / "0.png")
    with pytest.raises(DataError, match="holds train and test, and validation besides"):
        load_image_folder(tmp_path, train=True)


def test_an_mnist_digit_as_a_picture_comes_back_pixel_by_pixel(tmp_path, mnist_slice):
    digits = mnist_slice["test_images"][:2]
    for name, digit in zip("ab", digits, strict=True):
        for k in range(2):
            (tmp_path / name).mkdir(exist_ok=True)
            Image.fromarray(digit).save(tmp_path / name / f"{k}.png")
    assert np.array_equal(load_image_folder(tmp_path, train=False).images, digits)


def read_one(tmp_path, picture, name="one.png"):
    """A picture as the folder's reader leaves it."""
    for label in "ab":
        save(tmp_path / label / "0.png")
        save(tmp_path / label / "1.png")
    picture.save(tmp_path / "a" / name)
    (tmp_path / "a" / name).rename(tmp_path / "a" / f"0{name}")  # the first: for the test
    (tmp_path / "a" / "0.png").unlink()
    return load_image_folder(tmp_path, train=False).images[0].numpy()


def test_a_wide_picture_is_fitted_whole_into_the_middle(tmp_path):
    seen = read_one(tmp_path, Image.new("RGB", (200, 100), "white"))
    assert (seen[7:21] == 255).all()
    assert not seen[:7].any()
    assert not seen[21:].any()


def test_a_ribbon_is_not_lost(tmp_path):
    assert read_one(tmp_path, Image.new("L", (1000, 2), 255)).any()


def test_colours_turn_grey_and_what_is_transparent_is_paper(tmp_path):
    picture = Image.new("RGBA", (56, 56), (255, 255, 255, 0))
    picture.paste((255, 0, 0, 255), (0, 0, 28, 56))
    seen = read_one(tmp_path, picture)
    assert (seen[:, :13] == 76).all()  # 0.299 · 255
    assert not seen[:, 15:].any()


def test_sixteen_bits_keep_their_upper_eight(tmp_path):
    deep = Image.fromarray(np.full((28, 28), 200 * 256 + 17, dtype=np.uint16))
    assert (read_one(tmp_path, deep) == 200).all()


def test_a_photo_is_turned_as_its_camera_says(tmp_path):
    picture = Image.new("L", (28, 28))
    picture.paste(255, (0, 0, 28, 14))  # bright above
    exif = Image.Exif()
    exif[0x0112] = 3  # upside down
    for label in "ab":
        save(tmp_path / label / "1.png")
        (tmp_path / label).mkdir(exist_ok=True)
        picture.save(tmp_path / label / "0.jpg", exif=exif)
    seen = load_image_folder(tmp_path, train=False).images[0].float()
    assert seen[18:].mean() > 250
    assert seen[:10].mean() < 5


def test_hidden_files_and_files_beside_the_classes_are_passed_over(folder):
    before = len(load_image_folder(folder, train=True))
    (folder / "2" / ".DS_Store").write_bytes(b"x")
    (folder / ".cache").mkdir()
    (folder / "LICENCE").write_text("free")
    assert len(load_image_folder(folder, train=True)) == before


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda f: (f / "2" / "notes.txt").write_text("no picture"), r"notes.txt cannot be read"),
        (lambda f: (f / "2" / "image 1.png").write_bytes(b""), "image 1.png cannot be read"),
        (
            lambda f: (f / "2" / "image 1.png").write_bytes(
                (f / "2" / "image 1.png").read_bytes()[:45]
            ),
            "image 1.png cannot be read",
        ),
        (lambda f: (f / "11").mkdir(), "no images in 11 of"),
        (lambda f: (f / "2" / "deep").mkdir(), "a folder in that of the class 2"),
        (lambda f: save(f / "3" / "0.png"), "3 holds one image, and needs one for the test"),
        (lambda f: [file.unlink() for file in (f / "2").iterdir()], "no images in 2 of"),
        (
            lambda f: Image.new("L", (9, 9)).save(
                f / "2" / "moves.gif", save_all=True, append_images=[Image.new("L", (9, 9), 255)]
            ),
            "moves or has several pages",
        ),
        (
            lambda f: Image.fromarray(np.ones((9, 9), dtype=np.float32)).save(f / "2" / "f.tiff"),
            "f.tiff cannot be read",
        ),
    ],
)
def test_what_is_wrong_with_a_folder_is_said_in_words(folder, change, words):
    change(folder)
    with pytest.raises(DataError, match=words) as error:
        load_image_folder(folder, train=True)
        load_image_folder(folder, train=False)
    assert "\n" not in str(error.value)


def test_train_without_test_is_said_to_lack_it(folder, tmp_path):
    (tmp_path / "parts").mkdir()
    folder.rename(tmp_path / "parts" / "train")
    with pytest.raises(DataError, match="holds train, with folders in it, but no test"):
        load_image_folder(tmp_path / "parts", train=True)


def test_what_pillow_says_of_a_picture_is_told(folder):
    (folder / "2" / "empty.png").touch()
    with pytest.raises(DataError, match=r"empty.png cannot be read as a picture \(cannot identify"):
        load_image_folder(folder, train=False)  # the first of its class


def test_one_class_or_none_is_not_enough(tmp_path):
    with pytest.raises(DataError, match="no folders of images"):
        load_image_folder(tmp_path, train=True)
    save(tmp_path / "only" / "0.png")
    save(tmp_path / "only" / "1.png")
    with pytest.raises(DataError, match="one class alone, only"):
        load_image_folder(tmp_path, train=True)


def test_dark_ink_on_light_paper_is_warned_of(folder, tmp_path, caplog):
    with caplog.at_level(logging.WARNING):
        load_image_folder(folder, train=True)
        assert not caplog.messages
        for name in "ab":
            for k in range(2):
                save(tmp_path / "bright" / name / f"{k}.png", grey=240)
        load_image_folder(tmp_path / "bright", train=True)
    assert "invert them" in caplog.messages[0]
