"""Reading on an upright phone: one page as wide as the window, alone and beside a laptop."""

import contextlib

import pytest

from company import hosted, join
from controls import click, text_of
from steps import BOTH, BOTH_IN_ALL, in_book, open_beside

PHONE = {"width": 390, "height": 844}
WIDTH, HEIGHT = PHONE["width"], PHONE["height"]
# The fraction of the window's width where a tap turns to the next page and to the one before.
ONWARD, BACK = (0.85 * WIDTH, 0.5 * HEIGHT), (0.15 * WIDTH, 0.5 * HEIGHT)
REST = "__lectern.isReady"
# The left and right edges of the pages in the window, by their indices.
EDGES = """Object.fromEntries(__lectern.stage.spread.map((page) => {
  const { left, right } = page.root.getBoundingClientRect()
  return [page.content.index, [left, right]]
}).filter(([, [left, right]]) => right > 1 && left < innerWidth - 1))"""
COVER = """Math.max(...__lectern.stage.all.filter(({ content, written }) => content.kind === 1 && written.visible)
  .map(({ root }) => root.getBoundingClientRect()).filter(({ left, right }) => left < 195 && right > 195)
  .map(({ width }) => width))"""


@pytest.fixture
def phone(request):
    """Opens windows of a phone's size."""
    with contextlib.ExitStack() as stack:
        def make(browser, **options):
            reader = browser.reader(**PHONE, **options)
            stack.callback(reader.close)
            return reader
        yield make


def await_page(reader, index):
    """Waits until a page alone is in the window, as wide as it, and its number is shown."""
    edges = f"(([left, right]) => Math.abs(left) < 1 && Math.abs(right - {WIDTH}) < 1)({EDGES}[{index}] ?? [])"
    reader.wait_for(f"{REST} && {edges} && Object.keys({EDGES}).length === 1")
    assert text_of(reader, ".place") == f"{index + 1} of 32"


def tap(reader, place):
    """Taps the screen; two taps are not a double tap, however fast the page is."""
    reader.evaluate("__finger.paused()")
    reader.tap(place)


@BOTH_IN_ALL
def test_a_phone_opens_a_book_flat_and_shows_one_page_after_the_other(browser, open_books, phone):
    reader = phone(browser)
    reader.open(open_books.url)
    reader.wait_for(REST)
    reader.key("Enter")
    reader.wait_for(f"{REST} && __lectern.screen === 'shelf'")
    assert 0.6 * WIDTH <= reader.evaluate(COVER) < WIDTH
    reader.tap((WIDTH / 2, 0.45 * HEIGHT))
    reader.wait_for(f"{REST} && __lectern.screen === 'book' && __lectern.caption.isFlat")
    await_page(reader, 1)
    for index in (2, 3, 4):
        tap(reader, ONWARD)
        await_page(reader, index)
    tap(reader, BACK)
    await_page(reader, 3)
    assert not reader.errors


@BOTH
def test_a_swipe_moves_to_the_other_page_and_the_next_one_turns_the_leaf(browser, open_books, phone):
    reader = phone(browser)
    in_book(reader, open_books)
    with reader.settling("book"):
        reader.key("f")
    await_page(reader, 1)
    for index in (2, 3):
        reader.press([(0.9 * WIDTH, 0.6 * HEIGHT)], touch=True)
        reader.move([(0.1 * WIDTH, 0.6 * HEIGHT)], 12)
        reader.lift()
        await_page(reader, index)


def test_the_back_button_of_a_phone_closes_the_book(chromium, open_books, phone):
    reader = phone(chromium)
    reader.open(open_books.url)
    reader.wait_for(REST)
    for screen, depth in (("shelf", 1), ("book", 2)):
        reader.key("Enter")
        reader.wait_for(f"{REST} && __lectern.screen === '{screen}' && history.state?.lectern?.depth === {depth}")
    await_page(reader, 1)
    reader.evaluate("setTimeout(() => history.back())")
    reader.wait_for(f"{REST} && __lectern.screen === 'shelf' && history.state?.lectern?.depth === 1")
    reader.evaluate("setTimeout(() => history.forward())")
    reader.wait_for(f"{REST} && __lectern.screen === 'book'")
    await_page(reader, 1)


def test_a_phone_follows_a_laptop_page_by_page(chromium, open_books, phone):
    laptop = chromium.reader()
    with contextlib.closing(laptop):
        view = in_book(laptop, open_books)
        laptop.key("f")
        reader = phone(chromium)
        open_beside(reader, laptop, open_books.url, view)
        await_page(reader, 1)
        with laptop.settling("book"):
            laptop.key("ArrowRight")
        reader.wait_for(f"{REST} && __lectern.caption.page === 3")
        await_page(reader, 3)
        with laptop.settling("book"):
            laptop.key("ArrowLeft")
        reader.wait_for(f"{REST} && __lectern.caption.page === 1")
        await_page(reader, 2)
        assert laptop.evaluate("__lectern.stage.matrix[12]") == 0


@BOTH
def test_a_phone_that_shows_the_other_page_leads_to_where_somebody_points(browser, server, open_books, phone):
    dot = "document.querySelector('#hands .light.dotted:not(.gone) .dot')?.getBoundingClientRect()"
    is_seen = f"(({{ left, right }}) => left >= 0 && right <= innerWidth)({dot} ?? {{ left: -1 }})"
    with hosted(server, open_books) as host:
        reader = phone(browser)
        join(reader, server, host)
        shown = reader.evaluate(f"Number(Object.keys({EDGES})[0])")
        for side in (700, 300):
            host.do("point", side, 300)
            element = host.elements[host.caption.spread[-1 if side > 512 else 0]].index
            if element == shown:
                reader.wait_for(f"{is_seen} && !document.querySelector('.beckon')")
                continue
            reader.wait_for("document.querySelector('.beckon')")
            assert text_of(reader, ".beckon") == "Maren"
            click(reader, ".beckon")
            reader.wait_for(f"{is_seen} && !document.querySelector('.beckon')")
            shown = element
        host.do("point")
        reader.wait_for(f"!({dot}) && !document.querySelector('.beckon')")
