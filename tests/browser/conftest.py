"""A running app and a real Chromium to drive it with."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Error, expect, sync_playwright

import capsnet
from capsnet.checkpoint import Provenance

MAIN = Path(__file__).parents[2] / "app" / "main.py"
PATIENCE = 60_000  # ms; a busy machine is slow, not wrong
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextlib.contextmanager
def serving(folder, **environment):
    """The app, started as a visitor starts it but from another folder; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    log = (folder / "server.log").open("w+")
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "streamlit",
            "run",
            str(MAIN),
            "--server.headless",
            "true",
            "--server.port",
            str(port),
            "--server.address",
            "127.0.0.1",
        ],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        for _ in range(240):
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=5)
                break
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                assert process.poll() is None, Path(log.name).read_text()
                time.sleep(0.25)
        yield address
        assert process.poll() is None, "the server died"
        assert "Traceback" not in Path(log.name).read_text()
    finally:
        process.terminate()
        process.wait(20)
        log.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The address of the app with the checkpoints that come with it."""
    with serving(tmp_path_factory.mktemp("elsewhere")) as address:
        yield address


@pytest.fixture(scope="session")
def networks(tmp_path_factory):
    """A folder with two networks: `mnist`, and `digits`, whose decoder draws darker."""
    folder = tmp_path_factory.mktemp("networks")
    bundled = MAIN.parents[1] / "checkpoints" / "mnist.safetensors"
    (folder / "mnist.safetensors").write_bytes(bundled.read_bytes())
    model = capsnet.load_checkpoint(bundled)
    [layer for layer in model.decoder if isinstance(layer, torch.nn.Linear)][-1].bias.add_(1)
    provenance = Provenance("MNIST and pen strokes of 30 writers")
    capsnet.save_checkpoint(folder / "digits.safetensors", model, provenance)
    return folder


@pytest.fixture(scope="session")
def choosing(networks):
    """The address of the app with two networks to choose from."""
    with serving(networks, CAPSNET_CHECKPOINT=str(networks)) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    """Debian's Chromium or Playwright's own; without either the tests are skipped, not in CI."""
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=FLAGS
            )
        except Error as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(f"no Chromium: {str(error).splitlines()[0]}")
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def profiles(browser):
    """The browser with a mouse and as a phone; pages of one profile share what they have loaded."""
    mouse, phone = browser.new_context(), browser.new_context(has_touch=True, is_mobile=True)
    yield {False: mouse, True: phone}
    mouse.close()
    phone.close()


@contextlib.contextmanager
def visiting(server, profiles):
    """A function that opens a page as a new visitor; fails at the end on errors in the pages."""
    expect.set_options(timeout=PATIENCE)
    pages, problems = [], []

    def open_page(path="/", *, width=1280, height=900, dark=False, touch=False, at=server):
        page = profiles[touch].new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if dark else "light")
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(at + path)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert not problems


@pytest.fixture
def visit(server, profiles):
    """Return a function that opens a page as a new visitor, for one test."""
    with visiting(server, profiles) as open_page:
        yield open_page


@pytest.fixture(scope="module")
def stay(server, profiles):
    """Return a function that opens a page for all tests of a module, which leave it as it was."""
    with visiting(server, profiles) as open_page:
        yield open_page
