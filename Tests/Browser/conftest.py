"""What the browser tests share: one server and one process of each browser for all of them."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

pytest.register_assert_rewrite("steps")

from chromium import Chromium  # noqa: E402
from firefox import Firefox  # noqa: E402
from server import Server  # noqa: E402

OUT = pathlib.Path(__file__).parent / "out"


@pytest.fixture(scope="session")
def server():
    """The server; it must end well when asked to."""
    server = Server()
    yield server
    assert server.stop() == 0, server.output


@pytest.fixture(scope="session")
def chromium():
    """The process of Chromium."""
    browser = Chromium()
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def firefox():
    """The process of Firefox."""
    browser = Firefox()
    yield browser
    browser.close()


@pytest.fixture(params=["chromium", "firefox"])
def browser(request):
    """Each browser in turn."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def reader(browser):
    """A window that must be free of errors when the test is over."""
    reader = browser.reader()
    yield reader
    errors = list(reader.errors)
    reader.close()
    assert errors == []


@pytest.fixture
def out():
    """The folder of the screenshots."""
    OUT.mkdir(exist_ok=True)
    return OUT
