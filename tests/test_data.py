import gzip

import pytest
import torch

from capsnet.data import DataError, load_mnist, to_input


def test_the_files_are_read_as_they_lie(mnist_root, mnist_slice):
    for part in ("train", "test"):
        digits = load_mnist(mnist_root, train=part == "train")
        assert torch.equal(digits.images, torch.from_numpy(mnist_slice[f"{part}_images"]))
        assert digits.labels.tolist() == mnist_slice[f"{part}_labels"].tolist()
        assert digits.labels.dtype == torch.int64
    assert len(digits.take(7)) == 7
    assert len(digits.take(None)) == len(digits)


def test_inputs_are_0_to_1_and_ink_is_1(mnist_root):
    x = to_input(load_mnist(mnist_root, train=False).images)
    assert x.shape[1:] == (1, 28, 28)
    assert x.min() == 0
    assert x.max() == 1
    assert x.mean() < 0.3  # mostly paper


@pytest.fixture
def offline(monkeypatch):
    def refuse(*arguments, **settings):
        raise RuntimeError("Error downloading train-images-idx3-ubyte.gz:\nno network")

    monkeypatch.setattr("torchvision.datasets.MNIST.download", refuse)


def test_offline_it_says_which_files_to_put_where(tmp_path, offline):
    with pytest.raises(DataError) as error:
        load_mnist(tmp_path / "nowhere", train=True)
    for words in ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "nowhere/MNIST/raw"):
        assert words in str(error.value)


def test_a_data_dir_that_is_a_file_is_an_error_in_words(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(DataError, match="could not be downloaded"):
        load_mnist(tmp_path / "file", train=True)


def raw(root, name):
    return root / "MNIST" / "raw" / name


@pytest.mark.parametrize("kept", [0, 3, 10, 16, 5000])
def test_a_cut_off_image_file_is_refused(mnist_root, kept):
    file = raw(mnist_root, "t10k-images-idx3-ubyte")
    file.write_bytes(file.read_bytes()[:kept])
    with pytest.raises(DataError, match="cannot be read"):
        load_mnist(mnist_root, train=False)


def test_swapped_files_are_refused(mnist_root):
    images, labels = (
        raw(mnist_root, f"t10k-{kind}-ubyte") for kind in ("images-idx3", "labels-idx1")
    )
    one, other = images.read_bytes(), labels.read_bytes()
    images.write_bytes(other)
    labels.write_bytes(one)
    with pytest.raises(DataError):
        load_mnist(mnist_root, train=False)


def test_labels_of_another_set_are_refused(mnist_root):
    raw(mnist_root, "t10k-labels-idx1-ubyte").write_bytes(
        raw(mnist_root, "train-labels-idx1-ubyte").read_bytes()
    )
    with pytest.raises(DataError, match="do not belong together"):
        load_mnist(mnist_root, train=False)


def test_a_label_above_9_is_refused(mnist_root):
    file = raw(mnist_root, "t10k-labels-idx1-ubyte")
    content = bytearray(file.read_bytes())
    content[-1] = 11
    file.write_bytes(bytes(content))
    with pytest.raises(DataError, match="above 9"):
        load_mnist(mnist_root, train=False)


def test_a_still_packed_file_is_refused(mnist_root):
    file = raw(mnist_root, "t10k-images-idx3-ubyte")
    file.write_bytes(gzip.compress(file.read_bytes()))
    with pytest.raises(DataError):
        load_mnist(mnist_root, train=False)
