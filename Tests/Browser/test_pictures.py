"""Screenshots of the screens and of what lies between them, for people to look at."""

import time

from controls import click, reach, typed
from reader import CENTRE
from steps import CLOSE, RIGHT, WIDE, to_shelf

LEAST_BYTES = 20_000

# Pages whose images are still decoding would be pictures of blank paper.
DECODED = "[...document.querySelectorAll('#stage img')].every(image => image.complete)"


def test_pictures_of_every_screen_and_of_what_lies_between(reader, server, out):
    def picture(name):
        reader.wait_for(f"{DECODED} && document.fonts.status === 'loaded'")
        path = out / f"{reader.name}-{name}.png"
        path.unlink(missing_ok=True)
        reader.screenshot(path)
        assert path.stat().st_size > LEAST_BYTES, f"{path} is all but empty"

    reader.open(server.url)
    picture("collections")
    to_shelf(reader, server.url)
    picture("shelf")
    with reader.settling("book"):
        reader.spread(CENTRE, CLOSE, 4 * CLOSE)
        picture("mid-open")
        reader.move([(CENTRE[0] - WIDE, CENTRE[1]), (CENTRE[0] + WIDE, CENTRE[1])], 10)
        reader.lift()
    picture("open")
    with reader.settling("book"):
        reader.press([RIGHT])
        reader.move([(RIGHT[0] - 420, RIGHT[1])], 20)
        picture("mid-flip")
        reader.lift()


def test_pictures_of_the_flat_book_and_of_the_sheets(reader, server, out):
    def picture(name):
        # Sheets and bars have faded in, and what they asked for is there.
        time.sleep(0.8)
        path = out / f"{reader.name}-{name}.png"
        path.unlink(missing_ok=True)
        reader.screenshot(path)
        assert path.stat().st_size > LEAST_BYTES, f"{path} is all but empty"

    def sheet(control, name):
        click(reader, control)
        reader.wait_for("document.querySelector('dialog[open]')")
        picture(name)
        reader.key("Escape")
        reader.wait_for("!document.querySelector('dialog')")

    to_shelf(reader, server.url)
    sheet("#edit", "edit")
    sheet("#upload", "add")
    typed(reader, "the")
    picture("find")
    reader.key("Escape")
    reader.evaluate("document.activeElement.blur()")
    with reader.settling("book"):
        reader.key("Enter")
    with reader.settling("book"):
        reader.key("f")
    reach(reader, "#desk [aria-label=Contents]")
    picture("flat")
    sheet("#desk [aria-label=Contents]", "contents")
    sheet("#desk [aria-label=Search]", "search")
    reader.key("+")
    reader.wait_for("__lectern.isAtRest && document.body.dataset.zoomed === 'true'")
    reach(reader, "#loupe .plain")
    picture("zoomed")
