"""The way through the stage, in the steps that several tests share."""

import collections
import concurrent.futures
import math

import pytest

from reader import CENTRE
from wireclient import Client

# What is tested in each browser; conftest.py says what needs to be.
BOTH = pytest.mark.parametrize("browser", ["chromium", "firefox"], indirect=True)

# Distances of each of two fingers from the centre of their pinch, in CSS pixels. A scale of 6
# opens a book fully, so the wide pinch is past the end and the short one far from the half.
CLOSE, SHORT, WIDE = 40, 60, 260
# A drag moves the leaves by its share of the stage's width; over half of it turns one.
RIGHT, LEFT = (780, 384), (120, 384)
FEW = (620, 384)


def to_shelf(reader, address):
    """Opens the page and taps on a ledge."""
    view = reader.open(address)
    assert view.screen == "collections"
    with reader.settling("shelf"):
        reader.tap(view.centre("collection"))
    return reader.look()


def to_book(reader, address):
    """Opens the page, a shelf, and its middle book with a pinch."""
    to_shelf(reader, address)
    with reader.settling("book"):
        reader.pinch(CENTRE, CLOSE, WIDE)
    return reader.look()


class OpenBooks:
    """Readers whose book lies open, for tests to which the way into the book does not matter.

    Clients without a browser open the books, ahead of the tests that ask for them.
    """

    def __init__(self, url, ahead=2):
        self.url = url
        self._threads = concurrent.futures.ThreadPoolExecutor(1)
        self._made = collections.deque(self._threads.submit(self._make) for _ in range(ahead))

    def _make(self):
        # Nothing but where each motion ends is sent to a still client.
        with Client(self.url, still=True) as opener:
            opener.key("Enter")
            opener.key("Enter")
            opener.wait(lambda: opener.frame.screen == "book", "in a book")
            return opener.reader

    def take(self):
        """The secret of a reader whose book lies open, each time that of another one."""
        self._made.append(self._threads.submit(self._make))
        return self._made.popleft().result()

    def close(self):
        """Opens no more."""
        self._threads.shutdown()


def in_book(reader, open_books, url=None):
    """Opens the page as a reader whose book lies open; at another address if one is given."""
    # The empty page of a new window may keep nothing.
    keep = f"if (location.host) localStorage.setItem('lectern-reader', '{open_books.take()}')"
    reader.before(keep)
    return reader.open(url or open_books.url)


def room_address(url, view):
    """The address that joins the room of a view."""
    return f"{url}r/{view.room}"


# A file of the page, in whose place a tab begins when what it keeps matters, or its history.
BEFORE = "css/lectern.css"


def open_beside(other, reader, url, view, path=""):
    """Opens the room of a view, or a path in it, in another window of the reader who owns it."""
    secret = reader.evaluate("localStorage.getItem('lectern-reader')")
    other.goto(f"{url}{BEFORE}")
    # What a window keeps comes before what the browser does.
    for store in ("sessionStorage", "localStorage"):
        other.evaluate(f"{store}.setItem('lectern-reader', '{secret}')")
    return other.open(room_address(url, view) + path)


def is_close(ours, theirs):
    """Whether two matrices agree within 1e-5 of their entries."""
    return len(ours) == len(theirs) == 16 and all(
        math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-9)
        for a, b in zip(ours, theirs, strict=True)
    )


def assert_applied(view):
    """Asserts that each visible face has a matrix of its own among those the server sent."""
    rest = list(view.applied.values())
    assert view.faces, "nothing is visible"
    for face in view.faces:
        match = next((m for m in rest if is_close(face["matrix"], m)), None)
        assert match is not None, f"{face} is not as sent; left are {rest}"
        rest.remove(match)


def assert_same(one, other):
    """Asserts that two views show the same faces at the same places."""
    ours, theirs = one.matrices, other.matrices
    assert sorted(ours) == sorted(theirs)
    for key, matrix in ours.items():
        assert is_close(matrix, theirs[key]), f"{key}: {matrix} and {theirs[key]}"
