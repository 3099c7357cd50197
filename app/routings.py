"""How an input was routed, in all that the Route view shows of it; computed once."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
from safetensors.numpy import save

from capsnet.analysis import curves, flow, projection
from capsnet.analysis.couplings import coupling_maps, entropy_summary, uniform_routing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.inputs import Floats


@dataclass(frozen=True)
class Routing:
    """How one input was routed: T iterations, I primary capsules, J digits, K types, D numbers.

    The logits and couplings follow from votes and poses (Procedure 1): they are not kept, and the
    browser computes them anew.

    Args:
        key: Names the input and the network.
        primary: u_i, [I, 8].
        votes: û_j|i, [I, J, D].
        poses: v_j, [T, J, D].
        lengths: ‖v_j‖, [T, J].
        off: ‖v_j‖ with routing switched off, [J].
        weighted: Couplings at each place, weighted by the votes' lengths, [T, J, grid, grid].
        plain: The same, every capsule counting alike.
        entropy: Of the couplings, mean over the primary capsules, bits, [T].
        entropy_low: Its 10 % quantile, [T].
        entropy_high: Its 90 % quantile, [T].
        logit_change: Mean |Δb|, [T].
        agreement: Mean û·v of each digit, weighted by coupling, [T, J].
        concentration: How far the votes for each digit point one way, 0…1, [T, J].
        points: The votes in each digit's plane, [J, I, 2].
        pose_points: The poses in it, [J, T, 2].
        explained: Share of the votes' squared length along each of its axes, [J, 2].
        pose_shown: Smallest share of a pose's length that lies in it, [J].
        flow_places: Σ c ‖û‖ from each place to each digit, [T, places, J].
        flow_types: The same from each type, [T, K, J].
    """

    key: str
    primary: Floats
    votes: Floats
    poses: Floats
    lengths: Floats
    off: Floats
    weighted: Floats
    plain: Floats
    entropy: Floats
    entropy_low: Floats
    entropy_high: Floats
    logit_change: Floats
    agreement: Floats
    concentration: Floats
    points: Floats
    pose_points: Floats
    explained: Floats
    pose_shown: Floats
    flow_places: Floats
    flow_types: Floats

    @classmethod
    def of(cls, key: str, trace: Mapping[str, Floats], grid: int) -> Routing:
        """What there is to show of a trace (`state_network.trace_of`); grid × grid places."""
        couplings, votes = trace["couplings"], trace["votes"]
        entropy = entropy_summary(couplings)
        basis = projection.vote_basis(votes, trace["poses"])
        sent = flow.flow(couplings, votes, grid)
        return cls(
            key=key,
            primary=trace["primary"],
            votes=votes,
            poses=trace["poses"],
            lengths=trace["lengths"],
            off=uniform_routing(votes),
            weighted=coupling_maps(couplings, votes, grid, weighted=True),
            plain=coupling_maps(couplings, votes, grid, weighted=False),
            entropy=entropy.mean,
            entropy_low=entropy.low,
            entropy_high=entropy.high,
            logit_change=curves.logit_change(trace["logits"]),
            agreement=curves.agreement(couplings, trace["agreements"]),
            concentration=projection.concentration(couplings, votes),
            points=basis.points,
            pose_points=basis.pose_points,
            explained=basis.explained,
            pose_shown=basis.pose_shown,
            flow_places=sent.by_place,
            flow_types=sent.by_type,
        )

    def loudest(self, digit: int, iteration: int) -> int:
        """The primary capsule that gives a digit most in an iteration: the largest c_ij ‖û_j|i‖."""
        earlier = self.poses[: iteration - 1].sum(axis=0)
        logits = np.einsum("ijd,jd->ij", self.votes, earlier)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        couplings = shares[:, digit] / shares.sum(axis=1)  # [I]
        return int(np.argmax(couplings * np.linalg.norm(self.votes[:, digit], axis=-1)))

    def file(self) -> bytes:
        """All arrays as a safetensors file of float32, with the key in its metadata."""
        arrays = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "key"}
        tensors = {
            name: np.ascontiguousarray(array, dtype=np.float32) for name, array in arrays.items()
        }
        return save(tensors, metadata={"key": self.key})
