"""The wall of covers, which shows a large shelf at once."""

import pytest

from bookserver import serving
from controls import click
from fixtures import comic
from reader import CENTRE
from steps import BOTH, CLOSE, MOVING, WIDE
from test_hints import HINT

BOOKS = 45
SLIDE_BOX = (
    "(box => [box.x, box.y + box.height / 2, box.width])(document.getElementById('slide').getBoundingClientRect())"
)
IN_WINDOW = (
    "[...document.querySelectorAll('#stage .el[data-kind=cover]')].filter(one => {"
    " const box = one.getBoundingClientRect();"
    " return getComputedStyle(one).visibility === 'visible' && box.bottom > 0 && box.top < innerHeight"
    " && box.right > 0 && box.left < innerWidth })"
)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A server of one large shelf."""
    folder = tmp_path_factory.mktemp("wall")
    shelf = folder / "library" / "Comics"
    shelf.mkdir(parents=True)
    for number in range(BOOKS):
        comic(shelf / f"Comic {number:03}.cbz", pages=2 + number % 3, note=str(number))
    with serving(folder, BOOKS) as server:
        yield server


def to_large_shelf(reader, server):
    """Opens the large shelf."""
    reader.open(server.url)
    with reader.settling("shelf"):
        reader.evaluate("void __lectern.app.press('Enter')")
    reader.wait_for(f"__lectern.caption.count === {BOOKS} && __lectern.isReady")
    return reader.look()


def title(reader):
    """The title of the chosen book."""
    return reader.evaluate("__lectern.caption.title")


@BOTH
def test_a_pinch_makes_the_shelf_a_wall_and_a_tap_on_a_cover_opens_its_book(reader, large):
    to_large_shelf(reader, large)
    with reader.settling("shelf"):
        reader.pinch(CENTRE, WIDE, CLOSE)
    assert reader.evaluate("__lectern.caption.isWall && document.body.classList.contains('all-covers')")
    assert reader.evaluate(f"{IN_WINDOW}.length") >= 21
    with reader.settling("shelf"):
        reader.pinch(CENTRE, CLOSE, WIDE)
    assert not reader.evaluate("__lectern.caption.isWall")
    # The fingers led to the book between them.
    assert title(reader) == "Comic 010"

    with reader.settling("shelf"):
        click(reader, "#wall")
    assert reader.evaluate("__lectern.caption.isWall")
    names = reader.evaluate(f"{IN_WINDOW}.map(one => one.getAttribute('aria-label'))")
    assert all(name.startswith("Comic ") for name in names) and len(set(names)) == len(names)
    with reader.settling("book"):
        reader.tap(reader.look().centre("cover", 16))
    assert title(reader) == "Comic 016"
    # In the book, the minus is for its zoom.
    assert not reader.evaluate("document.getElementById('wall').checkVisibility()")
    with reader.settling("shelf"):
        reader.key("Escape")
    assert not reader.evaluate("__lectern.caption.isWall") and title(reader) == "Comic 016"


def test_keys_move_on_the_wall_with_the_focus_and_lead_back(reader, large):
    to_large_shelf(reader, large)
    with reader.settling("shelf"):
        reader.key("-")
    assert reader.evaluate("__lectern.caption.isWall")
    for key, expected in [("ArrowRight", 1), ("ArrowDown", 8), ("End", BOOKS - 1), ("PageUp", BOOKS - 22)]:
        with reader.settling("shelf"):
            reader.key(key)
        words = f"Comic {expected:03}"
        reader.wait_for(f"document.activeElement.getAttribute('aria-label')?.startsWith('{words}')")
        assert reader.evaluate("document.getElementById('live').textContent").startswith(words)
        assert reader.evaluate(f"{IN_WINDOW}.includes(document.activeElement)")
    with reader.settling("shelf"):
        reader.key("Escape")
    assert not reader.evaluate("__lectern.caption.isWall")
    with reader.settling("collections"):
        reader.key("Escape")


def test_a_hint_makes_way_for_the_covers(reader, large):
    reader.before("if (location.host) localStorage.setItem('lectern-hints', '{\"list\":true}')")
    to_large_shelf(reader, large)
    reader.wait_for(f"{HINT} === 'Click a book to open it'")
    with reader.settling("shelf"):
        click(reader, "#wall")
    assert reader.evaluate(HINT) == ""


@BOTH
def test_the_slider_leads_to_any_book_and_names_it(reader, large):
    to_large_shelf(reader, large)
    for is_wall in (False, True):
        if is_wall:
            with reader.settling("shelf"):
                click(reader, "#wall")
        x, y, width = reader.evaluate(SLIDE_BOX)
        with reader.settling("shelf"):
            reader.tap((x + width - 7, y), touch=False)
        assert title(reader) == f"Comic {BOOKS - 1:03}"
        with reader.settling("shelf"):
            reader.tap((x + 7, y), touch=False)
        assert title(reader) == "Comic 000"
    # The keys of the slider move by a book, and its words are read out.
    reader.evaluate("void document.getElementById('slide').focus()")
    with reader.settling("shelf"):
        reader.key("ArrowRight")
    assert title(reader) == "Comic 001" == reader.evaluate("document.getElementById('slide').ariaValueText ?? ''")


@MOVING
def test_the_wall_is_dragged_under_the_finger(reader, large):
    to_large_shelf(reader, large)
    with reader.settling("shelf"):
        click(reader, "#wall")
    with reader.settling("shelf"):
        click(reader, "#foot button:last-child")
    before = reader.look().centre("cover", 21)
    reader.press([(500, 400)], touch=True)
    reader.move([(500, 300)], 20)
    reader.dwell([(500, 300)])
    after = reader.look().centre("cover", 21)
    reader.lift()
    # A finger that touches moves by a few pixels before it drags.
    assert abs(after[0] - before[0]) < 1 and 88 < before[1] - after[1] < 102, (before, after)
