"""What the command lines share."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments, instead of printing the whole usage."""

    def error(self, message: str) -> NoReturn:
        """End with status 2."""
        self.exit(2, f"error: {message} (--help lists what there is)\n")


def number(
    kind: Callable[[str], float], low: float, high: float = math.inf
) -> Callable[[str], float]:
    """Return an argument's type: a number of a kind from `low` to `high`, both allowed."""

    def number(text: str) -> float:
        try:
            value = kind(text)
        except ValueError as error:
            wanted = "a whole number" if kind is int else "a number"
            raise argparse.ArgumentTypeError(f"must be {wanted}, got {text!r}") from error
        if not low <= value <= high:
            limits = f"at least {low}" if high == math.inf else f"between {low} and {high}"
            raise argparse.ArgumentTypeError(f"must be {limits}, got {text}")
        return value

    return number
