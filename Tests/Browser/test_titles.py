"""Titles of one long word, which every screen of a phone shows in the window, whole or with a sign that it is cut."""

import contextlib
import itertools

import pytest

from bookserver import serving
from controls import click, open_title, to_title, typed
from fixtures import comic, pdf
from steps import BOTH_IN_ALL

PHONE = {"width": 390, "height": 844}
WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftskapitänsmütze"
FILE = "Scan2019FinalVersionWithoutAnySpaceAtAllAndWithANameThatGoesOnAndOnAndOnAndOnAndOnAndOn"
SHELF = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetzessammlung"
REST = "__lectern.isReady"

# The elements that hold a long word themselves and are wider than they show, without an ellipsis, or leave the window.
# Books on the stage may leave it.
FAULTS = """[...document.querySelectorAll('body *')].filter(one => {
  const text = [...one.childNodes].filter(node => node.nodeType === 3).map(node => node.data).join('')
  if (!/\\S{30}/.test(text) || !one.checkVisibility({ visibilityProperty: true })) return false
  const { left, right, width } = one.getBoundingClientRect()
  if (width === 0 || one.matches('.unseen, .tip, script, style, title')) return false
  const isOutside = !one.closest('#stage') && (left < 0 || right > innerWidth)
  return isOutside || (one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0
    && getComputedStyle(one).textOverflow !== 'ellipsis')
}).map(one => `${one.localName}.${one.className}#${one.id} ${one.scrollWidth} of ${one.clientWidth}`)"""
# The elements that show a long word.
SHOWN = """[...document.querySelectorAll(%r)].some(one => /\\S{30}/.test(one.textContent)
  && one.checkVisibility({ visibilityProperty: true }))"""

# The left and right edges of the buttons in the bar at the top, from left to right.
TOP = """[...document.querySelectorAll('#top button')].map(one => one.getBoundingClientRect())
  .filter(({ width }) => width > 1).map(({ left, right }) => [left, right]).sort(([a], [b]) => a - b)"""


@pytest.fixture(scope="module")
def long_titles(tmp_path_factory):
    """A server with two books on one shelf, each of whose names is one long word."""
    folder = tmp_path_factory.mktemp("titles")
    shelf = folder / "library" / SHELF
    shelf.mkdir(parents=True)
    (shelf / f"{WORD}.pdf").write_bytes(pdf(title=""))
    comic(shelf / f"{FILE}.cbz", pages=3)
    with serving(folder, 2) as server:
        yield server



@BOTH_IN_ALL
def test_a_title_of_one_long_word_stays_in_the_window_of_a_phone(browser, long_titles, out):
    with contextlib.closing(browser.reader(**PHONE)) as reader:
        found = []

        def look(screen, selector):
            reader.wait_for(SHOWN % selector)
            reader.evaluate("!!dispatchEvent(new PointerEvent('pointermove'))")
            reader.wait_for(f"{REST} && document.getAnimations().every(one => one.playState !== 'running')")
            reader.screenshot(out / f"titles-{screen}-{reader.name}.png")
            found.extend((screen, one) for one in reader.evaluate(FAULTS))

        def close():
            reader.key("Escape")
            reader.wait_for("!document.querySelector('dialog')")

        reader.open(long_titles.url)
        look("list", ".wall h2")
        typed(reader, "donau")
        look("found", ".found .entry")
        reader.key("Escape")
        reader.wait_for(f"__lectern.caption.filter === '' && {REST}")
        to_title(reader, long_titles.url, FILE)
        look("shelf", "#open .title")
        to_title(reader, long_titles.url, WORD)
        look("shelf-2", "#open .title")
        click(reader, "#edit")
        reader.wait_for("document.querySelector('dialog .delete')")
        look("edit", "dialog .plate, dialog")
        close()
        open_title(reader, long_titles.url, WORD)
        look("book", "#heading")
        click(reader, "#bookbar [aria-label=Contents]")
        look("contents", "dialog .sub")
        close()
        click(reader, "#bookbar [aria-label=Search]")
        look("search", "dialog .scopes span")
        width, lines = reader.evaluate("(one => [one.clientWidth, one.clientHeight])"
                                       "(document.querySelector('.scopes label:last-child span'))")
        assert width > 60 and lines < 40, "the short choice is in one line"
        click(reader, ".scopes label:last-child")
        reader.evaluate("document.querySelector('dialog [type=search]').focus()")
        typed(reader, "lady")
        look("hits", "dialog .hits em")
        click(reader, "dialog .hits .entry")
        reader.wait_for("document.querySelector('#matches:not([hidden]) [role=status]')?.textContent === '1 of 12'")
        look("matches", "#heading")
        boxes = reader.evaluate(TOP)
        assert len(boxes) >= 4 and boxes[0][0] >= 0 and boxes[-1][1] <= PHONE["width"]
        assert all(right <= left for (_, right), (left, _) in itertools.pairwise(boxes)), boxes
        reader.key("r")
        look("reader", "dialog.reader h2")
        close()
        assert found == []
        assert not reader.errors
