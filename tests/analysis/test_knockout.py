"""Cuts, their text, and routing without the capsules they silence."""

import itertools

import numpy as np
import pytest
import torch

from capsnet import CapsNet, CapsNetConfig
from capsnet.analysis.knockout import Cut, knock_out, route_without
from capsnet.routing import trace_routing
from tests.reference import routing

PAPER = CapsNetConfig()
ITERATIONS = 4
MOVING = ("logits", "couplings", "agreements", "poses", "lengths")


def cut_of(capsules=(), places=(), types=()):
    return Cut(frozenset(capsules), frozenset(places), frozenset(types))


@pytest.fixture(scope="module")
def trace(small_config):
    """A small network's trace in float64, its votes large enough to route decidedly."""
    torch.manual_seed(3)
    model = CapsNet(small_config).requires_grad_(False)
    primary = model.primary(torch.rand(1, 2, 20, 20))
    return trace_routing(primary.double(), 30 * model.votes(primary).double(), ITERATIONS)


def routed_without(trace, cut, config):
    return route_without(trace.primary[0], trace.votes[0], cut.mask(config), ITERATIONS)


def test_mask_silences_capsules_places_and_types(small_config):
    cut = cut_of(capsules=[5], places=[3], types=[2])
    mask = cut.mask(small_config)
    grid = small_config.grid
    for kind in range(small_config.primary_types):
        for row in range(grid):
            for column in range(grid):
                i = kind * grid * grid + row * grid + column
                assert mask[i] == (i == 5 or row * grid + column == 3 or kind == 2)


def test_count_counts_each_capsule_once():
    assert cut_of(places=[14]).count(PAPER) == 32
    assert cut_of(types=[3]).count(PAPER) == 36
    assert cut_of(capsules=[3 * 36 + 14], places=[14], types=[3]).count(PAPER) == 67
    assert Cut().count(PAPER) == 0


def test_a_cut_is_true_where_it_cuts():
    assert not Cut()
    assert cut_of(capsules=[0]) and cut_of(places=[0]) and cut_of(types=[0])


def test_text_is_sorted_and_read_back():
    cut = cut_of(capsules=[417, 9], places=[14], types=[3, 20])
    assert str(cut) == "c9.c417.p14.t3.t20"
    assert Cut.parse(str(cut)) == cut
    assert Cut.parse("t20.c417.p14.c9.t3.t3") == cut


def test_no_cut_is_the_empty_text():
    assert str(Cut()) == "" and Cut.parse("") == Cut()


@pytest.mark.parametrize(
    "text",
    ["x3", "c", "c-1", "c1,c2", "c1.", ".", "c01", "c1.5", "c٣", "C1", "c1 ", "c" + "9" * 99],
)
def test_text_that_is_no_cut_is_refused_in_words(text):
    with pytest.raises(ValueError, match="is no capsule"):
        Cut.parse(text)


@pytest.mark.parametrize(
    ("cut", "words"),
    [
        (cut_of(capsules=[1152]), "capsule 1152 is not one of 0…1151"),
        (cut_of(places=[36]), "place 36 is not one of 0…35"),
        (cut_of(types=[32]), "type 32 is not one of 0…31"),
    ],
)
def test_what_the_network_does_not_have_is_refused(cut, words):
    with pytest.raises(ValueError, match=words):
        cut.mask(PAPER)


@pytest.mark.parametrize("index", [-1, 2.0, True, "3"])
def test_what_can_be_no_index_is_refused(index):
    with pytest.raises(ValueError, match="a place is numbered from 0"):
        cut_of(places=[index])


def test_cutting_nothing_changes_nothing(trace, small_config):
    again = routed_without(trace, Cut(), small_config)
    for name in ("primary", "votes", *MOVING):
        assert torch.equal(getattr(again, name), getattr(trace, name)), name


def test_cutting_everything_leaves_no_length(trace, small_config):
    cut = cut_of(types=range(small_config.primary_types))
    empty = routed_without(trace, cut, small_config)
    assert not empty.lengths.any() and not empty.poses.any() and not empty.votes.any()


def test_cutting_is_routing_over_the_other_capsules_alone(trace, small_config):
    cut = cut_of(capsules=[0, 7], places=[2], types=[1])
    cut_trace, mask = routed_without(trace, cut, small_config), cut.mask(small_config)
    votes = trace.votes[0].numpy()[~mask]
    expected = routing(votes, ITERATIONS)
    np.testing.assert_allclose(cut_trace.poses[:, 0], expected["poses"], atol=1e-12)
    np.testing.assert_allclose(
        cut_trace.couplings[:, 0].numpy()[:, ~mask], expected["couplings"], atol=1e-12
    )
    assert (cut_trace.lengths - trace.lengths).abs().max() > 1e-3  # the cut mattered


def test_order_of_the_cut_does_not_matter(trace, small_config):
    cuts = [cut_of(capsules=[7]), cut_of(places=[2]), cut_of(types=[1])]
    at_once = cut_of(capsules=[7], places=[2], types=[1])
    expected = routed_without(trace, at_once, small_config)
    for order in itertools.permutations(cuts):
        votes = trace.votes[0]
        for cut in order:
            votes = knock_out(votes, cut.mask(small_config))
        assert torch.equal(votes, expected.votes[0])


def test_couplings_of_a_silenced_capsule_stay_uniform(trace, small_config):
    cut = cut_of(places=[0])
    silenced = routed_without(trace, cut, small_config).couplings[:, 0, cut.mask(small_config)]
    assert (silenced == 1 / small_config.classes).all()


def test_knocking_out_leaves_the_given_votes_alone(trace, small_config):
    votes = trace.votes[0].numpy()
    before = votes.copy()
    silent = knock_out(votes, np.ones(small_config.primary_capsules, dtype=bool))
    assert not silent.any()
    np.testing.assert_array_equal(votes, before)


def test_marks_for_another_network_are_refused(trace):
    with pytest.raises(ValueError, match="need as many marks"):
        knock_out(trace.votes[0], np.zeros(3, dtype=bool))


def test_the_decoder_takes_what_is_left(small_config):
    torch.manual_seed(3)
    model = CapsNet(small_config).eval()
    trace = model.trace(torch.rand(1, 2, 20, 20), 3)
    cut = cut_of(types=[0]).mask(small_config)
    left = route_without(trace.primary[0].numpy(), trace.votes[0].numpy(), cut, 3)
    with torch.inference_mode():
        assert model.decode(left.poses[-1]).shape == (1, 2, 20, 20)
