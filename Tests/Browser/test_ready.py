"""What the page says about itself: whether it loads, has lost its connection, moves, or is ready."""

import contextlib
import time

import pytest

from reader import WAIT_SECONDS
from server import Server
from steps import BOTH, MOVING, in_book

STATE = "[document.documentElement.dataset.state, document.documentElement.ariaBusy]"
NEXT_FRAME = f"new Promise((drawn) => requestAnimationFrame(() => drawn({STATE})))"
# Notes each state of the page from now on.
NOTE = """(({ dataset }) => {
  window.__states = [dataset.state]
  new MutationObserver(() => __states.push(dataset.state))
    .observe(document.documentElement, { attributeFilter: ['data-state'] })
})(document.documentElement)"""


class Held:
    """Requests of a page that are answered only when they are let go."""

    def __init__(self, page, pattern):
        self._routes = []
        self._is_holding = True
        page.route(pattern, self._take)

    def _take(self, route):
        if self._is_holding:
            self._routes.append(route)
        else:
            route.continue_()

    @property
    def is_asked(self):
        """Whether the page has sent such a request."""
        return len(self._routes) > 0

    def let_go(self):
        """Answers the requests, and all later ones at once."""
        self._is_holding = False
        for route in self._routes:
            route.continue_()


@pytest.fixture
def reader(chromium):
    """A window of Chromium, whose requests can be held."""
    with contextlib.closing(chromium.reader()) as reader:
        yield reader


@pytest.mark.parametrize("pattern", [
    pytest.param("**/css/controls.css", id="style"), pytest.param("**/js/library.js", id="module"),
    pytest.param("**/js/words/library.js", id="module of a module"),
    pytest.param("**/ledges/*.svg*", id="image"), pytest.param("**/api/uploads*", id="answer"),
])
def test_the_page_is_loading_as_long_as_something_is_missing_from_it(reader, server, pattern):
    held = Held(reader.page, pattern)
    reader.goto(server.url)
    until = time.monotonic() + WAIT_SECONDS
    while not held.is_asked:
        assert time.monotonic() < until, "the page does not ask for it"
        reader.evaluate(NEXT_FRAME)
    reader.wait_for("__lectern.settled && __lectern.view.caption !== null")
    # A wait that ended too early would show in the frames after the first picture.
    for _ in range(10):
        assert reader.evaluate(NEXT_FRAME) == ["loading", "true"]
    held.let_go()
    reader.ready()
    assert reader.evaluate(STATE) == ["ready", "false"]


def test_the_page_is_loading_before_its_first_module_has_run(reader, server):
    held = Held(reader.page, "**/js/main.js")
    reader.page.goto(server.url, wait_until="commit")
    reader.page.wait_for_selector("body", state="attached")
    assert reader.evaluate(STATE) == ["loading", "true"]
    held.let_go()
    reader.ready()


@BOTH
@MOVING
def test_a_turning_leaf_makes_the_page_move_until_it_rests(browser, open_books):
    with contextlib.closing(browser.reader()) as reader:
        in_book(reader, open_books)
        reader.ready()
        reader.evaluate(NOTE)
        with reader.settling("book"):
            reader.key("ArrowRight")
        states = reader.evaluate("__states")
        assert states[:2] == ["ready", "moving"] and states[-1] == "ready"


def test_a_page_without_its_server_is_lost_and_ready_again_when_the_server_is_back(reader, tmp_path):
    server = Server("--data", tmp_path)
    reader.open(server.url)
    server.stop()
    reader.wait_for(f"{STATE}[0] === 'lost'")
    assert reader.evaluate(STATE) == ["lost", "false"]
    again = Server("--data", tmp_path, port=server.port)
    try:
        reader.ready()
    finally:
        again.stop()
    reader.errors.clear()
