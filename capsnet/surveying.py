"""Asking a whole test set what `capsnet.survey` writes down."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from itertools import product
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from tqdm import tqdm

from capsnet.analysis.effects import PER, Effects, measure_effects
from capsnet.analysis.population import PosePopulation, pose_population
from capsnet.analysis.survey import RoutingSurvey, survey_routing
from capsnet.data import DIGITS, LabelledImages, to_input
from capsnet.model import CapsNet
from capsnet.routing import RoutingTrace

Floats = NDArray[np.floating]
Section = Literal["routing", "moved", "poses", "effects", "axes"]
Survey = RoutingSurvey | PosePopulation | Effects

ITERATIONS = 10
BATCH = 50  # images; their trace takes 150 MB
SWEPT = 50  # digits of each class whose dimensions are moved
TURN, SHEAR, STRETCH = 20.0, 0.2, 0.2  # degrees, and shares of the size


def left_out(model: CapsNet) -> dict[Section, str]:
    """Return the sections that make no sense for a network, and why."""
    if model.decoder is None:
        reason = "the network has no decoder to draw what a dimension does"
    elif model.class_names != DIGITS:
        reason = (
            "what a dimension does is measured in the strokes of digits, beside how MNIST's differ"
        )
    else:
        return {}
    return {"effects": reason, "axes": reason}


def survey_sections(
    model: CapsNet, data: LabelledImages, sections: Sequence[Section], *, progress: bool = False
) -> dict[Section, Survey]:
    """Survey a test set for each of some sections.

    Args:
        model: A network in eval mode.
        data: Images and labels, N > 0.
        sections: "routing" and "moved" as `survey`, "poses" is the population of the poses,
            "effects" what their dimensions do to the picture, "axes" what their principal axes do.
        progress: Show bars on standard error.
    """
    found: dict[Section, Survey] = {}
    poses = None
    for section in sections:
        if section == "routing" or section == "moved":
            found[section] = survey(model, data, section, progress=progress)
            continue
        if poses is None:
            poses = all_poses(model, data, progress=progress)
        labels = data.labels.numpy()
        if section == "poses":
            found[section] = pose_population(poses, labels)
        else:
            found[section] = survey_effects(
                model, poses, labels, along_axes=section == "axes", progress=progress
            )
    return found


def survey(
    model: CapsNet,
    data: LabelledImages,
    section: Literal["routing", "moved"] = "routing",
    *,
    progress: bool = False,
) -> RoutingSurvey:
    """Route every image for ITERATIONS, or as long as the network was trained with if that is more.

    Args:
        model: A network in eval mode.
        data: Images and labels, N > 0.
        section: "routing" takes the images as they are, "moved" as `moved` makes them.
        progress: Show a bar on standard error.
    """
    traces = _traces(model, data, section, progress)
    return survey_routing(traces, model.config.iterations)


@torch.inference_mode()
def all_poses(model: CapsNet, data: LabelledImages, *, progress: bool = False) -> Floats:
    """Return the poses of every image after the r iterations of the training, [N, J, D]."""
    device = next(model.parameters()).device
    batches = range(0, len(data), BATCH)
    poses = [
        model(to_input(data.images[start : start + BATCH]).to(device)).poses.cpu()
        for start in tqdm(batches, desc="poses", unit="batch", disable=not progress, leave=False)
    ]
    return torch.cat(poses).numpy()


def survey_effects(
    model: CapsNet,
    poses: Floats,
    labels: NDArray[np.integer],
    *,
    along_axes: bool = False,
    count: int = SWEPT,
    progress: bool = False,
) -> Effects:
    """Move the poses of some digits of each class and measure what is drawn.

    Args:
        model: The network whose decoder draws.
        poses: v, [N, J, D], as `all_poses`.
        labels: Classes of the images, [N].
        along_axes: Move along the principal axes of the class instead of the dimensions. They
            differ much in width: PER along one is a standard deviation, so that the sweep goes
            from -2.5 to 2.5 of them.
        count: Digits of each class: of those that are read right, in the order of the test set,
            so many at equal distances from the first to the last.
        progress: Show a bar on standard error.
    """
    read = np.linalg.norm(poses, axis=-1).argmax(axis=1)
    chosen = []
    for digit in range(poses.shape[1]):
        right = np.flatnonzero((labels == digit) & (read == digit))
        at = np.linspace(0, len(right) - 1, min(count, len(right))).round().astype(int)
        chosen.append(poses[right[at], digit])
    directions = None
    if along_axes:
        population = pose_population(poses, labels)
        directions = population.axes * population.spreads[..., None] / PER
    name = "axes" if along_axes else "effects"
    with tqdm(desc=name, unit="picture", disable=not progress, leave=False) as bar:

        @torch.inference_mode()
        def decode(v: Floats, digit: int) -> Floats:
            bar.update(len(v))
            alone = torch.zeros(len(v), *poses.shape[1:])
            alone[:, digit] = torch.from_numpy(v)
            device = next(model.parameters()).device
            return model.decode(alone.to(device), digit)[:, 0].cpu().numpy()

        return measure_effects(decode, chosen, directions)


def _traces(
    model: CapsNet, data: LabelledImages, section: str, progress: bool
) -> Iterator[tuple[RoutingTrace, Tensor]]:
    """Traces of BATCH images at a time, brought to the processor, with their labels."""
    device = next(model.parameters()).device
    iterations = max(ITERATIONS, model.config.iterations)
    batches = range(0, len(data), BATCH)
    for start in tqdm(batches, desc=section, unit="batch", disable=not progress, leave=False):
        images = to_input(data.images[start : start + BATCH])
        if section == "moved":
            images = moved(images, start)
        trace = model.trace(images.to(device), iterations)
        here = {field.name: getattr(trace, field.name).cpu() for field in fields(trace)}
        yield replace(trace, **here), data.labels[start : start + BATCH]


def moved(images: Tensor, start: int = 0) -> Tensor:
    """Turn images by ±TURN, shear them by ±SHEAR and make them 1 ± STRETCH times as large.

    There are eight ways to do all three; each image takes the next. Nothing is drawn by chance.

    Args:
        images: [B, 1, 28, 28], values 0…1, ink is 1.
        start: Number of the first image in its set.
    """
    signs = torch.tensor(list(product((1.0, -1.0), repeat=3)))
    turn, shear, stretch = signs[torch.arange(start, start + len(images)) % len(signs)].unbind(1)
    cos, sin = math.cos(math.radians(TURN)), turn * math.sin(math.radians(TURN))
    across, down = 1 / (1 + stretch * STRETCH), shear * SHEAR / (1 + stretch * STRETCH)
    # What is read for each new pixel: rotation · [[1, shear], [0, 1]] / size, about the centre.
    affine = torch.zeros(len(images), 2, 3)
    affine[:, 0, 0], affine[:, 0, 1] = cos * across, cos * down - sin * across
    affine[:, 1, 0], affine[:, 1, 1] = sin * across, sin * down + cos * across
    grid = torch.nn.functional.affine_grid(affine, list(images.shape), align_corners=False)
    return torch.nn.functional.grid_sample(images, grid, align_corners=False).clamp_(0, 1)
