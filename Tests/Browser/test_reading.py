"""One reader alone: from the list of shelves into a book, through it, and back."""

from reader import CENTRE, WIDTH, fingers
from steps import (
    BOTH,
    BOTH_IN_ALL,
    CLOSE,
    FEW,
    LEFT,
    MOVING,
    RIGHT,
    SHORT,
    WIDE,
    assert_applied,
    assert_same,
    in_book,
    to_shelf,
)

LAYER = "getComputedStyle(document.getElementById('stage')).willChange"
# From the edge of the window, past the place at which a swipe goes back, and not.
EDGE, PAST, SHORT_OF = (4, 384), (WIDTH - 200, 384), (200, 384)
# Each way to the next leaf, and one back.
TURNS = {
    "a drag": (lambda reader: reader.drag(RIGHT, LEFT), lambda reader: reader.drag((260, 384), (920, 384))),
    "a drag with a finger": (
        lambda reader: reader.drag(RIGHT, LEFT, touch=True),
        lambda reader: reader.drag((260, 384), (920, 384), touch=True),
    ),
    "a swipe": (
        lambda reader: reader.swipe((720, 384), (520, 384)),
        lambda reader: reader.swipe((320, 384), (520, 384)),
    ),
    "a tap on the outer third": (lambda reader: reader.tap((750, 384)), lambda reader: reader.tap((250, 384))),
    "an arrow key": (lambda reader: reader.key("ArrowRight"), lambda reader: reader.key("ArrowLeft")),
    "PageDown and PageUp": (lambda reader: reader.key("PageDown"), lambda reader: reader.key("PageUp")),
    "End and Home": (lambda reader: reader.key("End"), lambda reader: reader.key("Home")),
}


@BOTH
def test_a_reader_goes_from_the_list_to_a_shelf_and_back_by_a_swipe_from_the_edge(reader, server):
    view = reader.open(server.url)
    assert view.screen == "collections"
    assert view.room
    path = reader.evaluate("location.pathname.slice(__lectern.root.length)")
    assert path == f"r/{view.room}", "the room is in the address"
    assert len(view.of("collection")) >= 1
    assert_applied(view)

    shelf = to_shelf(reader, server.url)
    assert len(shelf.of("cover")) >= 2, "a tap on a ledge opens its shelf"
    assert shelf.pages == []
    assert_applied(shelf)

    with reader.settling("collections"):
        reader.drag(EDGE, PAST, touch=True)
    assert reader.look().of("collection")


@BOTH
def test_a_pinch_opens_the_book_and_closes_it(reader, server):
    shelf = to_shelf(reader, server.url)
    with reader.settling("book"):
        reader.pinch(CENTRE, CLOSE, WIDE)
    view = reader.look()
    assert view.spread == [1, 2]
    assert view.of("cover") == {}
    assert_applied(view)
    with reader.settling("shelf"):
        reader.pinch(CENTRE, WIDE, CLOSE)
    assert reader.look().pages == []

    with reader.settling("book"):
        reader.key("Enter")
    with reader.settling("shelf"):
        reader.key("Escape")
    assert_same(reader.look(), shelf)
    with reader.settling("collections"):
        reader.key("Escape")


@BOTH
def test_a_leaf_turns_and_turns_back_by_each_way(reader, open_books):
    before = in_book(reader, open_books)
    for way, (forward, backward) in TURNS.items():
        with reader.settling("book"):
            forward(reader)
        view = reader.look()
        if way.startswith("End"):
            assert view.spread[0] > 3, way
        else:
            assert view.spread == [3, 4], way
        assert_applied(view)
        with reader.settling("book"):
            backward(reader)
        assert reader.look().spread == before.spread, way
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


@MOVING
@BOTH_IN_ALL
def test_what_is_released_early_falls_back(reader, server):
    shelf = to_shelf(reader, server.url)
    with reader.settling("shelf"):
        reader.drag(EDGE, SHORT_OF, touch=True)
    assert_same(reader.look(), shelf)
    with reader.settling("shelf"):
        reader.spread(CENTRE, CLOSE, SHORT)
        reader.wait_for("!__lectern.settled")
        driven = reader.look()
        assert driven.pages, "the book does not follow the fingers"
        assert_applied(driven)
        reader.dwell(fingers(CENTRE, SHORT))
        reader.lift()
    assert_same(reader.look(), shelf)
    with reader.settling("book"):
        reader.key("Enter")
    book = reader.look()
    with reader.settling("book"):
        reader.drag(RIGHT, FEW)
    assert_same(reader.look(), book)
