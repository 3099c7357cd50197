"""Squash and dynamic routing (Sabour, Frosst & Hinton 2017, section 2 and Procedure 1).

Indices as in the paper: i a primary capsule, j a digit capsule, t an iteration.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor


def squash(s: Tensor, dim: int = -1) -> Tensor:
    """Shrink vectors to a length below 1 and keep their direction (eq. 1).

    v = ‖s‖² / (1 + ‖s‖²) · s / ‖s‖, written as s · ‖s‖ / (1 + ‖s‖²) so that nothing is divided
    by zero: at s = 0 both the value and the gradient are exactly 0, and no ε is needed.

    Args:
        s: Vectors along `dim`, any shape.
        dim: The axis that holds a vector's components.

    Returns:
        The squashed vectors, the shape of `s`; lengths in 0…1.
    """
    length = torch.linalg.vector_norm(s, dim=dim, keepdim=True)
    return s * (length / (1 + length.square()))


def lengths_of(poses: Tensor) -> Tensor:
    """Return the lengths ‖v‖ of the vectors on the last axis; the gradient at 0 is 0."""
    return torch.linalg.vector_norm(poses, dim=-1)


@dataclass(frozen=True)
class RoutingStep:
    """What one iteration of routing computed.

    Attributes:
        votes: û, [B, I, J, D].
        logits: b, [B, I, J]; 0 in the first iteration.
        couplings: c = softmax of the logits over the J digit capsules, [B, I, J].
        poses: v = squash(Σ_i c·û), [B, J, D].
    """

    votes: Tensor
    logits: Tensor
    couplings: Tensor
    poses: Tensor

    @cached_property
    def agreements(self) -> Tensor:
        """û_j|i · v_j, [B, I, J], computed only where somebody asks."""
        return torch.einsum("bijd,bjd->bij", self.votes, self.poses)


def routing_steps(votes: Tensor, iterations: int, *, detach: bool = False) -> Iterator[RoutingStep]:
    """Route by agreement, one iteration at a time (Procedure 1).

    The logits start at 0 for every image and belong to this call alone. The softmax runs over
    the digit capsules: each primary capsule shares out exactly 1.

    Args:
        votes: û, [B, I, J, D].
        iterations: Number of iterations, at least 1.
        detach: Let the gradient flow through the last iteration's weighted sum only; the
            couplings then count as constants.

    Yields:
        One `RoutingStep` an iteration.

    Raises:
        ValueError: `iterations` is below 1.
    """
    _check_iterations(iterations)
    logits = torch.zeros_like(votes[..., 0])  # [B, I, J]
    for t in range(iterations):
        seen = votes.detach() if detach and t < iterations - 1 else votes
        couplings = logits.softmax(dim=-1)
        poses = squash(torch.einsum("bij,bijd->bjd", couplings, seen))
        step = RoutingStep(seen, logits, couplings, poses)
        yield step
        if t < iterations - 1:
            logits = logits + step.agreements


def route(votes: Tensor, iterations: int, *, detach: bool = False) -> Tensor:
    """Return the poses after the last iteration, [B, J, D]; see `routing_steps`."""
    for step in routing_steps(votes, iterations, detach=detach):
        poses = step.poses
    return poses


def route_without_votes(
    primary: Tensor, W: Tensor, iterations: int, *, detach: bool = False
) -> Tensor:
    """Return what `route` does of the votes û_j|i = W_ij u_i, without ever forming them.

    Votes are 20 times as many numbers as the primary capsules. A digit capsule's weighted sum
    Σ_i c_ij W_ij u_i is one matrix product of W_j with the capsules c_ij u_i, and an agreement
    û_j|i · v_j is u_i · (W_ijᵀ v_j): 10 times as many numbers, and nothing is transposed.
    For batches on a processor, where moving numbers costs more than multiplying them.

    Args:
        primary: u, [B, I, d].
        W: [I, d, J, D].
        iterations: As for `routing_steps`.
        detach: As for `routing_steps`.

    Returns:
        v, [B, J, D].

    Raises:
        ValueError: `iterations` is below 1.
    """
    _check_iterations(iterations)
    batch, (I, d, J, D) = len(primary), W.shape  # noqa: E741
    u = primary.transpose(1, 2).contiguous()  # as `PrimaryCapsules` lays batches out already
    W_j = W.permute(2, 1, 0, 3).reshape(J, d * I, D)
    logits = primary.new_zeros(())
    for t in range(iterations):
        last = t == iterations - 1
        seen, weights = (u.detach(), W_j.detach()) if detach and not last else (u, W_j)
        if t == 0:  # every coupling is 1 / J
            s = torch.matmul(seen.reshape(batch, d * I) / J, weights)  # [J, B, D]
        else:
            sent = logits.softmax(dim=0)[:, :, None] * seen  # c_ij u_i, [J, B, d, I]
            s = torch.bmm(sent.view(J, batch, d * I), weights)
        poses = squash(s)
        if not last:
            expected = torch.bmm(poses, weights.transpose(1, 2)).view(J, batch, d, I)  # W_ijᵀ v_j
            logits = logits + (expected * seen).sum(dim=2)  # [J, B, I]
    return poses.transpose(0, 1)


def _check_iterations(iterations: int) -> None:
    if iterations < 1:
        raise ValueError(f"routing needs at least 1 iteration, got {iterations}")


@dataclass(frozen=True)
class RoutingTrace:
    """Every quantity of every iteration, for the eye.

    Attributes:
        primary: u, [B, I, 8]: the squashed primary capsules.
        votes: û, [B, I, J, D].
        logits: b, [T, B, I, J]; `logits[0]` is 0 and
            `logits[t + 1] = logits[t] + agreements[t]`.
        couplings: c, [T, B, I, J]; sums to 1 over J.
        agreements: û · v, [T, B, I, J].
        poses: v, [T, B, J, D].
        lengths: ‖v‖, [T, B, J], in 0…1.
    """

    primary: Tensor
    votes: Tensor
    logits: Tensor
    couplings: Tensor
    agreements: Tensor
    poses: Tensor
    lengths: Tensor


def trace_routing(primary: Tensor, votes: Tensor, iterations: int) -> RoutingTrace:
    """Route as `route` does and keep every step; shapes as in `RoutingTrace`."""
    steps = list(routing_steps(votes, iterations))
    poses = torch.stack([step.poses for step in steps])
    return RoutingTrace(
        primary=primary,
        votes=votes,
        logits=torch.stack([step.logits for step in steps]),
        couplings=torch.stack([step.couplings for step in steps]),
        agreements=torch.stack([step.agreements for step in steps]),
        poses=poses,
        lengths=lengths_of(poses),
    )
