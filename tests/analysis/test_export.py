"""The trace as a file: what is in it is what was traced, and its README says what is in it."""

import io
import re
import zipfile

import numpy as np
import pytest
import torch

import capsnet
from capsnet import CapsNet
from capsnet.analysis.export import ENTRIES, README, trace_file
from capsnet.analysis.knockout import Cut, route_without

NAMES = ("zero", "one", "two", "three, or more")
ITERATIONS = 3


@pytest.fixture(scope="module")
def model(small_config):
    torch.manual_seed(4)
    return CapsNet(small_config, class_names=NAMES).eval()


@pytest.fixture(scope="module")
def image():
    torch.manual_seed(5)
    return torch.rand(1, 2, 20, 20)


def arrays_of(trace):
    still = {name: getattr(trace, name)[0] for name in ("primary", "votes")}
    moving = ("logits", "couplings", "agreements", "poses", "lengths")
    return still | {name: getattr(trace, name)[:, 0] for name in moving}


@pytest.fixture(scope="module")
def trace(model, image):
    return arrays_of(model.trace(image, ITERATIONS))


@pytest.fixture(scope="module")
def file(trace, image, small_config):
    return trace_file(
        trace, image, small_config, NAMES, checkpoint="checkpoints/digits.safetensors"
    )


@pytest.fixture(scope="module")
def loaded(file):
    with np.load(io.BytesIO(file), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files if name != README}


@pytest.fixture(scope="module")
def text(file):
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        return archive.read(README).decode()


def test_numpy_loads_what_was_traced(loaded, trace, image):
    assert list(loaded) == list(ENTRIES)
    np.testing.assert_array_equal(loaded["image"], image[0])
    assert tuple(loaded["class_names"]) == NAMES
    for name, values in trace.items():
        assert loaded[name].dtype == np.float32
        np.testing.assert_array_equal(loaded[name], values)


def test_readme_states_shape_dtype_and_range_of_every_array(loaded, text):
    row = re.compile(r"    (\w+)  \[[A-Z, ]+\] = \[([0-9, ]+)\]  (\S+)  (.+)\n        (.+)")
    stated = {match[1]: match.groups()[1:] for match in row.finditer(text)}
    assert list(stated) == list(ENTRIES)
    for name, (shape, dtype, values, meaning) in stated.items():
        assert shape == ", ".join(map(str, loaded[name].shape))
        assert dtype == str(loaded[name].dtype)
        assert meaning == ENTRIES[name].meaning
        if name != "class_names":
            low, high = map(float, values.split(" … "))
            assert low == pytest.approx(loaded[name].min(), rel=1e-5)
            assert high == pytest.approx(loaded[name].max(), rel=1e-5)


def test_readme_states_the_length_of_every_axis(loaded, text):
    stated = dict(re.findall(r"^    ([A-Z]) +(\d+)  ", text, flags=re.MULTILINE))
    assert set(stated) == {axis for entry in ENTRIES.values() for axis in entry.axes.split()}
    for name, entry in ENTRIES.items():
        lengths = tuple(int(stated[axis]) for axis in entry.axes.split())
        assert loaded[name].shape == lengths, name


def test_laws_of_the_readme_hold_in_the_file(loaded, text):
    c, b, u, v = (loaded[name] for name in ("couplings", "logits", "votes", "poses"))
    powers = np.exp(b)
    np.testing.assert_allclose(c, powers / powers.sum(axis=2, keepdims=True), rtol=1e-5)
    s = np.einsum("tij,ijd->tjd", c, u)
    norm = np.linalg.norm(s, axis=-1, keepdims=True)
    np.testing.assert_allclose(v, norm / (1 + norm**2) * s, atol=1e-6)
    np.testing.assert_allclose(loaded["lengths"], np.linalg.norm(v, axis=-1), rtol=1e-5)
    np.testing.assert_allclose(
        loaded["agreements"], np.einsum("ijd,tjd->tij", u, v), rtol=1e-4, atol=1e-8
    )
    assert not b[0].any()
    np.testing.assert_allclose(b[1:], (b + loaded["agreements"])[:-1], rtol=1e-6)
    assert "What holds" in text


def test_readme_tells_the_index_convention_of_the_network(text, small_config):
    assert f"i = type · {small_config.places} + row · {small_config.grid} + column" in text


def test_lines_that_load_the_file_run(file, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trace.npz").write_bytes(file)
    exec(_lines(text, "Load"), space := {})
    assert space["trace"]["couplings"].shape[0] == ITERATIONS


def test_lines_that_compute_it_again_do(trace, image, model, small_config, monkeypatch):
    cut = Cut.parse("c1.p2")
    without = route_without(trace["primary"], trace["votes"], cut.mask(small_config), ITERATIONS)
    file = trace_file(
        arrays_of(without), image, small_config, NAMES, checkpoint="there.safetensors", cut=cut
    )
    with np.load(io.BytesIO(file)) as arrays:
        text = arrays[README].decode()
        image = arrays["image"]
    assert "c1.p2" in text
    monkeypatch.setattr(capsnet, "load_checkpoint", {"there.safetensors": model}.__getitem__)
    exec(_lines(text, "Compute it again"), space := {"trace": {"image": image}})
    torch.testing.assert_close(space["again"].poses, without.poses)


def _lines(text, title):
    """The indented lines under a title of the README."""
    block = re.search(rf"^{title}\n((?:    .*\n|\n)+)", text, flags=re.MULTILINE)[1]
    return re.sub("^    ", "", block, flags=re.MULTILINE)


def test_same_trace_gives_the_same_bytes(file, trace, image, small_config):
    again = trace_file(
        trace, image[0], small_config, NAMES, checkpoint="checkpoints/digits.safetensors"
    )
    assert again == file


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"votes": np.zeros((1, 4, 7))}, r"votes must be \[75, 4, 7\], got \[1, 4, 7\]"),
        ({"logits": np.zeros((2, 75, 4))}, r"logits must be \[3, 75, 4\]"),
    ],
)
def test_arrays_of_another_network_are_refused_in_words(trace, image, small_config, change, words):
    with pytest.raises(ValueError, match=words):
        trace_file({**trace, **change}, image, small_config, NAMES)


def test_a_missing_array_is_named(trace, image, small_config):
    rest = {name: values for name, values in trace.items() if name != "poses"}
    with pytest.raises(ValueError, match="the trace lacks poses"):
        trace_file(rest, image, small_config, NAMES)


def test_a_cut_that_was_not_made_is_refused(trace, image, small_config):
    with pytest.raises(ValueError, match="c1 is not knocked out"):
        trace_file(trace, image, small_config, NAMES, cut=Cut.parse("c1"))
