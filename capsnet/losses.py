"""The two losses of the paper: margin (section 3, eq. 4) and reconstruction (section 4.1)."""

from __future__ import annotations

import torch
from torch import Tensor

M_PLUS = 0.9  # eq. 4: a present class's capsule should be at least this long
M_MINUS = 0.1  # eq. 4: an absent class's capsule should be at most this long
ABSENT_WEIGHT = 0.5  # eq. 4's λ: keeps early learning from shrinking every capsule
RECONSTRUCTION_WEIGHT = 0.0005  # section 4.1: for the squared error summed over the pixels


def margin_loss(
    lengths: Tensor,
    labels: Tensor,
    *,
    m_plus: float = M_PLUS,
    m_minus: float = M_MINUS,
    absent_weight: float = ABSENT_WEIGHT,
) -> Tensor:
    """Return L = Σ_k T_k max(0, m⁺ − ‖v_k‖)² + λ (1 − T_k) max(0, ‖v_k‖ − m⁻)², batch mean.

    Args:
        lengths: ‖v_k‖, [B, classes].
        labels: The class of each image, int64 [B].
        m_plus: m⁺.
        m_minus: m⁻.
        absent_weight: λ.

    Returns:
        A scalar.
    """
    present = torch.nn.functional.one_hot(labels, lengths.shape[-1]).to(lengths.dtype)
    missing = (m_plus - lengths).clamp(min=0).square()
    spurious = (lengths - m_minus).clamp(min=0).square()
    terms = present * missing + absent_weight * (1 - present) * spurious  # [B, classes]
    return terms.sum(dim=-1).mean()


def reconstruction_loss(reconstruction: Tensor, images: Tensor) -> Tensor:
    """Return the squared error summed over each image's pixels, batch mean: a scalar.

    Averaging over the pixels instead would make it 784 times weaker on MNIST.

    Args:
        reconstruction: [B, C, H, W], in 0…1.
        images: The same shape.
    """
    return (reconstruction - images).square().flatten(1).sum(dim=1).mean()


def total_loss(
    margin: Tensor, reconstruction: Tensor, weight: float = RECONSTRUCTION_WEIGHT
) -> Tensor:
    """Return margin + 0.0005 · reconstruction, what training minimises (section 4.1)."""
    return margin + weight * reconstruction


def plateau(lengths: Tensor, margin: Tensor) -> str | None:
    """Say so if training sits where a wrongly sized W leaves it, else return None.

    With every length at 0 the margin loss is m⁺² = 0.81, with every length at 1 it is
    9 · λ · (1 − m⁻)² = 3.645 for ten classes; both hardly move.

    Args:
        lengths: ‖v_k‖ of a batch, [B, classes].
        margin: Its margin loss, a scalar.
    """
    classes = lengths.shape[-1]
    flat = {"0": M_PLUS**2, "1": (classes - 1) * ABSENT_WEIGHT * (1 - M_MINUS) ** 2}
    for length, loss in flat.items():
        near = float((lengths - float(length)).abs().mean()) < 0.03
        if near and abs(float(margin) - loss) < 0.05 * loss:
            return (
                f"every length is near {length} and the margin loss near {loss:.3f}: the network "
                "does not learn yet. If it stays there, W starts too "
                f"{'small' if length == '0' else 'large'}, or the learning rate does not fit."
            )
    return None
