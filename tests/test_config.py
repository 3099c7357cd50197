import dataclasses

import pytest

from capsnet import CapsNetConfig, receptive_field
from capsnet.analysis.receptive_fields import capsule_index


def test_the_default_is_the_papers_network():
    config = CapsNetConfig()
    assert (config.conv_size, config.grid, config.places) == (20, 6, 36)
    assert config.primary_capsules == 1152
    assert config.pixels == 784


def test_a_config_survives_json():
    config = CapsNetConfig(classes=5, decoder_hidden=(64, 128))
    assert CapsNetConfig.from_dict(config.to_dict()) == config


def test_a_config_without_a_decoder_survives_json():
    config = CapsNetConfig(decoder_hidden=None)
    assert CapsNetConfig.from_dict(config.to_dict()) == config


def test_a_config_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        CapsNetConfig().classes = 3


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"classes": 0}, "classes"),
        ({"digit_dim": 2.5}, "digit_dim"),
        ({"iterations": True}, "iterations"),
        ({"image_size": 16}, "too small"),
        ({"decoder_hidden": (512,)}, "two widths"),
        ({"decoder_hidden": 512}, "two widths"),
        ({"decoder_hidden": ()}, "two widths"),
        ({"decoder_hidden": (512, 0)}, "positive integers"),
    ],
)
def test_sizes_that_describe_no_network_are_refused_in_words(change, word):
    with pytest.raises(ValueError, match=word):
        CapsNetConfig.from_dict(CapsNetConfig().to_dict() | change)


def test_unknown_and_missing_fields_are_named():
    values = CapsNetConfig().to_dict() | {"flavour": 1}
    del values["classes"]
    with pytest.raises(ValueError, match="classes, flavour"):
        CapsNetConfig.from_dict(values)


def test_a_place_sees_17_by_17_pixels_two_apart():
    assert receptive_field(0, 0) == (slice(0, 17), slice(0, 17))
    assert receptive_field(5, 2) == (slice(10, 27), slice(4, 21))


@pytest.mark.parametrize("place", [(-1, 0), (6, 0), (0, 6)])
def test_a_place_outside_the_grid_is_refused(place):
    with pytest.raises(ValueError, match="outside"):
        receptive_field(*place)


def test_capsules_are_numbered_by_type_then_row_then_column():
    assert capsule_index(0, 0, 0) == 0
    assert capsule_index(31, 5, 5) == 1151
    assert capsule_index(2, 3, 4) == 2 * 36 + 3 * 6 + 4
    with pytest.raises(ValueError, match="type 32"):
        capsule_index(32, 0, 0)
