"""Checkpoints that describe themselves: one safetensors file, nothing is ever unpickled.

The file's metadata holds, as JSON: `config`, `class_names`, `metrics` (what was measured of these
very weights), `data`, `code_version` and `command` (how to make the file again). Beside the weights
lie a few test images to look at through the network, where there are any (`capsnet.samples`).
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from capsnet.config import CapsNetConfig
from capsnet.model import CapsNet
from capsnet.samples import PREFIX, from_tensors, to_tensors

FORMAT = "capsnet-1"
HOW_TO_MAKE = (
    "python -m capsnet.train --dataset mnist --data-dir data --epochs 13 "
    "--out checkpoints/mnist.safetensors"
)


class CheckpointError(ValueError):
    """A checkpoint cannot be used; the message says what is wrong and what to do."""


@dataclass(frozen=True)
class Provenance:
    """Where a checkpoint's weights come from.

    Attributes:
        data: The data set's name.
        code_version: Version of this package, with the commit where it is known.
        command: The command that trained the weights.
        settings: The command's settings, defaults filled in.
    """

    data: str = ""
    code_version: str = ""
    command: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)


def save_checkpoint(
    path: str | os.PathLike[str],
    model: CapsNet,
    provenance: Provenance | None = None,
    *,
    dtype: torch.dtype = torch.float16,
) -> None:
    """Write `model` with its config, class names, metrics and samples, atomically.

    Args:
        path: The file; its folder is made where it is missing.
        model: The network; `model.metrics` and `model.samples` go into the file.
        provenance: Where the weights come from.
        dtype: The weights' type in the file: float16 halves it to 16 MB.

    Raises:
        CheckpointError: The weights are not finite in `dtype`, or the file cannot be written.
    """
    tensors = {name: value.to(dtype).contiguous() for name, value in model.state_dict().items()}
    _check_finite(tensors, "the weights to save")
    if model.samples is not None:
        tensors |= to_tensors(model.samples)
    provenance = provenance or Provenance()
    write_tensors(
        path,
        tensors,
        {
            "format": FORMAT,
            "config": model.config.to_dict(),
            "class_names": list(model.class_names),
            "metrics": model.metrics,
            "data": provenance.data,
            "code_version": provenance.code_version,
            "command": provenance.command,
            "settings": dict(provenance.settings),
        },
    )


def load_checkpoint(path: str | os.PathLike[str]) -> CapsNet:
    """Return the network that a file describes, in eval mode, float32, on the processor.

    `model.config`, `model.class_names`, `model.metrics` and `model.samples` come from the file.

    Raises:
        CheckpointError: The file is missing, unreadable, not a capsule network's checkpoint, or
            its tensors do not fit its own config.
    """
    tensors, metadata = read_tensors(path)
    if metadata.get("format") != FORMAT:
        raise CheckpointError(
            f"{path} is a safetensors file, but not a capsule network's checkpoint "
            f"(no format {FORMAT!r} in its metadata). Make one with: {HOW_TO_MAKE}"
        )
    try:
        config = CapsNetConfig.from_dict(metadata["config"])
        class_names = tuple(str(name) for name in metadata["class_names"])
        metrics = dict(metadata["metrics"])
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"{path} describes itself wrongly: {error}") from error
    if len(class_names) != config.classes:
        raise CheckpointError(
            f"{path} names {len(class_names)} classes for {config.classes} digit capsules"
        )
    with torch.device("meta"):  # shapes only: a lying config must not allocate anything
        expected = {name: value.shape for name, value in CapsNet(config).state_dict().items()}
    kept = {name: tensors.pop(name) for name in list(tensors) if name.startswith(PREFIX)}
    try:
        samples = from_tensors(kept, config.classes, config.image_size) if kept else None
    except ValueError as error:
        raise CheckpointError(f"{path} holds samples that are not its own: {error}") from error
    _check_shapes(tensors, expected, path)
    _check_finite(tensors, str(path))
    with torch.device("meta"):
        model = CapsNet(config, class_names=class_names, metrics=metrics)
    weights = {name: tensor.float() for name, tensor in tensors.items()}
    model.load_state_dict(weights, assign=True)
    model.samples = samples
    return model.eval().requires_grad_(False)


def check_writable(out: Path, ending: str = ".safetensors") -> None:
    """Refuse a checkpoint's name before hours are spent on it, or that of another file.

    Raises:
        CheckpointError: It has another ending, is a folder, or its folder cannot be written.
    """
    if not out.name.endswith(ending):
        raise CheckpointError(f"--out must end in {ending}, not {out.name!r}")
    name = out.name.removesuffix(ending)
    if not name or name.endswith(".resume"):
        taken = "the name of a resume state" if name else "no name"
        raise CheckpointError(f"--out cannot be {out.name!r}: that is {taken}")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out.parent):
            pass
        if out.is_dir():
            raise CheckpointError(f"{out} is a folder; name a file for --out")
    except OSError as error:
        raise CheckpointError(f"{out} cannot be written: {error.strerror}") from error


def read_metadata(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return a file's metadata without reading its tensors.

    Raises:
        CheckpointError: The file is missing, unreadable or not a safetensors file.
    """
    return _read(path, with_tensors=False)[1]


def read_tensors(path: str | os.PathLike[str]) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Return a safetensors file's tensors and its metadata, decoded from JSON.

    Raises:
        CheckpointError: As for `read_metadata`.
    """
    return _read(path, with_tensors=True)


def write_tensors(
    path: str | os.PathLike[str], tensors: Mapping[str, Tensor], metadata: Mapping[str, Any]
) -> None:
    """Write tensors and JSON metadata; a reader sees the old file or the new one, never half.

    Raises:
        CheckpointError: The file cannot be written; an older one is left as it was.
    """
    path = Path(path)
    partial = path.with_name(path.name + ".tmp")
    encoded = {key: json.dumps(value) for key, value in metadata.items()}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_file(dict(tensors), partial, metadata=encoded)
        partial.chmod(0o644)  # the writer makes it private; a server may run as another user
        with partial.open("rb+") as file:
            os.fsync(file.fileno())
        partial.replace(path)
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"{path} cannot be written: {error}") from error
    finally:  # also where the write was interrupted
        if path.parent.is_dir():
            partial.unlink(missing_ok=True)


def _read(
    path: str | os.PathLike[str], *, with_tensors: bool
) -> tuple[dict[str, Tensor], dict[str, Any]]:
    path = Path(path)
    try:
        exists = path.exists()
    except OSError as error:  # a name that is too long, a folder that may not be entered
        raise CheckpointError(f"{path} cannot be opened: {error.strerror}") from error
    if not exists:
        raise CheckpointError(f"{path} does not exist. Make it with: {HOW_TO_MAKE}")
    if path.is_dir():
        raise CheckpointError(f"{path} is a folder; name the .safetensors file in it.")
    try:
        with safe_open(path, framework="pt") as file:
            metadata = {key: json.loads(value) for key, value in (file.metadata() or {}).items()}
            tensors = {name: file.get_tensor(name) for name in file.keys() if with_tensors}  # noqa: SIM118
    except PermissionError as error:
        raise CheckpointError(f"{path} may not be read by this user.") from error
    except (SafetensorError, OSError) as error:
        raise CheckpointError(
            f"{path} is not a readable safetensors file ({error}). It may be damaged, cut off or "
            "of another kind (pickled .pt and .pth files are never opened). Get it again or make "
            f"it with: {HOW_TO_MAKE}"
        ) from error
    except ValueError as error:
        raise CheckpointError(f"the metadata of {path} is not this program's: {error}") from error
    return tensors, metadata


def _check_shapes(
    tensors: Mapping[str, Tensor],
    expected: Mapping[str, torch.Size],
    path: str | os.PathLike[str],
) -> None:
    missing, extra = sorted(expected.keys() - tensors), sorted(tensors.keys() - expected)
    if missing or extra:
        parts = [f"lacks {', '.join(missing)}"] * bool(missing)
        parts += [f"has unknown {', '.join(extra)}"] * bool(extra)
        raise CheckpointError(f"{path} does not fit its own config: it {' and '.join(parts)}")
    for name, shape in expected.items():
        if tensors[name].shape != shape:
            raise CheckpointError(
                f"{path} does not fit its own config: {name} is {list(tensors[name].shape)} "
                f"instead of {list(shape)}"
            )
        if not tensors[name].is_floating_point():
            raise CheckpointError(f"{path}: {name} holds {tensors[name].dtype}, not weights")


def _check_finite(tensors: Mapping[str, Tensor], what: str) -> None:
    for name, tensor in tensors.items():
        if not bool(tensor.isfinite().all()):
            raise CheckpointError(
                f"{what}: {name} holds NaN or infinite numbers; the training diverged or the file "
                "is damaged"
            )
