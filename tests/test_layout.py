"""The layout's promises: which part may import which."""

import subprocess
import sys

import pytest

LIBRARY = """
import sys, importlib, pkgutil, capsnet
for module in pkgutil.walk_packages(capsnet.__path__, "capsnet."):
    importlib.import_module(module.name)
"""
FIGURES = """
import sys, importlib, pkgutil, app.figures
for module in pkgutil.walk_packages(app.figures.__path__, "app.figures."):
    importlib.import_module(module.name)
"""


@pytest.mark.parametrize(
    ("program", "forbidden"),
    [(LIBRARY, ("streamlit", "plotly", "app")), (FIGURES, ("streamlit", "torch"))],
)
def test_arrows_point_one_way(program, forbidden):
    check = f"{program}\nprint(sorted(set({forbidden!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
