"""What the Route view gives to take away, and where it offers it."""

from __future__ import annotations

import csv
import io
import zipfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from app import state, state_export, state_network
from app.state_export import File
from app.state_route import ITERATIONS, Choice
from capsnet.analysis.knockout import Cut, route_without
from tests.app.visit import open_app


def made(chosen: Choice) -> list[tuple[File, bytes]]:
    """The files about the opening sample, made where no visitor is known."""
    files = state_export.files(state.current_input(), chosen)
    with ThreadPoolExecutor() as elsewhere:
        contents = [elsewhere.submit(file.make).result() for file in files]
    return [
        (file, content if isinstance(content, bytes) else content.encode())
        for file, content in zip(files, contents, strict=True)
    ]


@pytest.fixture(scope="module")
def whole() -> list[tuple[File, bytes]]:
    return made(Choice())


def rows(file: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file.decode())))


def test_the_trace_comes_with_a_readme_and_is_the_networks(whole: list[tuple[File, bytes]]) -> None:
    archive, (given, net) = whole[0][1], (state.current_input(), state_network.network())
    trace = net.model.trace(torch.from_numpy(given.image), iterations=ITERATIONS)
    saved = np.load(io.BytesIO(archive))
    np.testing.assert_array_equal(saved["votes"], trace.votes[0])
    np.testing.assert_array_equal(saved["couplings"], trace.couplings[:, 0])
    readme = zipfile.ZipFile(io.BytesIO(archive)).read("README.txt").decode()
    assert f"checkpoints/{net.path.name}" in readme


def test_the_tables_hold_the_lengths_and_couplings_of_the_trace(
    whole: list[tuple[File, bytes]],
) -> None:
    trace = state_network.trace_of(state.current_input(), ITERATIONS)
    iterations, couplings = (rows(content) for _, content in whole[1:])
    assert [float(row["length_5"]) for row in iterations] == pytest.approx(trace["lengths"][:, 5])
    assert len(couplings) == trace["couplings"][:, :, 0].size
    last = [float(couplings[-1][f"coupling_{name}"]) for name in range(10)]
    assert last == pytest.approx(trace["couplings"][-1, -1])


def test_files_are_named_after_the_input_and_the_cut(whole: list[tuple[File, bytes]]) -> None:
    name = state.current_input().title.replace(" ", "-")
    files = [file for file, _ in whole]
    assert files[0].name == f"capsnet-routing-{name}.npz"
    assert len({file.name for file in files}) == len({file.label for file in files}) == 3
    cut = state_export.files(state.current_input(), Choice(cut="t3"))
    assert not {file.name for file in cut} & {file.name for file in files}


def test_with_capsules_cut_the_files_are_about_the_rest() -> None:
    (_, archive), (_, iterations), _ = made(Choice(cut="p14.t3"))
    trace = state_network.trace_of(state.current_input(), ITERATIONS)
    silenced = Cut.parse("p14.t3").mask(state_network.network().model.config)
    rest = route_without(trace["primary"], trace["votes"], silenced, ITERATIONS)
    np.testing.assert_array_equal(np.load(io.BytesIO(archive))["lengths"], rest.lengths[:, 0])
    lengths = [float(row["length_5"]) for row in rows(iterations)]
    assert lengths == pytest.approx(rest.lengths[:, 0, 5])
    assert b"p14.t3" in zipfile.ZipFile(io.BytesIO(archive)).read("README.txt")


def test_the_page_offers_the_files_and_the_lines_for_what_is_chosen() -> None:
    app = open_app("views/route.py", iteration="2", digit="4", capsule="417", network="mnist")
    assert not app.exception
    labels = [button.proto.label for button in app.get("download_button")]
    assert "The whole trace (.npz)" in labels
    assert not app.code
    (code,) = app.toggle[0].set_value(True).run().code
    for part in (
        "checkpoints/mnist.safetensors",
        f"images[[{state.shelf().opening}]]",
        "t, j = 1, 4 ",
        "i = 417 ",
    ):
        assert part in code.value
