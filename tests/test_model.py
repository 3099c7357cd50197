import dataclasses

import numpy as np
import pytest
import torch

import capsnet
from capsnet import CapsNet, CapsNetConfig, margin_loss, reconstruction_loss
from capsnet.losses import total_loss
from capsnet.model import FEW, MANY, one_capsule
from capsnet.routing import lengths_of, route, squash
from tests import reference


def float64_weights(model):
    return {name: value.double().numpy() for name, value in model.state_dict().items()}


def primary_weights(model):
    weights = float64_weights(model)
    return {
        key: weights[f"primary.{key}"]
        for key in ("conv1.weight", "conv1.bias", "conv2.weight", "conv2.bias")
    }


def count(module):
    return sum(parameter.numel() for parameter in module.parameters())


def test_the_papers_network_has_its_parameters():
    model = CapsNet()
    assert count(model) == 8_215_568
    assert count(model) - count(model.decoder) == 6_804_224
    assert count(model.primary.conv1) == 20_992
    assert count(model.primary.conv2) == 5_308_672
    assert model.W.numel() == 1_474_560
    assert count(model.decoder) == 1_411_344


def test_shapes_are_those_of_the_design(paper_model, images):
    out = paper_model(images[:2])
    assert out.lengths.shape == (2, 10)
    assert out.poses.shape == (2, 10, 16)
    assert paper_model.decode(out.poses).shape == (2, 1, 28, 28)
    trace = paper_model.trace(images[:2], iterations=4)
    assert trace.primary.shape == (2, 1152, 8)
    assert trace.votes.shape == (2, 1152, 10, 16)
    assert trace.logits.shape == trace.couplings.shape == trace.agreements.shape
    assert trace.couplings.shape == (4, 2, 1152, 10)
    assert trace.poses.shape == (4, 2, 10, 16)
    assert trace.lengths.shape == (4, 2, 10)


def test_the_whole_network_agrees_with_the_float64_loop(paper_model, images):
    weights = float64_weights(paper_model)
    primary = reference.primary_capsules(
        images[7].double().numpy(), primary_weights(paper_model), types=32, dim=8
    )
    votes = reference.votes(primary, weights["W"])
    history = reference.routing(votes, 3)
    trace = paper_model.trace(images[7:8], iterations=3)

    def close(actual, expected):
        np.testing.assert_allclose(actual.double().numpy(), expected, rtol=1e-4, atol=2e-5)

    close(trace.primary[0], primary)
    close(trace.votes[0], votes)
    for name, expected in history.items():
        close(getattr(trace, name)[:, 0], expected)
    assert trace.couplings[2].max() > 0.2  # the case is a decided one
    out = paper_model(images[7:8])
    close(out.poses[0], history["poses"][-1])
    close(out.lengths[0], np.linalg.norm(history["poses"][-1], axis=1))
    layers = [(weights[f"decoder.{k}.weight"], weights[f"decoder.{k}.bias"]) for k in (0, 2, 4)]
    close(
        paper_model.decode(out.poses, 4).flatten(),
        reference.decode(history["poses"][-1], 4, layers),
    )


@pytest.mark.parametrize("batch", [FEW, FEW + 1, MANY])
def test_a_primary_capsule_is_eight_channels_of_one_place(paper_model, images, batch):
    x = images[:batch]
    conv = paper_model.primary.conv2(paper_model.primary.conv1(x).relu())  # no second ReLU
    before = paper_model.primary.pre_squash(x)
    for kind, row, column in ((0, 0, 0), (3, 2, 5), (31, 5, 5)):
        i = kind * 36 + row * 6 + column
        expected = conv[:, 8 * kind : 8 * kind + 8, row, column]
        torch.testing.assert_close(before[:, i], expected, rtol=1e-4, atol=1e-4)
    assert bool((before < 0).any())
    torch.testing.assert_close(paper_model.primary(x), squash(before))


def test_a_capsule_sees_exactly_its_receptive_field(paper_model, images):
    x = images[:1]
    rows, columns = capsnet.receptive_field(2, 3)
    places = paper_model.primary.pre_squash(x).view(1, 32, 6, 6, 8)[0, :, 2, 3]
    outside = x.clone()
    outside[..., :, :] = 1 - x
    outside[..., rows, columns] = x[..., rows, columns]
    same = paper_model.primary.pre_squash(outside).view(1, 32, 6, 6, 8)[0, :, 2, 3]
    torch.testing.assert_close(same, places)
    for row, column in ((rows.start, columns.start), (rows.stop - 1, columns.stop - 1)):
        inside = x.clone()
        inside[..., row, column] += 0.5
        changed = paper_model.primary.pre_squash(inside).view(1, 32, 6, 6, 8)[0, :, 2, 3]
        assert not torch.allclose(changed, places)


def test_nobody_sees_the_last_row_and_column(paper_model, images):
    changed = images[:1].clone()
    changed[..., 27, :] = 1
    changed[..., :, 27] = 1
    assert torch.equal(paper_model(changed).poses, paper_model(images[:1]).poses)


def test_the_first_iteration_is_one_matrix_product(paper_model, images):
    trace = paper_model.trace(images[:2], iterations=1)
    s = trace.primary.view(2, 9216) @ paper_model.W.view(9216, 160) / 10
    torch.testing.assert_close(trace.poses[0].flatten(1), squash(s.view(2, 10, 16)).flatten(1))


def test_the_trace_of_three_iterations_ends_where_the_network_does(paper_model, images):
    assert torch.equal(
        paper_model.trace(images[:3], iterations=3).poses[-1], paper_model(images[:3]).poses
    )
    ten = paper_model.trace(images[:3], iterations=10)
    torch.testing.assert_close(ten.poses[2], paper_model(images[:3]).poses)
    torch.testing.assert_close(ten.poses[6], paper_model(images[:3], iterations=7).poses)


def test_a_batch_of_one_and_a_batch_of_many_agree(paper_model, images):
    many = paper_model(images[: MANY + 6])
    for k in (0, 5, MANY + 5):
        one = paper_model(images[k : k + 1])
        torch.testing.assert_close(one.poses[0], many.poses[k], rtol=1e-4, atol=1e-5)


def test_the_order_of_the_images_does_not_matter(paper_model, images):
    forward = paper_model(images[:4]).poses
    backward = paper_model(images[:4].flip(0)).poses.flip(0)
    torch.testing.assert_close(forward, backward, rtol=1e-4, atol=1e-5)


def test_the_decoder_ignores_the_other_capsules(paper_model, images):
    poses = paper_model(images[:1]).poses
    other = poses.clone()
    other[:, [0, 1, 2, 4, 5, 6, 7, 8, 9]] = 9.0
    assert torch.equal(paper_model.decode(poses, 3), paper_model.decode(other, 3))
    assert not torch.equal(paper_model.decode(poses, 3), paper_model.decode(poses, 4))


def test_decode_takes_one_digit_one_each_or_the_longest(paper_model, images):
    out = paper_model(images[:3])
    each = torch.tensor([5, 0, 9])
    expected = torch.cat(
        [paper_model.decode(out.poses[k : k + 1], int(d)) for k, d in enumerate(each)]
    )
    torch.testing.assert_close(paper_model.decode(out.poses, each), expected)
    longest = paper_model.decode(out.poses, out.lengths.argmax(1))
    assert torch.equal(paper_model.decode(out.poses), longest)
    assert torch.equal(paper_model.decode(out.poses, None), longest)


@pytest.mark.parametrize("digit", [10, -1, 1.5, torch.tensor([1, 2])])
def test_a_digit_that_is_no_capsule_is_refused(paper_model, digit):
    with pytest.raises(ValueError, match="digit must"):
        paper_model.decode(torch.zeros(3, 10, 16), digit)


@pytest.mark.parametrize("shape", [(1, 28, 28), (2, 1, 27, 28), (2, 3, 28, 28)])
def test_images_of_another_shape_are_refused_in_words(paper_model, shape):
    for function in (paper_model, paper_model.trace):
        with pytest.raises(ValueError, match=r"images must be \[B, 1, 28, 28\]"):
            function(torch.zeros(shape))


@pytest.mark.parametrize("iterations", [0, -1])
def test_no_routing_iteration_is_refused(paper_model, iterations):
    for function in (paper_model, paper_model.trace):
        with pytest.raises(ValueError, match="at least 1"):
            function(torch.zeros(1, 1, 28, 28), iterations=iterations)


def test_poses_of_another_shape_are_refused_in_words(paper_model):
    with pytest.raises(ValueError, match=r"poses must be \[B, 10, 16\]"):
        paper_model.decode(torch.zeros(1, 16, 10))


def test_fresh_lengths_begin_around_a_tenth(images):
    for seed in range(3):
        torch.manual_seed(seed)
        lengths = CapsNet().eval()(images[:32]).lengths.detach()
        assert 0.02 < lengths.mean() < 0.3


@pytest.mark.parametrize("batch", [FEW, FEW + 1, MANY])
def test_a_blank_image_trains_and_infers_without_nan(batch):
    torch.manual_seed(0)
    model = CapsNet()
    blank, labels = torch.zeros(batch, 1, 28, 28), torch.zeros(batch, dtype=torch.long)
    out = model(blank)
    assert bool((out.lengths == 0).all())
    loss = total_loss(
        margin_loss(out.lengths, labels),
        reconstruction_loss(model.decode(out.poses, labels), blank),
    )
    loss.backward()
    assert all(bool(p.grad.isfinite().all()) for p in model.parameters())


def test_the_same_code_serves_other_sizes(small_config):
    torch.manual_seed(0)
    model = CapsNet(small_config).eval().requires_grad_(False)
    model.W.mul_(20)
    x = torch.rand(2, 2, 20, 20)
    weights = float64_weights(model)
    primary_names = primary_weights(model)
    for k in range(2):
        hidden = reference.convolve(
            x[k].double().numpy(), primary_names["conv1.weight"], primary_names["conv1.bias"], 1
        )
        conv = reference.convolve(
            np.maximum(hidden, 0), primary_names["conv2.weight"], primary_names["conv2.bias"], 3
        )
        assert conv.shape == (15, 5, 5)
        primary = np.array(
            [
                reference.squash(conv[5 * kind : 5 * kind + 5, row, column])
                for kind in range(3)
                for row in range(5)
                for column in range(5)
            ]
        )
        poses = reference.routing(reference.votes(primary, weights["W"]), 2)["poses"][-1]
        np.testing.assert_allclose(model(x).poses[k].numpy(), poses, rtol=1e-4, atol=1e-5)
    assert model.decode(model(x).poses, 3).shape == (2, 2, 20, 20)
    many = x.repeat(MANY, 1, 1, 1)
    torch.testing.assert_close(model(many).poses[:2], model(x).poses, rtol=1e-4, atol=1e-5)


def test_training_and_inference_route_alike(paper_model, images):
    training = CapsNet().train()
    training.load_state_dict(paper_model.state_dict())
    torch.testing.assert_close(training(images[:2]).poses, paper_model(images[:2]).poses)


def test_calling_the_network_leaves_nothing_on_it(paper_model, images):
    before = set(vars(paper_model))
    paper_model(images[:1])
    paper_model.trace(images[:1], iterations=2)
    assert set(vars(paper_model)) == before


def test_one_capsule_keeps_the_gradient_of_the_kept_one_only():
    poses = torch.rand(2, 4, 3, requires_grad=True)
    one_capsule(poses, torch.tensor([1, 3])).sum().backward()
    kept = poses.grad.abs().sum(-1) > 0
    assert kept.tolist() == [[False, True, False, False], [False, False, False, True]]


def test_the_network_is_one_capsnet_of_its_config():
    model = CapsNet(CapsNetConfig(classes=3))
    assert model.class_names == ("0", "1", "2")


def test_in_training_the_gradient_flows_through_the_last_sum_or_on_request_through_all(images):
    torch.manual_seed(0)
    model = CapsNet(CapsNetConfig(conv_channels=8)).train()
    with torch.no_grad():
        model.W.mul_(8)  # so that routing decides

    def gradient(**how):
        (found,) = torch.autograd.grad(model(images[:4], **how).lengths.square().sum(), model.W)
        return found

    votes = model.votes(model.primary(images[:4]))
    through = lengths_of(route(votes, 3)).square().sum()
    (expected,) = torch.autograd.grad(through, model.W)
    torch.testing.assert_close(gradient(full_gradient=True), expected)
    assert (gradient() - expected).norm() > 0.01 * expected.norm()


def test_a_network_without_a_decoder_recognises_and_says_that_it_cannot_draw(small_config):
    config = dataclasses.replace(small_config, decoder_hidden=None)
    model = CapsNet(config).eval()
    assert model.decoder is None
    assert not [name for name in model.state_dict() if "decoder" in name]
    out = model(torch.rand(3, 2, 20, 20))
    assert out.lengths.shape == (3, 4)
    with pytest.raises(ValueError, match="without a decoder"):
        model.decode(out.poses)
