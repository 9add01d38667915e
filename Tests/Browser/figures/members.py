"""Measurements of members: one that prefers reduced motion, one that goes offline, and the words on its pages."""

import contextlib
import json
import statistics
import urllib.request

from controls import open_title
from figures.table import note, row
from lights import stored
from shaped import Shaped
from steps import LEFT, RIGHT, OpenBooks, in_book, is_close, open_beside
from test_still import PICTURES, WATCH
from test_text import SAID, TOLD, await_words, turn

TURNS, DRAGS = 6, 2
OFFLINES = 5
# Leaves that are turned in each book.
LEAVES = 6
RESTS = "__lectern.isReady"
# Reports that the browser is offline, and measures the milliseconds to the next picture with the notice.
GO_OFFLINE = """(() => {
  const notice = document.getElementById('notice')
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true })
  window.toldAfter = null
  const began = performance.now()
  const look = () => {
    if (notice.checkVisibility() && notice.textContent !== '') window.toldAfter = performance.now() - began
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  dispatchEvent(new Event('offline'))
})()"""
GO_ONLINE = """(() => {
  Object.defineProperty(navigator, 'onLine', { value: true, configurable: true })
  dispatchEvent(new Event('online'))
})()"""


def still_readers(chromium, firefox):
    """Opens a window of each browser that prefers reduced motion, by the system or by a setting."""
    yield chromium.reader(moves=False)
    reader = firefox.reader()
    reader.before(stored(motion="reduced"))
    yield reader


def is_same(one, other):
    """Returns whether two views show the same faces at the same positions."""
    ours, theirs = one.matrices, other.matrices
    differing = [key for key in {*ours, *theirs} if not is_close(ours.get(key, []), theirs.get(key, []))]
    if differing:
        note(f"the pages differ: {differing} of {sorted(ours)} and {sorted(theirs)}")
    return not differing


def figure_still(server, chromium, firefox):
    """Counts what a member with reduced motion sees of the turns of others, besides their ends."""
    books = OpenBooks(server.url)
    acts = [lambda reader: reader.key("ArrowRight")] * TURNS + [lambda reader: reader.drag(RIGHT, LEFT)] * DRAGS
    between = equal = count = 0
    for still in still_readers(chromium, firefox):
        mover = chromium.reader()
        with contextlib.closing(mover), contextlib.closing(still):
            open_beside(still, mover, server.url, in_book(mover, books))
            still.evaluate(WATCH)
            for number, act in enumerate(acts, 1):
                with mover.settling("book"):
                    act(mover)
                mover.wait_for(RESTS)
                still.wait_for(f"{RESTS} && {PICTURES} > {number}")
                equal += is_same(still.look(), mover.look())
                count += 1
            seen = still.evaluate(PICTURES) - 1
            note(f"{still.name}: {seen} pictures of {number} turns")
            between += seen - number
    books.close()
    row(
        "intermediate transforms that a member with reduced motion sees of the turns of others", "0",
        f"{between} in {count} turns by key and by finger, both browsers",
    )
    row("turns after which that member has the same final pages", f"{count} of {count}", f"{equal} of {count}")


def figure_offline(server, browsers):
    """Measures the time from the browser's report that it is offline to the words on the screen."""
    said = []
    for browser in browsers:
        line, times = Shaped(server.port), []
        with contextlib.closing(browser.reader()) as reader:
            reader.open(line.url)
            for _ in range(OFFLINES):
                reader.wait_for(f"{RESTS} && __lectern.session.me !== 0 && document.getElementById('notice').hidden")
                line.stall()
                reader.evaluate(GO_OFFLINE)
                reader.wait_for("toldAfter !== null")
                times.append(reader.evaluate("toldAfter"))
                line.flow()
                reader.evaluate(GO_ONLINE)
        line.close()
        said.append(f"{statistics.median(times):.0f} ms (worst {max(times):.0f})")
    row(f"browser offline to the words on the screen, median of {OFFLINES}: Chromium / Firefox", "<= 1 s",
        " / ".join(said))


def figure_text(server, browsers):
    """Compares the selected, the copied and the contained text of pages with the server's."""
    with urllib.request.urlopen(f"{server.url}api/books", timeout=5) as answer:
        pages = {book["title"]: book["pages"] for book in json.load(answer)}
    compared = equal = 0
    for browser in browsers:
        for title, count in pages.items():
            with contextlib.closing(browser.reader()) as reader:
                open_title(reader, server.url, title)
                for leaf in range(max(1, min(LEAVES + 1, count // 2))):
                    turn(reader, "PageDown") if leaf > 0 else await_words(reader)
                    told, said = reader.evaluate(TOLD), reader.evaluate(SAID)
                    for page, one in told.items():
                        compared += 1
                        if said.get(page) == [one["text"]] * 3:
                            equal += 1
                        else:
                            note(f"{browser.name}: {title}, page {page}: {said.get(page)} is not {one['text']!r}")
    row(f"pages of {len(pages)} books whose selected text is that of the API, both browsers", "all",
        f"{equal} of {compared}")
