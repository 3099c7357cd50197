"""What the command lines share."""

from __future__ import annotations

import argparse
from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments, instead of printing the whole usage."""

    def error(self, message: str) -> NoReturn:
        """End with status 2."""
        self.exit(2, f"error: {message} (--help lists what there is)\n")
