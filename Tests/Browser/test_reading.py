"""One reader alone: from the list of shelves into a book, through it, and back."""

import pytest

from reader import CENTRE, WIDTH, fingers
from steps import (
    BOTH,
    MOVING,
    BOTH_IN_ALL,
    CLOSE,
    FEW,
    LEFT,
    RIGHT,
    SHORT,
    WIDE,
    assert_applied,
    assert_same,
    in_book,
    to_book,
    to_shelf,
)

LAYER = "getComputedStyle(document.getElementById('stage')).willChange"
FORWARD = {
    "a drag": lambda reader: reader.drag(RIGHT, LEFT),
    "a drag with a finger": lambda reader: reader.drag(RIGHT, LEFT, touch=True),
    "a swipe": lambda reader: reader.swipe((720, 384), (520, 384)),
    "a tap on the outer third": lambda reader: reader.tap((750, 384)),
    "ArrowRight": lambda reader: reader.key("ArrowRight"),
    "PageDown": lambda reader: reader.key("PageDown"),
}
BACKWARD = {
    "a drag": lambda reader: reader.drag((260, 384), (920, 384)),
    "a swipe": lambda reader: reader.swipe((320, 384), (520, 384)),
    "a tap on the outer third": lambda reader: reader.tap((250, 384)),
    "ArrowLeft": lambda reader: reader.key("ArrowLeft"),
    "PageUp": lambda reader: reader.key("PageUp"),
}


@BOTH_IN_ALL
def test_the_page_gets_a_room_and_puts_it_into_the_address(reader, server):
    view = reader.open(server.url)
    assert view.screen == "collections"
    assert view.room
    assert reader.evaluate("location.pathname") == f"/r/{view.room}"
    assert len(view.of("collection")) >= 1
    assert_applied(view)


@BOTH_IN_ALL
def test_a_tap_on_a_ledge_opens_its_shelf(reader, server):
    view = to_shelf(reader, server.url)
    assert len(view.of("cover")) >= 2
    assert view.pages == []
    assert_applied(view)


@BOTH
def test_a_pinch_opens_the_book(reader, server):
    view = to_book(reader, server.url)
    assert view.spread == [1, 2]
    assert view.of("cover") == {}
    assert_applied(view)


@BOTH_IN_ALL
def test_a_pinch_lifted_early_closes_the_book_again(reader, server):
    before = to_shelf(reader, server.url)
    with reader.settling("shelf"):
        reader.spread(CENTRE, CLOSE, SHORT)
        reader.wait_for("!__lectern.settled")
        driven = reader.look()
        assert driven.pages, "the book does not follow the fingers"
        assert_applied(driven)
        reader.dwell(fingers(CENTRE, SHORT))
        reader.lift()
    assert_same(reader.look(), before)


def test_a_pinch_in_closes_the_book(reader, open_books):
    in_book(reader, open_books)
    with reader.settling("shelf"):
        reader.pinch(CENTRE, WIDE, CLOSE)
    assert reader.look().pages == []


@BOTH
@pytest.mark.parametrize("way", FORWARD)
def test_the_next_leaf_turns_by(reader, open_books, way):
    in_book(reader, open_books)
    with reader.settling("book"):
        FORWARD[way](reader)
    view = reader.look()
    assert view.spread == [3, 4]
    assert_applied(view)


@BOTH_IN_ALL
@pytest.mark.parametrize("way", BACKWARD)
def test_the_leaf_turns_back_by(reader, open_books, way):
    before = in_book(reader, open_books)
    with reader.settling("book"):
        reader.key("ArrowRight")
    with reader.settling("book"):
        BACKWARD[way](reader)
    assert_same(reader.look(), before)


@BOTH_IN_ALL
def test_a_leaf_released_early_falls_back(reader, open_books):
    before = in_book(reader, open_books)
    with reader.settling("book"):
        reader.drag(RIGHT, FEW)
    assert_same(reader.look(), before)


@MOVING
@BOTH
def test_a_leaf_under_the_mouse_has_the_servers_matrix(reader, open_books):
    before = in_book(reader, open_books)
    with reader.settling("book"):
        reader.press([RIGHT])
        reader.move([(450, 384)], 20)
        reader.wait_for(f"__lectern.frame > {before.frame}")
        view = reader.look()
        assert not view.settled
        assert_applied(view)
        # In motion the layer is drawn at the window's size; at rest text would not be sharp that way.
        assert reader.evaluate(LAYER) == "transform"
        reader.lift()
    reader.wait_for(f"{LAYER} === 'auto'")


def test_end_and_home_go_to_the_covers(reader, open_books):
    first = in_book(reader, open_books)
    with reader.settling("book"):
        reader.key("End")
    assert reader.look().spread[0] > 2
    with reader.settling("book"):
        reader.key("Home")
    assert_same(reader.look(), first)


def test_escape_closes_the_book_and_then_the_shelf(reader, server):
    shelf = to_shelf(reader, server.url)
    with reader.settling("book"):
        reader.key("Enter")
    with reader.settling("shelf"):
        reader.key("Escape")
    assert_same(reader.look(), shelf)
    with reader.settling("collections"):
        reader.key("Escape")


@BOTH
def test_a_swipe_from_the_edge_goes_back(reader, server):
    to_shelf(reader, server.url)
    with reader.settling("collections"):
        reader.drag((4, 384), (WIDTH - 200, 384), touch=True)
    assert reader.look().of("collection")


def test_a_swipe_from_the_edge_lifted_early_stays(reader, server):
    before = to_shelf(reader, server.url)
    with reader.settling("shelf"):
        reader.drag((4, 384), (200, 384), touch=True)
    assert_same(reader.look(), before)
