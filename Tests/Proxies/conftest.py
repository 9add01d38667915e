"""The server of the browser tests, and a Chromium."""

import pathlib
import sys

import pytest
from playwright.sync_api import sync_playwright

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "Browser")]


@pytest.fixture(scope="session")
def chromium():
    """A browser."""
    with sync_playwright() as engines:
        browser = engines.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield browser
        browser.close()
