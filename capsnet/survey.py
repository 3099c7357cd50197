"""Survey a checkpoint over its test set, and keep what that says beside the file:

`python -m capsnet.survey CHECKPOINT --data-dir DIR`

It runs the test set through ten iterations of routing: errors, changed verdicts and couplings after
each of them, which primary capsules are dead, and whether couplings differ from image to image.
Then once more with every image turned, sheared and scaled farther than in training. It describes
the poses of each class, and of digits it moves their dimensions to measure what those do to the
picture.

The file NAME.survey.npz holds `about`, JSON with the format and the key of the checkpoint it
belongs to, and arrays `SECTION.NAME`. The sections `routing` and `moved` hold a `RoutingSurvey`
each, of the test set as it is and moved; `poses` holds a `PosePopulation`; `effects` and `axes`
hold an `Effects` each, of the dimensions and of the principal axes of the poses. Each can be made
alone: who writes one keeps the others, who reads one passes over them.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Literal, get_args, overload

import numpy as np

from capsnet.analysis.effects import Effects, single_effect
from capsnet.analysis.population import PosePopulation
from capsnet.analysis.survey import RoutingSurvey
from capsnet.arguments import Parser, number
from capsnet.checkpoint import CheckpointError, check_writable, load_checkpoint
from capsnet.data import DataError, dataset_of
from capsnet.device import DeviceError, keep_freed_memory, pick_device
from capsnet.evaluate import add_dataset, load_test_set
from capsnet.surveying import STRETCH, TURN, Section, Survey, left_out, survey_sections

FORMAT = "capsnet-survey-1"
_KINDS: dict[Section, type[Survey]] = {
    "routing": RoutingSurvey,
    "moved": RoutingSurvey,
    "poses": PosePopulation,
    "effects": Effects,
    "axes": Effects,
}


class SurveyError(ValueError):
    """There is no survey that can be used; the message says why and what to do."""


def checkpoint_key(path: str | os.PathLike[str]) -> str:
    """Return a short name for a checkpoint's content, which a survey of it carries.

    Raises:
        CheckpointError: The file cannot be read.
    """
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror}") from error


def survey_path(checkpoint: str | os.PathLike[str]) -> Path:
    """Return where the survey of a checkpoint lies: `mnist.survey.npz` by `mnist.safetensors`."""
    return Path(checkpoint).with_suffix(".survey.npz")


def how_to_make(checkpoint: str | os.PathLike[str], data: str = "") -> str:
    """Return the command that surveys a checkpoint.

    Args:
        checkpoint: The file, as the command names it.
        data: What it was trained on, as its metadata say: a folder of images has to be named.
    """
    command = f"python -m capsnet.survey {checkpoint} --data-dir data"
    try:
        dataset_of(data)
    except DataError:
        return f"{command} --dataset FOLDER" if data else command
    return command


def save_survey(path: str | os.PathLike[str], key: str, surveys: Mapping[Section, Survey]) -> None:
    """Write sections; a reader sees the old file or the new one, never half.

    Other sections are kept where they belong to the same checkpoint.

    Args:
        path: The file; its folder is made where it is missing.
        key: `checkpoint_key` of the checkpoint it belongs to.
        surveys: What to write, by section; floating numbers are kept as float32.

    Raises:
        SurveyError: The file cannot be written; an older one is left as it was.
    """
    path = Path(path)
    try:
        about, kept = _read(path, key)
    except SurveyError:
        about, kept = {}, {}
    about |= {"format": FORMAT, "checkpoint": key}
    arrays: dict[str, Any] = {
        name: value for name, value in kept.items() if name.split(".")[0] not in surveys
    }
    for section, found in surveys.items():
        for name, value in asdict(found).items():
            array = np.asarray(value)
            small = array.astype(np.float32) if array.dtype.kind == "f" else array
            arrays[f"{section}.{name}"] = small
    partial = path.with_name(path.name + ".tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as file:
            np.savez_compressed(file, about=np.array(json.dumps(about)), **arrays)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        raise SurveyError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        if path.parent.is_dir():
            partial.unlink(missing_ok=True)


@overload
def load_survey(
    path: str | os.PathLike[str], key: str, section: Literal["routing", "moved"] = "routing"
) -> RoutingSurvey: ...
@overload
def load_survey(
    path: str | os.PathLike[str], key: str, section: Literal["poses"]
) -> PosePopulation: ...
@overload
def load_survey(
    path: str | os.PathLike[str], key: str, section: Literal["effects", "axes"]
) -> Effects: ...
def load_survey(path: str | os.PathLike[str], key: str, section: Section = "routing") -> Survey:
    """Read what a survey says about a checkpoint.

    Args:
        path: The file, `survey_path` of the checkpoint.
        key: `checkpoint_key` of the checkpoint it should belong to.
        section: Which part of it.

    Raises:
        SurveyError: There is none, it is damaged, or it was made of another checkpoint.
    """
    _, arrays = _read(Path(path), key)
    names = [field.name for field in fields(_KINDS[section])]
    missing = [name for name in names if f"{section}.{name}" not in arrays]
    if len(missing) == len(names):
        raise SurveyError(f"{path} has no section {section}: it was made without")
    if missing:
        raise SurveyError(f"{path} lacks {', '.join(missing)}: it is of another version")
    found = {name: arrays[f"{section}.{name}"] for name in names}
    values: dict[str, Any] = {n: v if v.ndim else v.item() for n, v in found.items()}
    return _KINDS[section](**values)


def _read(path: Path, key: str) -> tuple[dict[str, object], dict[str, np.ndarray]]:
    """What a file says about itself, and its arrays."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = dict(stored)
        about = json.loads(str(arrays.pop("about")))
        told, belongs = about["format"], about["checkpoint"]
    except FileNotFoundError as error:
        raise SurveyError(f"{path} does not exist") from error
    except OSError as error:
        raise SurveyError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise SurveyError(f"{path} is damaged or not a survey") from error
    if told != FORMAT:
        raise SurveyError(f"{path} is of the format {told}, not {FORMAT}")
    if belongs != key:
        raise SurveyError(f"{path} was made of another version of the checkpoint")
    return about, arrays


def summary(section: Section, found: Survey) -> str:
    """Return what a section says in a few lines."""
    if isinstance(found, PosePopulation):
        widest = ", ".join(
            "–" if np.isnan(part) else f"{100 * part:.0f}" for part in found.explained[:, 0]
        )
        return (
            f"poses of {found.count.sum()} images; the widest principal axis of each class has "
            f"{widest} % of their variance (– where nothing was read rightly)"
        )
    if isinstance(found, Effects):
        classes, kinds = found.change.shape
        single = sum(
            single_effect(found, j, k) is not None for j in range(classes) for k in range(kinds)
        )
        return f"{section}: {single} of {classes * kinds} change a single property"
    if section == "moved":
        return (
            f"errors with every image turned by {TURN:.0f}°, sheared and scaled by {STRETCH:.0%}: "
            f"{', '.join(map(str, found.errors))}"
        )
    return _routing_summary(found)


def _routing_summary(routing: RoutingSurvey) -> str:
    uniform = 1 / len(routing.class_counts)
    rows = [
        f"{t:>9} {routing.errors[t - 1]:>7} {routing.changed[t - 1]:>8} {routing.better[t - 1]:>7} "
        f"{routing.worse[t - 1]:>6} {routing.entropy[t - 1]:>8.3f} {routing.largest[t - 1]:>8.3f}"
        for t in range(1, len(routing.errors) + 1)
    ]
    parts = ", ".join(
        f"{100 * part / (routing.departure or 1):.1f} % {name}"
        for name, part in (
            ("the same for all images", routing.static),
            ("between the classes", routing.between),
            ("within a class", routing.within),
        )
    )
    return "\n".join(
        [
            f"{routing.count} images, trained with r = {routing.trained}",
            "iteration  errors  changed  better  worse  entropy  largest coupling",
            *rows,
            f"couplings depart from {uniform:.2f} by {routing.departure**0.5:.4f} (root mean "
            f"square): {parts}",
            f"{int((routing.dead == 1).sum())} of {len(routing.dead)} primary capsules are dead in "
            f"every image, {int((routing.dead > 0).sum())} in some",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = Parser(prog="python -m capsnet.survey", description=(__doc__ or "").split("\n\n")[2])
    parser.add_argument("checkpoint", type=Path, help="a .safetensors file of capsnet.train")
    add_dataset(parser)
    parser.add_argument("--out", type=Path, help="default: NAME.survey.npz beside the checkpoint")
    parser.add_argument(
        "--limit", type=number(int, 1), metavar="N", help="only the first N images (default: all)"
    )
    parser.add_argument(
        "--sections",
        nargs="+",
        choices=get_args(Section),
        help="what to survey; the file keeps its other sections (default: all that make sense)",
    )
    parser.add_argument("--device", help="cpu, cuda or mps (default: the fastest present)")
    options = parser.parse_args(arguments)
    keep_freed_memory()
    out = options.out or survey_path(options.checkpoint)
    try:
        model = load_checkpoint(options.checkpoint).to(pick_device(options.device))
        key = checkpoint_key(options.checkpoint)
        check_writable(out, ".npz")
        data = load_test_set(options.checkpoint, model, options.dataset, options.data_dir)
        senseless = left_out(model)
        if refused := [name for name in options.sections or () if name in senseless]:
            raise SurveyError(f"there is no section {refused[0]}: {senseless[refused[0]]}")
        sections = options.sections or [name for name in get_args(Section) if name not in senseless]
        surveys = survey_sections(model, data.take(options.limit), sections, progress=True)
        save_survey(out, key, surveys)
    except (CheckpointError, DataError, DeviceError, SurveyError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    for section, found in surveys.items():
        print(summary(section, found))
    if options.sections is None:
        for section, reason in senseless.items():
            print(f"{section}: left out, {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
