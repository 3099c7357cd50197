import numpy as np
import pytest
import torch

from capsnet.routing import (
    lengths_of,
    route,
    route_without_votes,
    routing_steps,
    squash,
    trace_routing,
)
from tests import reference


@pytest.fixture(scope="module")
def votes():
    generator = torch.Generator().manual_seed(3)
    return torch.randn(3, 40, 5, 6, generator=generator, dtype=torch.float64) * 0.4


def test_squash_follows_equation_1():
    vectors = torch.randn(50, 8, dtype=torch.float64) * torch.logspace(-6, 6, 50).double()[:, None]
    expected = np.array([reference.squash(s) for s in vectors.numpy()])
    torch.testing.assert_close(squash(vectors), torch.from_numpy(expected))


def test_squash_keeps_the_direction_and_the_length_below_one():
    vectors = torch.randn(100, 4, dtype=torch.float64) * 10
    squashed = squash(vectors)
    assert bool((lengths_of(squashed) < 1).all())
    cosine = torch.nn.functional.cosine_similarity(vectors, squashed)
    torch.testing.assert_close(cosine, torch.ones_like(cosine))


@pytest.mark.parametrize("function", [squash, lengths_of])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_gradient_at_the_zero_vector_is_zero(function, dtype):
    s = torch.zeros(3, 8, dtype=dtype, requires_grad=True)
    value = function(s)
    value.sum().backward()
    assert bool((value == 0).all())
    assert bool((s.grad == 0).all())


@pytest.mark.parametrize("scale", [1e-3, 1.0, 30.0])
def test_the_gradient_of_squash_agrees_with_differences(scale):
    s = (torch.randn(5, 8, dtype=torch.float64) * scale).requires_grad_()
    assert torch.autograd.gradcheck(squash, (s,), eps=1e-6 * scale)


@pytest.mark.parametrize("iterations", [1, 2, 3, 7])
def test_routing_agrees_with_procedure_1_capsule_by_capsule(votes, iterations):
    trace = trace_routing(votes[..., 0], votes, iterations)
    for image in range(len(votes)):
        expected = reference.routing(votes[image].numpy(), iterations)
        for name, value in expected.items():
            actual = getattr(trace, name)[:, image]
            torch.testing.assert_close(actual, torch.from_numpy(value), rtol=1e-10, atol=1e-12)


def test_couplings_of_one_capsule_sum_to_one(votes):
    couplings = trace_routing(votes[..., 0], votes, 6).couplings
    torch.testing.assert_close(couplings.sum(-1), torch.ones_like(couplings[..., 0]))


def test_iteration_1_couples_uniformly(votes):
    trace = trace_routing(votes[..., 0], votes, 2)
    assert bool((trace.logits[0] == 0).all())
    torch.testing.assert_close(trace.couplings[0], torch.full_like(trace.couplings[0], 1 / 5))


def test_each_logit_is_the_last_one_plus_its_agreement(votes):
    trace = trace_routing(votes[..., 0], votes, 5)
    torch.testing.assert_close(trace.logits[1:], trace.logits[:-1] + trace.agreements[:-1])


def test_logits_are_the_votes_times_the_sum_of_the_earlier_poses(votes):
    trace = trace_routing(votes[..., 0], votes, 5)
    expected = torch.einsum("bijd,bjd->bij", votes, trace.poses[:4].sum(0))
    torch.testing.assert_close(trace.logits[4], expected)


def test_the_trace_ends_where_the_plain_path_does(votes):
    for iterations in (1, 3, 10):
        trace = trace_routing(votes[..., 0], votes, iterations)
        assert torch.equal(trace.poses[-1], route(votes, iterations))


def test_routing_carries_nothing_over_to_the_next_call(votes):
    first = route(votes, 3)
    route(votes * 7, 5)
    assert torch.equal(route(votes, 3), first)


def test_one_image_does_not_leak_into_another(votes):
    together = route(votes, 3)
    for image in range(len(votes)):
        alone = route(votes[image : image + 1], 3)[0]
        torch.testing.assert_close(alone, together[image])


def test_detached_routing_has_the_same_values_and_the_last_sums_gradient(votes):
    plain = votes.clone().requires_grad_()
    detached = votes.clone().requires_grad_()
    through = route(plain, 3)
    last_only = route(detached, 3, detach=True)
    assert torch.equal(through, last_only)
    last_only.square().sum().backward()

    couplings = list(routing_steps(votes, 3))[-1].couplings
    constant = votes.clone().requires_grad_()
    squash(torch.einsum("bij,bijd->bjd", couplings, constant)).square().sum().backward()
    torch.testing.assert_close(detached.grad, constant.grad)


@pytest.mark.parametrize("iterations", [1, 2, 3, 5])
@pytest.mark.parametrize("detach", [False, True])
def test_routing_without_votes_has_the_values_and_gradients_of_routing_them(iterations, detach):
    generator = torch.Generator().manual_seed(3)
    primary = squash(torch.randn(4, 30, 8, generator=generator, dtype=torch.float64))
    W = torch.randn(30, 8, 5, 6, generator=generator, dtype=torch.float64)
    wanted = torch.randn(4, 5, 6, generator=generator, dtype=torch.float64)
    found = []
    for direct in (True, False):
        u, weights = primary.clone().requires_grad_(), W.clone().requires_grad_()
        if direct:
            poses = route_without_votes(u, weights, iterations, detach=detach)
        else:
            votes = torch.einsum("bik,ikjd->bijd", u, weights)
            poses = route(votes, iterations, detach=detach)
        (poses - wanted).square().sum().backward()
        found.append((poses.detach(), u.grad, weights.grad))
    torch.testing.assert_close(*found, rtol=1e-10, atol=1e-12)


def test_routing_all_zero_votes_stays_finite():
    poses = route(torch.zeros(2, 9, 3, 4), 3)
    assert bool((poses == 0).all())


def test_no_iteration_at_all_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        route(torch.zeros(1, 2, 3, 4), 0)
