"""The fixtures that the browser tests share: one server and one process of each browser.

Which browser a test runs in:

- A test runs in Chromium, unless it says otherwise.
- A test marked `BOTH` runs once in Chromium and once in Firefox. It is about something in which
  browsers differ: rendering and layout, pointers and keys, focus, history, storage, WebSockets,
  images or timing.
- A test that takes the fixtures `chromium` and `firefox` uses both at once.

What the server decides, and what the page does in the same way in every browser, is tested in Chromium
alone. If you are unsure whether browsers differ in something, mark the test `BOTH`.
"""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

pytest.register_assert_rewrite("steps")

from chromium import Chromium  # noqa: E402
from firefox import Firefox  # noqa: E402
from server import Server  # noqa: E402
from steps import OpenBooks  # noqa: E402

OUT = pathlib.Path(__file__).parent / "out"
PARTS = ("chromium", "firefox", "neither")


def pytest_addoption(parser):
    """Adds the option that divides the tests among processes."""
    parser.addoption(
        "--part",
        choices=PARTS,
        help="run only the tests that need Firefox, those that need Chromium but not Firefox,"
        " or those that need neither",
    )


def part_of(test):
    """Returns the part that a test belongs to."""
    params = test.callspec.params.values() if hasattr(test, "callspec") else ()
    needs = {*test.fixturenames, *(param for param in params if isinstance(param, str))}
    if "firefox" in needs:
        return "firefox"
    return "chromium" if needs & {"chromium", "browser"} else "neither"


def pytest_collection_modifyitems(config, items):
    """Deselects the tests of the other parts."""
    part = config.getoption("--part")
    if part is None:
        return
    others = [test for test in items if part_of(test) != part]
    config.hook.pytest_deselected(items=others)
    items[:] = [test for test in items if part_of(test) == part]


@pytest.fixture(scope="session")
def server():
    """The server, which must exit with 0 after the tests."""
    server = Server()
    yield server
    assert server.stop() == 0, server.output


@pytest.fixture(scope="session")
def open_books(server):
    """Readers that have an open book."""
    books = OpenBooks(server.url)
    yield books
    books.close()


@pytest.fixture(scope="session")
def chromium():
    """The process of Chromium."""
    browser = Chromium(is_coarse=True)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def firefox():
    """The process of Firefox."""
    browser = Firefox(is_coarse=True)
    yield browser
    browser.close()


@pytest.fixture
def browser(request):
    """Chromium, or for a test marked `BOTH` each browser in turn."""
    return request.getfixturevalue(getattr(request, "param", "chromium"))


@pytest.fixture
def reader(browser):
    """A window, which must have no errors after the test."""
    reader = browser.reader()
    yield reader
    errors = list(reader.errors)
    reader.close()
    assert errors == []


@pytest.fixture
def out():
    """The folder for screenshots."""
    OUT.mkdir(exist_ok=True)
    return OUT
