"""What `--resume` needs: weights, their average, Adam's moments and the epochs done so far.

One safetensors file beside the checkpoint, written whole after every epoch.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from capsnet.checkpoint import CheckpointError, read_tensors, write_tensors
from capsnet.config import CapsNetConfig
from capsnet.training.epoch import Learner

MOMENTS = ("exp_avg", "exp_avg_sq")


@dataclass(frozen=True)
class ResumeState:
    """What must be the same for a run to go on, and what it has measured.

    Attributes:
        config: The network's sizes.
        recipe: The recipe's fields.
        images: Size of the training set.
        data: Its name.
        classes: What its classes are called, in order.
        history: One entry an epoch done.
    """

    config: CapsNetConfig
    recipe: dict[str, Any]
    images: int
    data: str = ""
    classes: tuple[str, ...] = ()
    history: list[dict[str, Any]] = field(default_factory=list)


def resume_path(out: Path) -> Path:
    """Return the resume file of a checkpoint: `mnist.resume.safetensors`."""
    return out.with_suffix(".resume" + out.suffix)


def save_resume(
    out: Path,
    state: ResumeState,
    learner: Learner,
) -> None:
    """Write the state after an epoch.

    Raises:
        CheckpointError: The file cannot be written.
    """
    tensors: dict[str, Tensor] = {}
    for name, parameter in learner.model.named_parameters():
        tensors[f"model.{name}"] = parameter.detach().cpu().contiguous()
        moments = learner.optimiser.state[parameter]
        for moment in MOMENTS:
            tensors[f"{moment}.{name}"] = moments[moment].cpu().contiguous()
        tensors[f"step.{name}"] = moments["step"].cpu()
    for name, parameter in learner.average.model.named_parameters():
        tensors[f"average.{name}"] = parameter.cpu().contiguous()
    write_tensors(
        resume_path(out),
        tensors,
        {
            "config": state.config.to_dict(),
            "recipe": state.recipe,
            "images": state.images,
            "data": state.data,
            "classes": list(state.classes),
            "history": state.history,
        },
    )


@torch.no_grad()
def load_resume(
    out: Path,
    wanted: ResumeState,
    learner: Learner,
) -> ResumeState:
    """Fill the networks and the optimiser of `learner`; return the state with its history.

    Where there is no resume file yet, nothing changes and `wanted` comes back: the first start
    and the restart after a kill are the same command.

    Raises:
        CheckpointError: The file is damaged or belongs to a run with other settings.
    """
    path = resume_path(out)
    if not path.exists():
        return wanted
    tensors, metadata = read_tensors(path)
    told = {"data": wanted.data, "classes": list(wanted.classes)}
    metadata = told | metadata  # an older file does not tell these
    expected = {
        "config": wanted.config.to_dict(),
        "recipe": wanted.recipe,
        "images": wanted.images,
    } | told
    for name, value in expected.items():
        if metadata.get(name) != value:
            raise CheckpointError(
                f"{path} belongs to a run with another {name} "
                f"({_differences(metadata.get(name), value)}). Give the settings of that run, or "
                "leave --resume out to start anew."
            )
    try:
        for name, parameter in learner.model.named_parameters():
            parameter.copy_(tensors[f"model.{name}"])
            state: dict[str, Tensor] = {
                "step": tensors[f"step.{name}"].to(parameter.device, copy=True)
            }
            for moment in MOMENTS:
                state[moment] = torch.empty_like(parameter).copy_(tensors[f"{moment}.{name}"])
            learner.optimiser.state[parameter] = state
        for name, parameter in learner.average.model.named_parameters():
            parameter.copy_(tensors[f"average.{name}"])
    except (KeyError, RuntimeError) as error:
        raise CheckpointError(
            f"{path} is damaged ({error}); leave --resume out to start anew."
        ) from error
    return replace(wanted, history=list(metadata.get("history", [])))


def _differences(there: Any, wanted: Any) -> str:
    if not (isinstance(there, dict) and isinstance(wanted, dict)):
        return f"{there} instead of {wanted}"
    names = [name for name in wanted if there.get(name) != wanted[name]]
    return ", ".join(f"{name} {there.get(name)} instead of {wanted[name]}" for name in names)
