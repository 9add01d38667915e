"""What the page says about itself: whether it loads, has lost its connection, moves, or is ready."""

import contextlib
import time

import pytest

from figures.light import brightness, valleys
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
    reader.wait_for("__lectern.settled && __lectern.caption !== null")
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


# Records what is visible of the open book in each frame, beginning with the first: the number of its pages, whether
# boards or their shadow are visible, and the colour of the boards.
NOTE_BOARDS = """(() => {
  window.__boards = []
  const note = () => {
    requestAnimationFrame(note)
    const stage = document.getElementById('stage')
    if (stage === null) return
    const seen = (one) => getComputedStyle(one).visibility === 'visible' && one.getClientRects().length > 0
    const pages = [...stage.querySelectorAll('.el.page')].filter(seen).length
    const boards = [...stage.querySelectorAll('.binding, .cast')].some(seen) ||
      document.querySelector('#table.shadowed') !== null
    __boards.push([pages, boards, getComputedStyle(stage).getPropertyValue('--board').trim()])
  }
  requestAnimationFrame(note)
})()"""
COVER = "__lectern.stage.all.find(({ content: { kind, index } }) => kind === 2 && index === 0).content.imageURL"


@BOTH
def test_the_boards_of_a_page_that_is_opened_by_its_address_come_with_their_book(browser, open_books):
    with contextlib.closing(browser.reader()) as reader:
        in_book(reader, open_books)
        reader.before(NOTE_BOARDS)
        reader.goto(reader.evaluate("location.href"))
        reader.wait_for(f"{STATE}[0] === 'ready' && __boards.some(([, boards]) => boards)")
        frames = reader.evaluate("__boards")
        neutral = frames[0][2]
        for pages, boards, colour in frames:
            assert not boards or (pages > 0 and colour != neutral), (pages, boards, colour)


def test_boards_wait_for_the_cover_and_pages_on_their_way_have_the_frame_of_their_print(reader, open_books, out):
    in_book(reader, open_books)
    cover = reader.evaluate(COVER)
    address = reader.evaluate("location.href")
    page = Held(reader.page, "**/screen*")
    reader.before(NOTE_BOARDS)
    reader.goto(address)
    reader.wait_for("document.querySelectorAll('#stage .el.page .due').length >= 2 && __boards.length > 30")
    path = out / "due.png"
    reader.screenshot(path)
    # The line of the frame is in the outer part of the right page.
    assert valleys(brightness(path, 740, 300, 795, 340), 5) == 1
    assert not any(boards for _, boards, _ in reader.evaluate("__boards")), cover
    page.let_go()
    reader.wait_for(f"{STATE}[0] === 'ready' && __boards.at(-1)[1]")
    assert reader.evaluate("document.querySelectorAll('#stage .due:not(.printed)').length") == 0


def said_on_pages(reader, open_books, **answer):
    """Opens a book at its address while its images have this answer, and returns what its pages say."""
    in_book(reader, open_books)
    address = reader.evaluate("location.href")
    reader.page.route("**/screen*", lambda route: route.fulfill(**answer))
    reader.goto(address)
    reader.wait_for("document.querySelectorAll('#stage .spoilt').length >= 2")
    return reader.evaluate("document.querySelector('#stage .spoilt').textContent")


def test_a_page_that_cannot_be_shown_gives_its_reason_instead_of_the_frame(reader, open_books):
    torn = '{"error": "No.", "notice": {"code": "pageDamaged", "values": {"page": "3"}}, "retry": true}'
    said = said_on_pages(reader, open_books, status=500, content_type="application/json", body=torn)
    assert "Page 3 is damaged" in said
    assert reader.evaluate("document.querySelector('.face.due:has(.spoilt)')") is None
    reader.page.unroute("**/screen*")
    reader.wait_for("[...document.querySelectorAll('#stage .spoilt .hot')].every((again) => again.click() ?? true)")
    reader.wait_for(f"{STATE}[0] === 'ready' && document.querySelectorAll('#stage .el.page .printed').length >= 2")
    reader.errors.clear()


def test_an_image_that_arrives_but_cannot_be_decoded_is_not_always_on_its_way(reader, open_books):
    said = said_on_pages(reader, open_books, status=200, content_type="image/svg+xml", body="<svg><rect</svg>")
    assert "This image cannot be shown." in said
