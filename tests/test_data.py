"""The sets known by name, as files of MNIST's format."""

import gzip

import pytest
import torch

from capsnet.data import DATASETS, DIGITS, DataError, dataset_of, load_dataset, to_input
from tests.idx import PARTS, write_set

PLACES = {
    "mnist": ("MNIST", "MNIST"),
    "fashion-mnist": ("FashionMNIST", "Fashion-MNIST"),
    "kmnist": ("KMNIST", "KMNIST"),
    "emnist-digits": ("EMNIST", "EMNIST digits"),
}
EMNIST_PARTS = (("train", "emnist-digits-train"), ("test", "emnist-digits-test"))


@pytest.fixture(params=DATASETS)
def named(request, tmp_path, mnist_slice):
    """A set by its name, the root it lies in, the folder of its files, and how they begin."""
    name = request.param
    raw = tmp_path / "data" / PLACES[name][0] / "raw"
    parts = EMNIST_PARTS if name == "emnist-digits" else PARTS
    write_set(raw, mnist_slice, parts)
    return name, tmp_path / "data", raw, parts[1][1]


def test_the_files_of_each_set_are_read_and_tell_their_classes(named, mnist_slice):
    name, root, _, _ = named
    for part in ("train", "test"):
        data = load_dataset(name, root, train=part == "train")
        expected = torch.from_numpy(mnist_slice[f"{part}_images"])
        if name == "emnist-digits":  # its files hold rows and columns swapped
            expected = expected.transpose(1, 2)
        assert torch.equal(data.images, expected)
        assert data.images.is_contiguous()
        assert data.labels.tolist() == mnist_slice[f"{part}_labels"].tolist()
        assert data.labels.dtype == torch.int64
        assert data.name == PLACES[name][1]
        assert len(set(data.class_names)) == 10
        assert (data.class_names == DIGITS) == (name in ("mnist", "emnist-digits"))


def test_the_first_images_keep_the_names_of_their_classes(fashion_root):
    data = load_dataset("fashion-mnist", fashion_root, train=False)
    few = data.take(7)
    kept, held_out = data.split(4)
    assert (len(few), len(kept), len(held_out)) == (7, len(data) - 4, 4)
    assert len(data.take(None)) == len(data)
    for part in (few, kept, held_out):
        assert part.class_names[9] == "Ankle boot"
        assert part.name == "Fashion-MNIST"


def test_inputs_are_0_to_1_and_ink_is_1(mnist_root):
    x = to_input(load_dataset("mnist", mnist_root, train=False).images)
    assert x.shape[1:] == (1, 28, 28)
    assert x.min() == 0
    assert x.max() == 1
    assert x.mean() < 0.3  # mostly paper


@pytest.fixture
def offline(monkeypatch):
    def refuse(*arguments, **settings):
        raise RuntimeError("Error downloading train-images-idx3-ubyte.gz:\nno network")

    for kind in ("MNIST", "EMNIST"):  # the others download as MNIST does
        monkeypatch.setattr(f"torchvision.datasets.{kind}.download", refuse)


@pytest.mark.parametrize("name", DATASETS)
def test_offline_it_says_which_files_to_put_where(name, tmp_path, offline):
    with pytest.raises(DataError) as error:
        load_dataset(name, tmp_path / "nowhere", train=True)
    folder, title = PLACES[name]
    for words in (
        f"{title} is not in",
        "train-images-idx3-ubyte",
        "labels-idx1-ubyte",
        f"nowhere/{folder}/raw",
    ):
        assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_one_missing_file_is_named_alone(named, offline):
    name, root, raw, prefix = named
    (raw / f"{prefix}-labels-idx1-ubyte").unlink()
    with pytest.raises(DataError, match=f"unpacked files {prefix}-labels-idx1-ubyte into"):
        load_dataset(name, root, train=False)


def test_a_data_dir_that_is_a_file_is_an_error_in_words(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(DataError, match="could not be downloaded"):
        load_dataset("mnist", tmp_path / "file", train=True)


@pytest.mark.parametrize("kept", [0, 3, 10, 16, 5000])
def test_a_cut_off_image_file_is_refused(named, kept):
    name, root, raw, prefix = named
    file = raw / f"{prefix}-images-idx3-ubyte"
    file.write_bytes(file.read_bytes()[:kept])
    with pytest.raises(DataError, match="cannot be read"):
        load_dataset(name, root, train=False)


def test_swapped_files_are_refused(named):
    name, root, raw, prefix = named
    images, labels = (raw / f"{prefix}-{kind}-ubyte" for kind in ("images-idx3", "labels-idx1"))
    one, other = images.read_bytes(), labels.read_bytes()
    images.write_bytes(other)
    labels.write_bytes(one)
    with pytest.raises(DataError):
        load_dataset(name, root, train=False)


def test_labels_of_another_part_are_refused(named):
    name, root, raw, prefix = named
    other = {"t10k": "train", "emnist-digits-test": "emnist-digits-train"}[prefix]
    (raw / f"{prefix}-labels-idx1-ubyte").write_bytes(
        (raw / f"{other}-labels-idx1-ubyte").read_bytes()
    )
    with pytest.raises(DataError, match="do not belong together"):
        load_dataset(name, root, train=False)


def test_a_label_above_9_is_refused(named):
    name, root, raw, prefix = named
    file = raw / f"{prefix}-labels-idx1-ubyte"
    content = bytearray(file.read_bytes())
    content[-1] = 11
    file.write_bytes(bytes(content))
    with pytest.raises(DataError, match="above 9"):
        load_dataset(name, root, train=False)


def test_a_still_packed_file_is_refused(named):
    name, root, raw, prefix = named
    file = raw / f"{prefix}-images-idx3-ubyte"
    file.write_bytes(gzip.compress(file.read_bytes()))
    with pytest.raises(DataError):
        load_dataset(name, root, train=False)


def test_a_set_that_is_none_is_answered_with_those_there_are(tmp_path):
    with pytest.raises(DataError, match=r"no data set 'mnits'.*mnist, fashion-mnist, kmnist"):
        load_dataset("mnits", tmp_path, train=True)


def test_a_checkpoints_data_tells_its_set():
    for name, (_, title) in PLACES.items():
        assert dataset_of(title) == name
    assert dataset_of("MNIST and pen strokes of 25 writers") == "mnist"
    for source, words in (("shapes", "the images in 'shapes'"), ("", "data that it does not tell")):
        with pytest.raises(DataError, match=f"{words}: say with --dataset"):
            dataset_of(source)
