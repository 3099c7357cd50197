"""Which code is running."""

from __future__ import annotations

import subprocess
from pathlib import Path


def code_version() -> str:
    """Return the package's version, with the commit it is checked out at where git knows."""
    from capsnet import __version__

    folder = Path(__file__).resolve().parent
    try:
        commit = subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
            timeout=10,
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return __version__
    return f"{__version__} ({commit})"
