"""The browser's Back and Forward, and the addresses of rooms, books and pages."""

import contextlib
import time

from playwright.sync_api import Error

from bookserver import LONG_ROMANS, LONG_TITLE
from controls import caption, open_title
from reader import CENTRE, WAIT_SECONDS
from steps import (
    BEFORE,
    BOTH,
    BOTH_IN_ALL,
    CLOSE,
    LEFT,
    RIGHT,
    in_book,
    open_beside,
    room_address,
    to_shelf,
)

AT_REST = "__lectern.isReady"
SCREEN = AT_REST + " && __lectern.screen === '{}'"
FLAT = AT_REST + " && __lectern.caption.isFlat === {}"
ZOOMED = AT_REST + " && document.body.dataset.zoomed === '{}'"
DEPTH = "history.state?.lectern?.depth === {}"


def at_depth(reader, depth):
    """Waits until the history's entry has a depth."""
    reader.wait_for(DEPTH.format(depth))


def back(reader):
    """Presses the browser's Back."""
    reader.evaluate("setTimeout(() => history.back())")


def wait_for_page(reader, name):
    """Waits until another page has replaced this one."""
    until = time.monotonic() + WAIT_SECONDS
    while True:
        # A page that is being left does not answer.
        with contextlib.suppress(Error, RuntimeError):
            if path(reader).endswith(name):
                return
        assert time.monotonic() < until, f"{name} has not come"
        time.sleep(0.05)


def path(reader):
    """Returns the path of the page's address."""
    return reader.evaluate("location.pathname")


@BOTH
def test_each_back_goes_back_a_step_forward_repeats_it_and_the_last_leaves_the_page(reader, server):
    reader.goto("about:blank")
    to_shelf(reader, server.url)
    at_depth(reader, 1)
    with reader.settling("book"):
        reader.key("Enter")
    at_depth(reader, 2)
    with reader.settling("book"):
        reader.drag(RIGHT, LEFT)
    reader.wait_for("location.pathname.endsWith('/4')")
    back(reader)
    reader.wait_for(SCREEN.format("shelf"))
    reader.evaluate("setTimeout(() => history.forward())")
    reader.wait_for(SCREEN.format("book"))
    assert caption(reader)["page"] == 3
    at_depth(reader, 2)

    with reader.settling("book"):
        reader.key("f")
    at_depth(reader, 3)
    reader.pinch(CENTRE, CLOSE, 3 * CLOSE)
    at_depth(reader, 4)
    back(reader)
    reader.wait_for(ZOOMED.format("false"))
    reader.wait_for(FLAT.format("true"))
    back(reader)
    reader.wait_for(FLAT.format("false"))
    assert reader.look().screen == "book"
    back(reader)
    reader.wait_for(SCREEN.format("shelf"))
    back(reader)
    reader.wait_for(SCREEN.format("collections"))
    at_depth(reader, 0)
    back(reader)
    wait_for_page(reader, "blank")


@BOTH_IN_ALL
def test_escape_and_back_go_through_the_same_steps(reader, server):
    to_shelf(reader, server.url)
    at_depth(reader, 1)
    for _ in range(2):
        with reader.settling("book"):
            reader.key("Enter")
        at_depth(reader, 2)
        with reader.settling("shelf"):
            reader.key("Escape")
        at_depth(reader, 1)
    before = reader.evaluate("history.state.lectern.below")
    assert before == [0]
    back(reader)
    reader.wait_for(SCREEN.format("collections"))


@BOTH
def test_a_page_is_in_the_address_of_the_window_of_a_reload_and_of_another_window(browser, reader, server, open_books):
    in_book(reader, open_books)
    at_depth(reader, 2)
    length, book, title = reader.evaluate("history.length"), caption(reader)["book"], caption(reader)["title"]
    assert reader.evaluate("document.title").startswith(f"{title}, pages 2–3 of")
    for page in (3, 5):
        with reader.settling("book"):
            reader.key("ArrowRight")
        reader.wait_for(f"location.pathname === __lectern.root + 'r/' + __lectern.roomCode + '/{book}/{page + 1}'")
    assert reader.evaluate("history.length") == length, "a turned page adds no entry to the history"

    here = path(reader)
    reader.open(f"{server.url.rstrip('/')}{here}")
    reader.wait_for(f"{SCREEN.format('book')} && __lectern.caption.page === 5")
    assert (path(reader), caption(reader)["book"]) == (here, book)
    at_depth(reader, 2)
    other = browser.reader()
    try:
        # A window of another reader, in that reader's room.
        own = other.open(server.url)
        other.open(f"{room_address(server.url, own)}/{book}/8")
        other.wait_for(f"{SCREEN.format('book')} && __lectern.caption.page === 7")
        other.wait_for("location.pathname.endsWith('/8')")
    finally:
        other.close()


@BOTH_IN_ALL
def test_the_address_has_the_printed_number_of_a_page_and_a_roman_one_is_counted(reader, long_book):
    for page, number in ((LONG_ROMANS + 11, "12"), (6, "07")):
        open_title(reader, long_book.url, LONG_TITLE, page)
        shown = caption(reader)["page"]
        number = str(int(number) + shown - page).rjust(len(number), "0")
        reader.wait_for(f"location.pathname.endsWith('/{number}')")
        reader.open(f"{long_book.url.rstrip('/')}{path(reader)}")
        reader.wait_for(f"{SCREEN.format('book')} && __lectern.caption.page === {shown}")
        assert path(reader).endswith(f"/{number}")


@BOTH
def test_a_follower_keeps_its_own_history_and_moves_no_other_member_by_an_address(browser, reader, server, open_books):
    view = in_book(reader, open_books)
    other = browser.reader()
    try:
        open_beside(other, reader, server.url, view)
        other.wait_for("history.state?.lectern")
        length = other.evaluate("history.length")
        page = caption(reader)["page"]
        with reader.settling("book"):
            reader.key("ArrowRight")
        other.wait_for(f"{SCREEN.format('book')} && location.pathname.endsWith('/{page + 3}')")
        assert other.evaluate("history.length") == length
        back(other)
        wait_for_page(other, f"/{BEFORE}")
        assert caption(reader)["page"] == page + 2

        other.open(f"{room_address(server.url, view)}/{caption(reader)['book']}/{page + 9}")
        other.wait_for(f"{AT_REST} && location.pathname.endsWith('/{page + 3}')")
        assert caption(reader)["page"] == page + 2
    finally:
        other.close()


@BOTH_IN_ALL
def test_an_address_is_corrected_if_it_has_no_known_book_or_a_secret(reader, server):
    view = reader.open(server.url)
    reader.goto(f"{room_address(server.url, view)}/nosuchbook/9")
    reader.wait_for(f"{AT_REST} && location.pathname === __lectern.root + 'r/' + __lectern.roomCode")
    # The page has asked for the numbers of the book's pages.
    assert all("/nosuchbook/" in error for error in reader.errors)
    reader.errors.clear()

    reader.wait_for("history.state?.lectern")
    here = path(reader)
    reader.evaluate("void (location.hash = 'key=0123456789abcdefghij_-')")
    reader.wait_for(f"location.hash === '' && location.pathname === {here!r}")
    kept = reader.evaluate("localStorage.getItem('lectern-key')")
    # Windows of one Firefox share the storage.
    reader.evaluate("localStorage.removeItem('lectern-key')")
    assert kept == "0123456789abcdefghij_-"
