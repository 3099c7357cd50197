import pytest
import torch

from capsnet import margin_loss, reconstruction_loss
from capsnet.losses import plateau, total_loss
from tests import reference


def test_margin_loss_follows_equation_4():
    lengths = torch.rand(20, 10, dtype=torch.float64)
    labels = torch.randint(0, 10, (20,))
    expected = reference.margin_loss(lengths.tolist(), labels.tolist())
    assert margin_loss(lengths, labels).item() == pytest.approx(expected)


def test_the_margins_are_squared():
    lengths = torch.tensor([[0.4, 0.1]])  # short of m⁺ by 0.5
    assert margin_loss(lengths, torch.tensor([0])).item() == pytest.approx(0.25)
    lengths = torch.tensor([[0.9, 0.5]])  # over m⁻ by 0.4
    assert margin_loss(lengths, torch.tensor([0])).item() == pytest.approx(0.5 * 0.16)


@pytest.mark.parametrize(("length", "loss"), [(0.0, 0.81), (1.0, 3.645)])
def test_the_two_plateaus_have_their_known_losses(length, loss):
    value = margin_loss(torch.full((4, 10), length), torch.arange(4))
    assert value.item() == pytest.approx(loss, abs=1e-6)


def test_reconstruction_loss_sums_over_the_pixels_and_averages_over_the_batch():
    one, image = torch.rand(2, 1, 28, 28, dtype=torch.float64), torch.rand(2, 1, 28, 28).double()
    expected = reference.reconstruction_loss(one.numpy(), image.numpy())
    assert reconstruction_loss(one, image).item() == pytest.approx(expected)
    whole = reconstruction_loss(torch.ones(3, 1, 28, 28), torch.zeros(3, 1, 28, 28))
    assert whole.item() == 784


def test_the_total_weighs_reconstruction_by_0_0005():
    assert total_loss(torch.tensor(0.2), torch.tensor(100.0)).item() == pytest.approx(0.25)


def test_training_is_warned_on_either_plateau_and_only_there():
    labels = torch.arange(10)
    for level, word in ((0.005, "too small"), (0.995, "too large")):
        lengths = torch.full((10, 10), level)
        assert word in plateau(lengths, margin_loss(lengths, labels))
    learning = torch.eye(10) * 0.8 + 0.1
    assert plateau(learning, margin_loss(learning, labels)) is None
