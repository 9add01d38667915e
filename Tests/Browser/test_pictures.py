"""Screenshots of the screens and of motions between them, for review by eye."""

import pytest

from controls import click, reach, typed
from firefox import Firefox
from reader import CENTRE
from steps import BOTH, CLOSE, MOVING, RIGHT, VARIANT, WIDE, to_shelf

pytestmark = [BOTH, MOVING, VARIANT]

LEAST_BYTES = 20_000

# Screenshots of pages without their images would show blank paper.
DECODED = "[...document.querySelectorAll('#stage img')].every(image => image.complete)"
# Animations of sheets and bars have ended.
FADED_IN = "document.getAnimations().every(one => one.playState !== 'running' || one.effect.getTiming().iterations > 1)"


@pytest.fixture(scope="module")
def sharp_firefox():
    """A Firefox that draws all pixels."""
    browser = Firefox()
    yield browser
    browser.close()


@pytest.fixture
def browser(request):
    """Each browser in turn, drawing all pixels of a screenshot."""
    return request.getfixturevalue({"firefox": "sharp_firefox"}.get(request.param, request.param))


def test_screenshots_of_every_screen_and_of_the_motions_between_them(reader, server, out):
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


def test_screenshots_of_the_flat_book_and_of_the_sheets(reader, server, out):
    def picture(name):
        reader.wait_for(f"{DECODED} && {FADED_IN}")
        path = out / f"{reader.name}-{name}.png"
        path.unlink(missing_ok=True)
        reader.screenshot(path)
        assert path.stat().st_size > LEAST_BYTES, f"{path} is all but empty"

    def sheet(control, name, content):
        click(reader, control)
        reader.wait_for(f"document.querySelector('dialog[open] {content}')")
        picture(name)
        reader.key("Escape")
        reader.wait_for("!document.querySelector('dialog')")

    to_shelf(reader, server.url)
    sheet("#edit", "edit", ".form input")
    sheet("#upload", "add", ".key")
    typed(reader, "the")
    reader.wait_for("document.querySelector('.found .entry')")
    picture("find")
    reader.key("Escape")
    reader.evaluate("document.activeElement.blur()")
    with reader.settling("book"):
        reader.key("Enter")
    with reader.settling("book"):
        reader.key("f")
    reach(reader, "#bookbar [aria-label=Contents]")
    picture("flat")
    sheet("#bookbar [aria-label=Contents]", "contents", ":is(.entry, .saying:not(:empty))")
    sheet("#bookbar [aria-label=Search]", "search", "[type=search]")
    reader.key("+")
    reader.wait_for("__lectern.isReady && document.body.dataset.zoomed === 'true'")
    reach(reader, "#loupe .plain")
    picture("zoomed")
