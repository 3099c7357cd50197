"""What an input is routed to without some of its primary capsules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from app.inputs import ranked
from capsnet.analysis.couplings import coupling_maps
from capsnet.analysis.knockout import Cut, route_without

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch

    from app.inputs import Floats, Input, Reading
    from app.routings import Routing
    from capsnet.config import CapsNetConfig

    Decode = Callable[[torch.Tensor, int], Floats]


@dataclass(frozen=True)
class Aftermath:
    """How one input is routed without the capsules of a cut; T, J as in `Routing`.

    Args:
        cut: Which capsules, as `str(Cut)` says it.
        count: How many these are.
        lengths: ‖v_j‖, [T, J].
        weighted: Couplings at each place, weighted by the votes' lengths, [T, J, grid, grid]; a
            place whose capsules are all silenced keeps even ones, which mean nothing.
        reading: What the network then makes of the input, with the r it was trained with.
    """

    cut: str
    count: int
    lengths: Floats
    weighted: Floats
    reading: Reading


def aftermath(
    cut: Cut,
    given: Input,
    routed: Routing,
    before: Reading,
    config: CapsNetConfig,
    decode: Decode | None,
) -> Aftermath:
    """Silence the capsules of a cut and route again.

    Args:
        cut: Which capsules.
        given: The input.
        routed: How it is routed with all of them.
        before: What the network makes of it with all of them.
        config: The network's sizes.
        decode: Poses [1, J, D] and a digit → the image that its capsule stands for, [28, 28]; None
            where there is no decoder.

    Raises:
        ValueError: The network has no such capsule, place or type.
    """
    silenced = cut.mask(config)
    trace = route_without(routed.primary, routed.votes, silenced, len(routed.lengths))
    lengths = trace.lengths[:, 0].numpy()  # [T, J]
    couplings, votes = trace.couplings[:, 0].numpy(), trace.votes[0].numpy()
    last = min(config.iterations, len(lengths)) - 1
    poses = trace.poses[last]  # [1, J, D]
    candidates = [int(digit) for digit in ranked(lengths[last])[:2]]
    rebuilt = [] if decode is None else [decode(poses, digit) for digit in candidates]
    after = replace(
        before,
        lengths=lengths[last],
        poses=poses[0].numpy(),
        reconstructions=np.stack(rebuilt) if rebuilt else before.reconstructions,
        errors=tuple(float(((image - given.pixels) ** 2).sum()) for image in rebuilt),
    )
    maps = coupling_maps(couplings, votes, config.grid, weighted=True)
    return Aftermath(str(cut), int(silenced.sum()), lengths, maps, after)
