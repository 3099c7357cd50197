"""The weights of the opened capsule: what the player is given to compute its votes."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

import capsnet
from app import networks, samples
from tests.app.visit import open_app, sent_to

if TYPE_CHECKING:
    from capsnet.routing import RoutingTrace

SAMPLE = 162


@pytest.fixture(scope="module")
def trace() -> RoutingTrace:
    """How the network that the app opens with routes the sample."""
    offered = networks.checkpoint_path().glob("*.safetensors")
    paths = {path.stem: path for path in offered}
    model = capsnet.load_checkpoint(next(paths[n] for n in networks.FIRST if n in paths))
    shelf = samples.load()
    pixels = shelf.images[shelf.place(SAMPLE)].astype(np.float32) / 255
    with torch.inference_mode():
        return model.trace(torch.from_numpy(pixels)[None, None], iterations=10)


def weights_of(**query: str) -> tuple[int, np.ndarray]:
    app = open_app("views/route.py", sample=str(SAMPLE), **query)
    assert not app.exception
    sent = sent_to(app, "routing_player")["weights"]
    values = np.frombuffer(base64.b64decode(sent["values"]), dtype="<f4")
    return sent["capsule"], values.reshape(8, 10, 16)


def test_the_opened_capsules_weights_make_its_votes(trace: RoutingTrace) -> None:
    capsule, weights = weights_of(capsule="417")
    assert capsule == 417
    votes = np.zeros((10, 16))  # û_j|i = W_ij u_i (eq. 2), number by number
    for k, said in enumerate(trace.primary[0, 417].tolist()):
        votes += said * weights[k].astype(np.float64)
    np.testing.assert_allclose(votes, trace.votes[0, 417], atol=1e-6)


@pytest.mark.parametrize("digit", [5, 3])
def test_where_none_is_chosen_the_one_that_gives_the_digit_most_is_open(
    trace: RoutingTrace, digit: int
) -> None:
    given = trace.couplings[2, 0, :, digit] * trace.votes[0, :, digit].norm(dim=-1)
    assert weights_of(digit=str(digit))[0] == int(given.argmax())


def test_a_link_to_a_capsule_that_there_is_not_opens_the_same_as_none() -> None:
    assert weights_of(capsule="1152")[0] == weights_of()[0]
