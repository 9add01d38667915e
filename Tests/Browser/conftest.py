"""The fixtures that the browser tests share: one server and one process of each browser.

Which browser a test runs in:

- A test runs in Chromium, unless it says otherwise.
- A test marked `BOTH` runs once in Chromium and once in Firefox. It is about something in which
  browsers differ: rendering and layout, pointers and keys, focus, history, storage, WebSockets,
  images or timing.
- A test that takes the fixtures `chromium` and `firefox` uses both at once.

What the server decides, and what the page does in the same way in every browser, is tested in Chromium
alone. The rules of rooms are tested without a browser, in Tests/RoomsTests.

Windows ask for reduced motion. A test about flight, bend, pace or light in motion is marked `MOVING`, and its windows
ask for the whole motion.

A test that fails leaves a screenshot and the state of each of its windows (evidence.py).
"""

import contextlib
import pathlib
import sys

import pytest

FOLDER = pathlib.Path(__file__).parent
# The files of tests that run through a proxy as well: what readers do, alone and together.
JOURNEYS = ("books", "continue", "history", "keyboard", "phone", "reader", "reading", "sharing", "text", "together")
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "Proxies")]

pytest.register_assert_rewrite("steps")

import contextlib
import evidence  # noqa: E402
from bookserver import books, long_book  # noqa: E402, F401, fixtures are found by their names
from chromium import Chromium  # noqa: E402
from firefox import Firefox  # noqa: E402
from server import Server  # noqa: E402
from steps import OpenBooks  # noqa: E402

OUT = pathlib.Path(__file__).parent / "out"
PARTS = ("chromium", "firefox", "neither")


class Motion:
    """The motion that the windows of the current test ask for, and the browsers that run."""

    moves = False
    browsers = []

    @classmethod
    def running(cls, browser):
        """Runs a browser that follows the current test; ends it after the tests."""
        browser.moves = cls.moves
        cls.browsers.append(browser)
        yield browser
        cls.browsers.remove(browser)
        browser.close()

    @classmethod
    def set(cls, moves):
        """Sets the motion for the windows that are opened from now on."""
        cls.moves = moves
        for browser in cls.browsers:
            browser.moves = moves


def pytest_addoption(parser):
    """Adds the options that divide the tests among processes, and that add variants."""
    parser.addoption(
        "--part",
        choices=PARTS,
        help="run only the tests that need Firefox, those that need Chromium but not Firefox,"
        " or those that need neither",
    )
    parser.addoption(
        "--through", choices=("nginx", "caddy"), help="run only what readers do, through a proxy"
    )
    parser.addoption("--all-variants", action="store_true", help="run all sizes, lights and poses, instead of a few")


def pytest_configure(config):
    """Registers the marks."""
    config.addinivalue_line("markers", "moving: windows ask for the whole motion")
    config.addinivalue_line("markers", "variant: runs with --all-variants only")


def part_of(test):
    """Returns the part that a test belongs to."""
    params = test.callspec.params.values() if hasattr(test, "callspec") else ()
    needs = {*test.fixturenames, *(param for param in params if isinstance(param, str))}
    if "firefox" in needs:
        return "firefox"
    return "chromium" if needs & {"chromium", "browser"} else "neither"


def pytest_collection_modifyitems(config, items):
    """Deselects the tests of the other parts, and variants that are not asked for."""
    part, has_variants = config.getoption("--part"), config.getoption("--all-variants")
    is_whole = not config.getoption("--through")

    def is_wanted(test):
        is_in_part = part in (None, part_of(test)) and (has_variants or not test.get_closest_marker("variant"))
        return is_in_part and (is_whole or test.path.stem.removeprefix("test_") in JOURNEYS)

    config.hook.pytest_deselected(items=[test for test in items if not is_wanted(test)])
    items[:] = filter(is_wanted, items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Saves what the windows show when a test fails, and adds the paths to the report."""
    if call.excinfo is not None and call.when != "teardown":
        evidence.save_all()
    report = yield
    if report.failed and evidence.saved():
        report.sections.append(("Evidence", "\n".join(map(str, evidence.saved()))))
    return report


@pytest.fixture(autouse=True)
def motion(request):
    """Gives the browsers that run the motion of the test; notes its name."""
    evidence.begin(request.node.name)
    Motion.set(request.node.get_closest_marker("moving") is not None)


@pytest.fixture(scope="session")
def server(request, tmp_path_factory):
    """The server, which must exit with 0 after the tests."""
    kind = request.config.getoption("--through")
    with through(kind, tmp_path_factory.mktemp("proxy")) if kind else contextlib.nullcontext(Server()) as server:
        yield server
    assert server.stop() == 0, server.output


@contextlib.contextmanager
def through(kind, folder):
    """A server below a path of a proxy that asks for a login, at the address of a browser that knows the login."""
    from proxies import EVERYTHING, free_port, logged_in, proxied

    port, own = free_port(), free_port()
    server = Server("--trust-proxy", "loopback", "--open-library",
                    "--public-url", f"http://127.0.0.1:{port}/books", port=own)
    with proxied(kind, folder, own, keeps_path=False, login=EVERYTHING) as url:
        with logged_in(url, folder, port) as server.url:
            yield server


@pytest.fixture(scope="session")
def open_books(server):
    """Readers that have an open book."""
    books = OpenBooks(server.url)
    yield books
    books.close()


@pytest.fixture(scope="session", autouse=True)
def sound(tmp_path_factory):
    """Gives the client of PulseAudio, which is part of both browsers, a folder that it would otherwise leave behind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PULSE_RUNTIME_PATH", str(tmp_path_factory.mktemp("sound")))
        yield


@pytest.fixture(scope="session")
def chromium():
    """The process of Chromium."""
    yield from Motion.running(Chromium(is_coarse=True))


@pytest.fixture(scope="session")
def firefox():
    """The process of Firefox."""
    yield from Motion.running(Firefox(is_coarse=True))


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
