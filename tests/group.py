"""What `test_distributed.py` asks of connected processes: torchrun runs this in each of them."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch

from capsnet import CapsNet, CapsNetConfig
from capsnet.data import DataError, LabelledImages
from capsnet.evaluate import evaluate
from capsnet.training.distributed import ProcessError, Processes

SLICE = Path(__file__).parent / "data" / "mnist_slice.npz"


def main() -> None:
    folder = Path(sys.argv[1])
    processes = Processes.of_torchrun()
    with np.load(SLICE) as arrays:
        images, labels = arrays["test_images"][:50], arrays["test_labels"][:50]
    digits = LabelledImages(torch.from_numpy(images), torch.from_numpy(labels).long())
    torch.manual_seed(1)
    config = CapsNetConfig.from_dict(json.loads((folder / "config.json").read_text()))
    model = CapsNet(config).eval()
    with processes.joined(processes.device("cpu")):
        answers = {
            "alone": asdict(evaluate(model, digits, batch_size=7)),
            "together": asdict(evaluate(model, digits, batch_size=7, processes=processes)),
            "ranks": processes.gather(processes.rank),
            "failure": failure(processes),
            "found": processes.in_turn(lambda: find(folder)),
        }
    (folder / f"{processes.rank}.json").write_text(json.dumps(answers))


def failure(processes):
    """What each process sees where the last one alone fails."""
    try:
        with processes.together():
            if processes.rank == processes.count - 1:
                raise DataError("the file is broken")
    except (DataError, ProcessError) as error:
        return [type(error).__name__, str(error)]


def find(folder):
    """Whether a download is there already; it is after this."""
    file = folder / "downloaded"
    there = file.exists()
    file.touch()
    return there


if __name__ == "__main__":
    main()
