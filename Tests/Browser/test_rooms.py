"""Several readers: members of a room see the same, and rooms are independent."""

import pytest

from reader import CENTRE
from server import Line, Server
from steps import BOTH_IN_ALL, CLOSE, WIDE, assert_applied, assert_same, in_book, open_beside


@pytest.fixture
def two(request):
    """Opens windows, which must have no errors after the test."""
    readers = []

    def make(browser):
        readers.append(browser.reader())
        return readers[-1]

    yield make
    errors = {reader.name: list(reader.errors) for reader in readers if reader.errors}
    for reader in readers:
        reader.close()
    assert errors == {}


def caught_up(reader, view):
    """Returns the view of a reader at rest, once it has reached the frame of another view."""
    reader.wait_for(f"__lectern.frame >= {view.frame} && __lectern.settled")
    return reader.look()


@BOTH_IN_ALL
def test_a_second_window_shows_the_same(two, browser, server, open_books):
    first, second = two(browser), two(browser)
    before = in_book(first, open_books)
    view = open_beside(second, first, server.url, before)
    assert view.room == before.room
    assert_same(view, before)
    with first.settling("book"):
        first.key("ArrowRight")
    turned = first.look()
    assert turned.spread == [3, 4]
    assert_same(caught_up(second, turned), turned)


def test_firefox_beside_chromium_shows_the_same(two, chromium, firefox, server):
    first, second = two(chromium), two(firefox)
    view = first.open(server.url)
    open_beside(second, first, server.url, view)
    with first.settling("shelf"):
        first.tap(view.centre("collection"))
    shelf = first.look()
    assert_same(caught_up(second, shelf), shelf)
    with second.settling("book"):
        second.pinch(CENTRE, CLOSE, WIDE)
    book = second.look()
    theirs = caught_up(first, book)
    assert_same(theirs, book)
    assert_applied(theirs)
    with first.settling("book"):
        first.swipe((720, 384), (520, 384))
    turned = first.look()
    assert_same(caught_up(second, turned), turned)


def test_two_rooms_are_independent(two, chromium, server):
    first, second = two(chromium), two(chromium)
    ours = first.open(server.url)
    theirs = second.open(server.url)
    assert ours.room != theirs.room
    with first.settling("shelf"):
        first.tap(ours.centre("collection"))
    assert second.look().frame == theirs.frame
    assert second.look().screen == "collections"


@BOTH_IN_ALL
def test_a_reader_that_returns_sees_the_frame_of_the_others(browser, server, open_books):
    line = Line(server.port)
    away, stays = browser.reader(), browser.reader()
    try:
        before = in_book(away, open_books, line.url)
        open_beside(stays, away, server.url, before)
        line.cut()
        with stays.settling("book"):
            stays.key("ArrowRight")
        turned = stays.look()
        assert away.look().frame < turned.frame
        line.mend()
        back = caught_up(away, turned)
        assert back.room == before.room
        assert_same(back, turned)
        assert stays.errors == []
    finally:
        away.close()
        stays.close()
        line.close()


def test_a_server_asked_to_end_says_goodbye_and_exits_with_0(chromium):
    server = Server()
    reader = chromium.reader()
    try:
        reader.open(server.url)
        assert server.stop() == 0
    finally:
        reader.close()
        if server.process.poll() is None:
            server.process.kill()
