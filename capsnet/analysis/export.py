"""One image's trace as a file that explains itself: numpy arrays and a README in one .npz.

The README is written from the arrays, so that shapes, types and ranges are those in the file.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from textwrap import dedent, indent
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from capsnet.analysis.knockout import Cut

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from capsnet.config import CapsNetConfig

README = "README.txt"
HEAD = """\
One image, and every quantity of every iteration of dynamic routing, as numpy arrays.

Names and equations as in Sabour, Frosst, Hinton: Dynamic Routing Between Capsules, 2017
(https://arxiv.org/abs/1710.09829).
"""


class _Entry(NamedTuple):
    axes: str
    meaning: str


ENTRIES = {
    "image": _Entry("C H H", "what the network saw; 0 is paper, 1 is ink"),
    "primary": _Entry("I U", "u, the primary capsules, squashed (section 4, eq. 1)"),
    "votes": _Entry("I J D", "û_j|i = W_ij u_i, what capsule i says of digit j (eq. 2)"),
    "logits": _Entry("T I J", "b, before the softmax; 0 in the first iteration (Procedure 1)"),
    "couplings": _Entry("T I J", "c, shared out over the digits: sums to 1 over J (eq. 3)"),
    "agreements": _Entry("T I J", "û_j|i · v_j, what is added to b (Procedure 1, line 7)"),
    "poses": _Entry("T J D", "v, the digit capsules (eq. 1)"),
    "lengths": _Entry("T J", "‖v_j‖, how present each digit is, 0…1; not a softmax (section 4)"),
    "class_names": _Entry("J", "what the digit capsules stand for"),
}
"""The arrays of the file, in its order: their axes, and what they are in the paper."""

LAWS = """
couplings[t]  = softmax(logits[t]) over J               (eq. 3)
poses[t]      = squash(Σ_i couplings[t, i] · votes[i])  (eq. 2 and eq. 1)
lengths[t]    = ‖poses[t]‖
agreements[t] = votes · poses[t], summed over D         (Procedure 1, line 7)
logits[0]     = 0,  logits[t + 1] = logits[t] + agreements[t]
"""


def trace_file(
    trace: Mapping[str, ArrayLike],
    image: ArrayLike,
    config: CapsNetConfig,
    class_names: Sequence[str],
    *,
    checkpoint: str = "",
    cut: Cut | None = None,
) -> bytes:
    """Return a trace as the bytes of a compressed .npz file; the same trace gives the same bytes.

    Args:
        trace: The arrays of `RoutingTrace` by name, of one image, without the batch axis.
        image: What was traced, [C, H, H] with or without a batch axis of 1.
        config: The network's sizes.
        class_names: What the digit capsules stand for.
        checkpoint: Where the network is, for the lines that compute the trace again.
        cut: What was knocked out before routing.

    Returns:
        The arrays of ENTRIES and README.txt; `np.load` reads the arrays, without pickle, and any
        unzip the README.

    Raises:
        ValueError: An array is missing or is not of such a network, or `cut` is not cut in it.
    """
    arrays = _arrays(trace, image, config, class_names)
    if cut and arrays["votes"][cut.mask(config)].any():
        raise ValueError(f"{cut} is not knocked out of this trace")
    text = readme(arrays, config, checkpoint=checkpoint, cut=cut)
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    with zipfile.ZipFile(file, "a") as archive:
        entry = zipfile.ZipInfo(README)  # without the time of day
        archive.writestr(entry, text, compress_type=zipfile.ZIP_DEFLATED)
    return file.getvalue()


def readme(
    arrays: Mapping[str, NDArray],
    config: CapsNetConfig,
    *,
    checkpoint: str = "",
    cut: Cut | None = None,
) -> str:
    """Return what is to be known about the arrays of ENTRIES; arguments as for `trace_file`."""
    grid, last = config.grid, len(arrays["lengths"]) - 1
    sizes = _sizes(config, last + 1)
    axes = {
        "T": f"iterations; index t = 0…{last} is iteration t + 1; trained with {config.iterations}",
        "I": f"primary capsules, i = type · {config.places} + row · {grid} + column; "
        f"type 0…{config.primary_types - 1}, row and column 0…{grid - 1}",
        "J": f"digit capsules: {', '.join(map(str, arrays['class_names']))}",
        "U": "dimensions of a primary capsule",
        "D": "dimensions of a digit capsule and of a vote",
        "C": "channels of the image",
        "H": "rows and columns of the image, from the top left",
    }
    sections = {
        "Load": f"""\
            import numpy as np

            trace = np.load("trace.npz")
            trace["couplings"][{last}, :, 0]  # [I], to digit capsule 0 in the last iteration""",
        "Axes": "\n".join(f"{axis} {sizes[axis]:5}  {meaning}" for axis, meaning in axes.items()),
        "Arrays": "\n".join(_described(name, arrays[name]) for name in ENTRIES),
        "What holds, up to rounding": LAWS,
        "Knocked out before routing": _knocked_out(cut) if cut else "",
        "Compute it again": _again(checkpoint, cut, last + 1) if checkpoint else "",
    }
    return "\n".join(
        [HEAD, *(f"{title}\n{_indented(text)}\n" for title, text in sections.items() if text)]
    )


def _described(name: str, array: NDArray) -> str:
    axes = ", ".join(ENTRIES[name].axes.split())
    shape = ", ".join(map(str, array.shape))
    values = f"{array.min():.6g} … {array.max():.6g}" if array.dtype.kind == "f" else "text"
    return f"{name}  [{axes}] = [{shape}]  {array.dtype}  {values}\n    {ENTRIES[name].meaning}"


def _knocked_out(cut: Cut) -> str:
    return (
        f"{cut}  (c: capsules i, p: places row · grid + column, t: types)\n"
        "u and û of these capsules are 0, so they add nothing to any s_j; their logits stay 0 and\n"
        "their couplings uniform in every iteration, which means nothing."
    )


def _again(checkpoint: str, cut: Cut | None, iterations: int) -> str:
    lines = f"""\
        import capsnet, torch

        model = capsnet.load_checkpoint({checkpoint!r})
        again = model.trace(torch.from_numpy(trace["image"])[None], iterations={iterations})"""
    if cut:
        lines += f"""

        from capsnet.analysis.knockout import Cut, route_without

        silenced = Cut.parse({str(cut)!r}).mask(model.config)
        again = route_without(again.primary[0], again.votes[0], silenced, {iterations})"""
    return lines


def _indented(text: str) -> str:
    return indent(dedent(text).strip(), "    ")


def _sizes(config: CapsNetConfig, iterations: int) -> dict[str, int]:
    return {
        "T": iterations,
        "I": config.primary_capsules,
        "J": config.classes,
        "U": config.primary_dim,
        "D": config.digit_dim,
        "C": config.image_channels,
        "H": config.image_size,
    }


def _arrays(
    trace: Mapping[str, ArrayLike],
    image: ArrayLike,
    config: CapsNetConfig,
    class_names: Sequence[str],
) -> dict[str, NDArray]:
    """The arrays of ENTRIES, in order, each of the shape that its axes tell."""
    given = {**trace, "image": np.asarray(image), "class_names": np.array(class_names, dtype=str)}
    missing = ", ".join(name for name in ENTRIES if name not in given)
    if missing:
        raise ValueError(f"the trace lacks {missing}")
    arrays = {name: np.asarray(given[name]) for name in ENTRIES}
    if arrays["image"].ndim == 4 and len(arrays["image"]) == 1:
        arrays["image"] = arrays["image"][0]
    sizes = _sizes(config, len(arrays["lengths"]))
    for name, array in arrays.items():
        shape = tuple(sizes[axis] for axis in ENTRIES[name].axes.split())
        if array.shape != shape:
            raise ValueError(f"{name} must be {list(shape)}, got {list(array.shape)}")
    return arrays
