import dataclasses

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from capsnet import CapsNet, CapsNetConfig
from capsnet.layers import layers


@pytest.fixture(params=["the paper's", "small", "without a decoder"])
def config(request, small_config):
    return {
        "the paper's": CapsNetConfig(),
        "small": small_config,
        "without a decoder": dataclasses.replace(small_config, decoder_hidden=None),
    }[request.param]


def test_the_layers_have_all_parameters_of_the_network(config):
    with torch.device("meta"):
        model = CapsNet(config)
    expected = sum(parameter.numel() for parameter in model.parameters())
    assert sum(layer.parameters for layer in layers(config)) == expected


def test_the_papers_layers_are_those_of_the_design():
    found = layers(CapsNetConfig())
    assert [layer.output for layer in found] == [
        (256, 20, 20),
        (1152, 8),
        (1152, 10, 16),
        (10, 16),
        (512,),
        (1024,),
        (784,),
    ]
    assert [layer.parameters for layer in found[:4]] == [20_992, 5_308_672, 1_474_560, 0]
    assert sum(layer.parameters for layer in found[4:]) == 1_411_344


def test_the_multiply_adds_are_those_that_torch_counts(config):
    model = CapsNet(config).eval()
    shape = (1, config.image_channels, config.image_size, config.image_size)
    with FlopCounterMode(display=False) as counter, torch.inference_mode():
        poses = model(torch.zeros(shape)).poses
        if model.decoder is not None:
            model.decode(poses, 0)
    assert 2 * sum(layer.multiply_adds for layer in layers(config)) == counter.get_total_flops()
