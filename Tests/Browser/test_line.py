"""Connections that fall silent: the page notices, reports it, and recovers without a reload."""

import pytest

from shaped import Shaped
from steps import MOVING, BOTH, assert_same, in_book, open_beside

SAID = "!document.getElementById('notice').hidden"
LATE = "'late' in document.body.dataset"
# The member's number, and when its page was loaded.
SELF = "[__lectern.session.me, performance.timeOrigin]"
# Turns leaf after leaf without a pause, so that the connection falls silent in mid-turn even if the test is slow.
TURN = "window.turning = setInterval(() => __lectern.actions.press('ArrowRight'), 250)"


@pytest.fixture
def pair(browser, server, open_books):
    """Two readers of one open book, the second on a connection that can fall silent."""
    line = Shaped(server.port)
    stays, away = browser.reader(), browser.reader()
    view = in_book(stays, open_books)
    open_beside(away, stays, line.url, view)
    away.wait_for("__lectern.session.people.size === 2")
    yield stays, away, line
    errors = [*stays.errors]
    for one in (away, stays, line):
        one.close()
    assert errors == []


def meet(stays, away):
    """Waits until the first window shows the page of the second one."""
    stays.wait_for("__lectern.isReady", 30)
    page = stays.evaluate("__lectern.caption.page")
    away.wait_for(f"__lectern.caption.page === {page} && __lectern.isReady && !({SAID})", 30)
    assert_same(away.look(), stays.look())


@BOTH
def test_a_reader_on_a_silent_connection_rejoins_as_the_same_member(pair):
    stays, away, line = pair
    before = away.evaluate(SELF)
    line.stall()
    away.wait_for(SAID)
    assert away.evaluate("document.getElementById('notice').textContent").startswith("Holding your place.")
    with stays.settling("book"):
        stays.key("ArrowRight")
    line.flow()
    meet(stays, away)
    assert away.evaluate(SELF) == before


@MOVING
def test_the_page_says_that_frames_are_late_in_mid_turn(pair):
    stays, away, line = pair
    stays.evaluate(TURN)
    away.wait_for("!__lectern.settled")
    line.stall()
    away.wait_for(LATE)
    stays.evaluate("clearInterval(window.turning)")
    line.flow()
    meet(stays, away)
    assert not away.evaluate(LATE)
