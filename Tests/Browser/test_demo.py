"""The demo, which shows one room on several screens."""

import pytest

from steps import BOTH_IN_ALL

FRAMES = 2
PAGES = f"Array.from({{ length: {FRAMES} }}, (_, n) => frames[n]?.__lectern)"
# What each screen shows, and its box in the window.
SCREENS = PAGES + """.map((page, n) => {
  const { left, top, width, height } = document.querySelectorAll('iframe')[n].getBoundingClientRect()
  return {
    screen: page.screen, page: page.caption.page, book: page.caption.book,
    isSettled: page.isReady, people: page.session.people.size, box: [left, top, width, height],
  }
})"""


def place(screen, x, y):
    """Returns a point of a screen, given as shares of its width and height, in the window."""
    left, top, width, height = screen["box"]
    return (left + x * width, top + y * height)


def all_are(reader, condition):
    """Waits until a condition holds on every screen, all of them at rest."""
    reader.wait_for(
        f"{PAGES}.every(page => page?.isReady && {condition})", seconds=30
    )
    return reader.evaluate(SCREENS)


@pytest.fixture
def demo(reader, server):
    """The demo, with few enough screens for this machine to draw."""
    reader.goto(f"{server.url}demo?frames={FRAMES}&from=shelves")
    all_are(reader, f"page.session.people.size === {FRAMES}")
    return reader


@BOTH_IN_ALL
def test_all_screens_show_what_one_does(demo, out):
    first, second = demo.evaluate(SCREENS)
    assert first["screen"] == second["screen"] == "collections"
    demo.tap(place(first, 0.5, 0.2), touch=False)
    first, second = all_are(demo, "page.screen === 'shelf'")
    assert first["book"] == second["book"] != ""
    # The other screen opens the book: a touch takes the book if nobody has it.
    demo.tap(place(second, 0.5, 0.45), touch=False)
    first, second = all_are(demo, "page.screen === 'book'")
    # The drag covers more than half of the stage, so the speed has no effect.
    demo.press([place(first, 0.75, 0.5)])
    demo.move([place(first, 0.2, 0.5)], 24)
    demo.lift()
    first, second = all_are(demo, "page.caption.page === 3")
    assert first["book"] == second["book"]
    demo.screenshot(str(out / f"demo-{demo.name}.png"))


def test_a_new_room_opens_a_book_without_input(reader, server):
    reader.goto(f"{server.url}demo?frames={FRAMES}")
    all_are(reader, "page.screen === 'book'")


def test_each_screen_shows_how_well_it_keeps_time(demo):
    demo.wait_for(
        "[...document.querySelectorAll('figcaption')].every("
        "one => /round\\strip\\s\\d+\\.\\d\\sms/.test(one.textContent))"
    )
