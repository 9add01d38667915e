"""The demo, which shows one room on several screens."""

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
# Whether each screen says how well it keeps time.
TIMED = """[...document.querySelectorAll('figcaption')].every(
  one => /round\\strip\\s\\d+\\.\\d\\sms/.test(one.textContent))"""


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


@BOTH_IN_ALL
def test_all_screens_show_what_one_does_and_how_well_they_keep_time(reader, server, out):
    # There are few enough screens for this machine to draw.
    reader.goto(f"{server.url}demo?frames={FRAMES}&from=shelves")
    first, second = all_are(reader, f"page.session.people.size === {FRAMES} && page.screen === 'collections'")
    reader.tap(place(first, 0.5, 0.2), touch=False)
    first, second = all_are(reader, "page.screen === 'shelf'")
    assert first["book"] == second["book"] != ""
    # The other screen opens the book: a touch takes the book if nobody has it.
    reader.tap(place(second, 0.5, 0.45), touch=False)
    first, second = all_are(reader, "page.screen === 'book'")
    # The drag covers more than half of the stage, so the speed has no effect.
    reader.press([place(first, 0.75, 0.5)])
    reader.move([place(first, 0.2, 0.5)], 12)
    reader.lift()
    first, second = all_are(reader, "page.caption.page === 3")
    assert first["book"] == second["book"]
    reader.wait_for(TIMED)
    reader.screenshot(str(out / f"demo-{reader.name}.png"))


def test_a_new_room_opens_a_book_without_input(reader, server):
    reader.goto(f"{server.url}demo?frames=1")
    reader.wait_for("frames[0]?.__lectern?.isReady && frames[0].__lectern.screen === 'book'")
