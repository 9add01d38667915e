"""Connections that fall silent or are reported as lost: the page says so, and recovers without a reload."""

import contextlib
import threading

import pytest

from controls import text_of
from reader import WAIT_SECONDS
from shaped import Shaped
from steps import BEFORE, BOTH, MOVING, assert_same, in_book, open_beside
from wireclient import Client

SAID = "!document.getElementById('notice').hidden"
LATE = "'late' in document.body.dataset"
# The member's number, and when its page was loaded.
SELF = "[__lectern.session.me, performance.timeOrigin]"
# The page's time passes several times as fast as before.
FASTER = 10
HURRY = """(() => {
  const now = performance.now.bind(performance), wait = setTimeout, frame = requestAnimationFrame
  let rate = 1, since = 0, start = 0
  const hurried = (time) => start + rate * (time - since)
  performance.now = () => hurried(now())
  window.setTimeout = (run, ms, ...values) => wait(run, ms / rate, ...values)
  window.requestAnimationFrame = (run) => frame((time) => run(hurried(time)))
  window.hurry = (faster) => { [start, since, rate] = [performance.now(), now(), faster] }
})()"""
# What the browser reports about the network.
REPORT = """(() => {
  Object.defineProperty(navigator, 'onLine', { value: %s, configurable: true })
  dispatchEvent(new Event(navigator.onLine ? 'online' : 'offline'))
})()"""


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
    stays.ready()
    page = stays.evaluate("__lectern.caption.page")
    away.wait_for(f"__lectern.caption.page === {page} && __lectern.isReady && !({SAID})")
    assert_same(away.look(), stays.look())


@BOTH
def test_a_reader_whose_network_is_lost_or_silent_is_told_and_rejoins_as_the_same_member(pair):
    """offline.test.mjs tests which connections the browser's report ends, and heartbeat.test.mjs which are silent."""
    stays, away, line = pair
    before = away.evaluate(SELF)
    line.stall()
    away.evaluate(REPORT % "false")
    away.wait_for(SAID)
    assert text_of(away, "#notice").startswith("You are offline; the book is held.")
    with stays.settling("book"):
        stays.key("ArrowRight")
    line.flow()
    away.evaluate(REPORT % "true")
    meet(stays, away)
    assert away.evaluate(SELF) == before

    line.stall()
    away.evaluate(HURRY)
    away.evaluate(f"hurry({FASTER})")
    away.wait_for(SAID, FASTER * WAIT_SECONDS)
    away.evaluate("hurry(1)")
    assert text_of(away, "#notice").startswith("Holding your place.")
    with stays.settling("book"):
        stays.key("ArrowRight")
    line.flow()
    meet(stays, away)
    assert away.evaluate(SELF) == before


@MOVING
def test_the_page_says_that_frames_are_late_in_mid_turn(reader, server, open_books):
    line = Shaped(server.port)
    with contextlib.closing(line), Client(server.url, reader=open_books.take()) as turner:
        turner.do("share")
        turner.wait(lambda: turner.links, "shared")
        reader.open(f"{line.url}r/{turner.welcome.room}#{turner.links.follow}")
        # Leaf after leaf turns without a pause, so that the connection falls silent in mid-turn even on a slow machine.
        has_stalled = threading.Event()

        def turn():
            while not has_stalled.wait(0.25):
                turner.key("ArrowRight")

        turning = threading.Thread(target=turn)
        turning.start()
        try:
            reader.wait_for("!__lectern.settled")
            line.stall()
            reader.wait_for(LATE)
        finally:
            has_stalled.set()
            turning.join()
            line.flow()
        turner.wait(lambda: turner.frame.settled, "at rest")
        reader.wait_for(f"__lectern.caption.page === {turner.page} && __lectern.isReady && !({SAID})")
        assert not reader.evaluate(LATE)
