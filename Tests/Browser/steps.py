"""The steps through the stage that several tests share."""

import collections
import concurrent.futures
import math
import time

import pytest

import wire
from controls import tap_nearest
from reader import CENTRE, WAIT_SECONDS
from wireclient import Client

# Marks a test that runs in each browser; conftest.py says which tests need that.
BOTH = pytest.mark.parametrize("browser", ["chromium", "firefox"], indirect=True)
# Marks a test of the motion itself, whose windows ask for the whole motion.
MOVING = pytest.mark.moving
# Marks a variant that runs with --all-variants only.
VARIANT = pytest.mark.variant
# Marks a test that runs in Chromium, and with --all-variants in Firefox as well.
BOTH_IN_ALL = pytest.mark.parametrize(
    "browser", ["chromium", pytest.param("firefox", marks=VARIANT)], indirect=True
)

# Distances of each finger from the centre of a pinch, in CSS px. A scale of 6 opens a book fully, so the
# wide pinch goes past the end, and the short one stays well below the half.
CLOSE, SHORT, WIDE = 40, 60, 260
# A drag moves a leaf by its share of the stage's width; more than half of the width turns it.
RIGHT, LEFT = (780, 384), (120, 384)
FEW = (620, 384)


def mainly(names, first, *others):
    """Marks a test of a matrix: it runs with the first values, and with --all-variants with the others as well."""
    return pytest.mark.parametrize(names, [first, *(
        pytest.param(*(values if isinstance(values, tuple) else (values,)), marks=VARIANT) for values in others
    )])


def to_shelf(reader, address):
    """Opens the page and taps a ledge."""
    view = reader.open(address)
    assert view.screen == "collections"
    with reader.settling("shelf"):
        tap_nearest(reader, "collection")
    return reader.look()


def to_book(reader, address):
    """Opens the page, a shelf, and by a pinch its middle book."""
    to_shelf(reader, address)
    with reader.settling("book"):
        reader.pinch(CENTRE, CLOSE, WIDE)
    return reader.look()


class OpenBooks:
    """Readers that have an open book, for tests that do not depend on the way into the book.

    Clients without a browser open the books in advance.
    """

    def __init__(self, url, ahead=2):
        self.url = url
        self._threads = concurrent.futures.ThreadPoolExecutor(1)
        self._made = collections.deque(self._threads.submit(self._make) for _ in range(ahead))

    def _make(self):
        # The server sends a still client only the end of each motion.
        with Client(self.url, still=True) as opener:
            opener.key("Enter")
            opener.key("Enter")
            opener.wait(lambda: opener.frame.screen == "book", "in a book")
            return opener.reader

    def take(self):
        """Returns the secret of a reader that has an open book, a different one each time."""
        self._made.append(self._threads.submit(self._make))
        return self._made.popleft().result()

    def close(self):
        """Ends the thread."""
        self._threads.shutdown()


def in_book(reader, open_books, url=None):
    """Opens the page, or another address, as a reader that has an open book."""
    # The blank page of a new window has no storage.
    keep = f"if (location.host) localStorage.setItem('lectern-reader', '{open_books.take()}')"
    reader.before(keep)
    return reader.open(url or open_books.url)


def room_address(url, view):
    """Returns the address that joins the room of a view."""
    return f"{url}r/{view.room}"


# A document of the server other than the page, for tests that prepare storage or history.
BEFORE = "css/lectern.css"


def open_beside(other, reader, url, view, path=""):
    """Opens the room of a view, or a path in it, in another window of the same reader, which shares its open book."""
    if reader.evaluate("!__lectern.session.room.isShared"):
        reader.evaluate(f"__lectern.app.send(new Uint8Array({list(wire.encode('share'))}))")
        reader.wait_for("__lectern.session.links?.host")
        reader.ready()
    be_reader(other, reader, url)
    return other.open(room_address(url, view) + path)


def be_reader(other, reader, url):
    """Makes another window one of the same reader."""
    secret = reader.evaluate("localStorage.getItem('lectern-reader')")
    other.goto(f"{url}{BEFORE}")
    # The storage of the window takes precedence over that of the browser.
    for store in ("sessionStorage", "localStorage"):
        other.evaluate(f"{store}.setItem('lectern-reader', '{secret}')")


def record_turns(url, turns=1, reader=""):
    """Records leaves that a reader without a browser turns from the start of a book; returns the page it ends at.

    The secret of a reader with an open book saves the time to open one.
    """
    with Client(url, reader=reader) as maker:
        if reader == "":
            maker.key("Enter")
            maker.key("Enter")
        maker.wait(lambda: maker.frame.screen == "book" and maker.frame.settled, "in a book")
        maker.do("record", 1)
        maker.wait(lambda: maker.room.isRecorded, "recorded")
        for _ in range(turns):
            with maker.settling("book"):
                maker.key("ArrowRight")
        maker.do("record", 0)
        maker.wait(lambda: not maker.room.isRecorded, "recorded to the end")
        return maker.page


def is_close(ours, theirs):
    """Returns whether two matrices agree within 1e-5 of their entries."""
    return len(ours) == len(theirs) == 16 and all(
        math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-9)
        for a, b in zip(ours, theirs, strict=True)
    )


def assert_applied(view):
    """Asserts that the server has sent the matrix of each visible face."""
    rest = list(view.applied.values())
    assert view.faces, "nothing is visible"
    for face in view.faces:
        match = next((m for m in rest if is_close(face["matrix"], m)), None)
        assert match is not None, f"{face} is not as sent; left are {rest}"
        rest.remove(match)


def assert_same(one, other):
    """Asserts that two views show the same faces at the same positions, as the server has sent them."""
    assert sorted(one.matrices) == sorted(other.matrices)
    assert_same_matrices(one.applied, other.applied)


def assert_same_matrices(ours, theirs):
    """Asserts that two frames have the same parts of elements, with the same matrices."""
    assert ours.keys() == theirs.keys()
    for key, matrix in ours.items():
        assert is_close(matrix, theirs[key]), f"{key}: {matrix} and {theirs[key]}"


def same(one, other):
    """Compares the latest frame that two windows have both shown, from the one on that `other` shows now."""
    least = other.evaluate("__lectern.frame")
    one.wait_for(f"__lectern.frame >= {least}")
    until = time.monotonic() + WAIT_SECONDS
    while True:
        ours, theirs = (dict(reader.evaluate(FRAMES % least)) for reader in (one, other))
        if common := ours.keys() & theirs.keys():
            return assert_same_matrices(dict(ours[max(common)]), dict(theirs[max(common)]))
        assert time.monotonic() < until, f"{one.name} showed {list(ours)}, {other.name} showed {list(theirs)}"


# The frames that a window has shown, from a number on: the matrix of each part of an element.
FRAMES = "[...__lectern.frames].filter(([number]) => number >= %d)"
