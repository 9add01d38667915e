"""Windows that are covered, hidden, frozen or left: they come back in step, and never move the room."""

import contextlib

import pytest

import wire
from chromium import Chromium
from server import Line
from steps import BOTH, RIGHT, assert_same, in_book, open_beside

HELD = "__lectern.session.room.isHeld"
SELF = "[__lectern.session.me, performance.timeOrigin]"
SAID = "!document.getElementById('notice').hidden"
MIDDLE = (450, 384)
# The kinds of the messages that the page has sent since it was marked.
MARK = "void (window.__messages.length = 0)"
SENT = "window.__messages.filter(([way]) => way === 'sent').map(([, , data]) => new Uint8Array(data)[0])"
MOVES = {wire.CLIENT[name] for name in ("pointers", "wheel", "key", "zoom", "jump", "go", "lay", "zoomStep")}


@contextlib.contextmanager
def beside(browser, server, open_books, other=None):
    """Two windows of one reader in a book. The second has a line of its own, which can be lost; its browser may be
    another one.
    """
    with contextlib.ExitStack() as stack:
        line = Line(server.port)
        stack.callback(line.close)
        stays, away = (
            stack.enter_context(contextlib.closing(one.reader())) for one in (browser, other or browser)
        )
        view = in_book(stays, open_books)
        open_beside(away, stays, line.url, view)
        away.wait_for("__lectern.session.people.size === 2")
        yield stays, away, line
        assert stays.errors == []


@pytest.fixture
def pair(browser, server, open_books):
    """See `beside`."""
    with beside(browser, server, open_books) as windows:
        yield windows


def turn(reader, pages=1):
    """Turns pages."""
    for _ in range(pages):
        with reader.settling("book"):
            reader.key("ArrowRight")


def meet(stays, away):
    """Waits until the second window shows the page of the first one."""
    stays.ready()
    page, frame = stays.evaluate("[__lectern.caption.page, __lectern.frame]")
    away.wait_for(
        f"__lectern.caption.page === {page} && __lectern.frame >= {frame} && __lectern.isReady && !({SAID})"
    )
    assert_same(away.look(), stays.look())


@BOTH
def test_a_hidden_page_shows_the_page_of_the_room_when_it_is_seen_again(pair):
    stays, away, _ = pair
    away.hide()
    turn(stays, 2)
    away.evaluate(MARK)
    away.show()
    meet(stays, away)
    assert not MOVES & set(away.evaluate(SENT))
    turn(away)
    meet(away, stays)


@BOTH
def test_a_page_that_is_hidden_in_mid_drag_lets_go_and_moves_nothing_later(pair):
    stays, away, _ = pair
    before = stays.look()
    away.press([RIGHT])
    away.move([MIDDLE], 12)
    stays.wait_for(HELD)
    away.hide()
    stays.wait_for(f"!{HELD}")
    stays.ready()
    assert_same(stays.look(), before)
    turn(stays)
    after = stays.look()
    away.evaluate(MARK)
    away.show()
    away.lift()
    meet(stays, away)
    assert not MOVES & set(away.evaluate(SENT))
    assert_same(stays.look(), after)


@BOTH
def test_a_page_whose_connection_has_died_meanwhile_rejoins_and_its_late_gesture_moves_nothing(pair):
    """offline.test.mjs tests how long the page waits for an answer."""
    stays, away, line = pair
    me = away.evaluate(SELF)
    away.press([RIGHT])
    away.move([MIDDLE], 12)
    stays.wait_for(HELD)
    line.lose()
    away.move([(200, 384)], 6)
    away.hide()
    away.lift()
    away.show()
    away.wait_for(f"__lectern.session.people.size === 2 && __lectern.isReady && !({SAID})")
    stays.wait_for(f"!{HELD}")
    assert away.evaluate(SELF) == me
    stays.ready()
    before = stays.look()
    line.find()
    turn(away)
    meet(away, stays)
    with stays.settling("book"):
        stays.key("ArrowLeft")
    meet(stays, away)
    assert_same(stays.look(), before)


@BOTH
def test_a_covered_window_shows_each_page_at_rest(pair):
    stays, away, _ = pair
    away.evaluate("__window.cover(true)")
    for _ in range(2):
        turn(stays)
        meet(stays, away)
    away.resize(900, 700)
    away.wait_for("__lectern.isReady")
    away.evaluate("__window.cover(false)")
    turn(away)
    meet(away, stays)


@pytest.fixture
def keeping(chromium):
    """A Chromium of its own, which keeps pages for the way back, and can be frozen."""
    with contextlib.closing(Chromium(is_coarse=True, beside=chromium, keeps_pages=True)) as browser:
        browser.moves = chromium.moves
        yield browser


@pytest.mark.parametrize("is_lost", [False, True], ids=["kept", "lost"])
def test_a_phone_that_has_slept_is_in_step_whether_its_connection_is_kept_or_lost(
    keeping, chromium, server, open_books, is_lost
):
    with beside(chromium, server, open_books, keeping) as (stays, away, line):
        me = away.evaluate(SELF)
        away.hide()
        with keeping.frozen():
            if is_lost:
                line.lose()
            turn(stays, 2)
        away.show()
        meet(stays, away)
        assert away.evaluate(SELF) == me
        turn(away)
        meet(away, stays)


def test_the_way_back_leads_to_the_page_that_the_browser_has_kept_and_it_is_in_step(
    keeping, chromium, server, open_books
):
    with beside(chromium, server, open_books, keeping) as (stays, away, line):
        # The document at a room's own address is never kept.
        away.open(line.url)
        me = away.evaluate(SELF)
        stays.wait_for(f"__lectern.session.people.has({me[0]})")
        away.leave(f"{line.url}favicon.svg")
        turn(stays)
        away.back()
        away.wait_for("!!window.__lectern?.session.me")
        meet(stays, away)
        assert away.evaluate(SELF) == me
        turn(away)
        meet(away, stays)
