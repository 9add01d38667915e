"""Screens that show no motion: for readers who prefer less of it, and on electronic paper, which is slow."""

import contextlib

import pytest

from chromium import ChromiumReader
from firefox import Firefox
from lights import stored
from steps import BOTH, BOTH_IN_ALL, LEFT, MOVING, RIGHT, assert_same, in_book, open_beside
from test_still import PICTURES, WATCH

LOOKS = 100
# The screen says that it redraws slowly, which browsers cannot emulate.
SLOW = """
  const ask = window.matchMedia.bind(window);
  window.matchMedia = (query) => {
    const list = ask(query);
    if (/update:\\s*slow/.test(query)) Object.defineProperty(list, 'matches', { value: true });
    return list;
  };
"""
# The rules of style sheets for less motion whose condition does not name slow screens.
CONDITIONS = """await (async () => {
  const inner = (rules) => [...rules].flatMap(rule => [rule, ...inner(rule.cssRules ?? [])])
  const told = await Promise.all(%s.map(async (name) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(await (await fetch(`/css/${name}.css`)).text())
    return inner(sheet.cssRules).filter(rule => rule.media?.mediaText.includes('reduced-motion'))
      .map(rule => `${name}: ${rule.media.mediaText}`)
  }))
  return told.flat()
})()"""
# Counts the transitions of style sheets on the stage from now on, whose pictures no script writes.
COUNT = """(() => {
  window.__transitions = 0
  document.getElementById('stage').addEventListener('transitionrun', () => { window.__transitions += 1 })
})()"""
SHEETS = "['lectern', 'controls', 'sheet', 'settings', 'text', 'together', 'motion', 'windows', 'light', 'forced']"


@pytest.fixture(scope="module")
def unmoving_firefox():
    """A Firefox on a system that reduces motion."""
    browser = Firefox({"ui.prefersReducedMotion": 1}, is_coarse=True)
    yield browser
    browser.close()


@pytest.fixture(params=["the system", "the setting", "a slow screen"])
def still(request, browser):
    """A window whose reader sees no motion, for one of three reasons."""
    if request.param == "the system" and isinstance(browser, Firefox):
        browser = request.getfixturevalue("unmoving_firefox")
    reader = browser.reader()
    if request.param == "the system" and isinstance(reader, ChromiumReader):
        reader.page.emulate_media(reduced_motion="reduce")
    if request.param == "the setting":
        reader.before(stored(motion="reduced"))
    if request.param == "a slow screen":
        reader.before(SLOW)
    with contextlib.closing(reader):
        yield reader
        assert not reader.errors


def places(reader, picture):
    """Returns the places of the pages in one of the pictures that a window has shown, as their transforms."""
    return set(reader.evaluate(f"__pictures.at({picture}).split('; ')"))


def await_same(still, reader):
    """Waits until a window shows the same as another one at rest. Its frames are fewer, so their numbers differ."""
    for _ in range(LOOKS):
        with contextlib.suppress(AssertionError):
            return assert_same(still.look(), reader.look())
        still.wait_for("new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(() => next(true))))")
    assert_same(still.look(), reader.look())


@MOVING
@BOTH
def test_a_turn_has_no_picture_between_its_first_and_its_last(still, reader, open_books):
    """Item 12: no transform in between, the same page at the end, in sync. Item 13: the same on slow screens."""
    view = in_book(reader, open_books)
    open_beside(still, reader, open_books.url, view)
    assert still.look().spread == [1, 2]
    still.evaluate(WATCH)
    still.evaluate(COUNT)
    reader.evaluate(WATCH)
    with reader.settling("book"):
        reader.key("ArrowRight")
    resting = places(still, 0)
    await_same(still, reader)
    resting |= places(still, -1)
    # The reader's own drag shows the leaf only where it falls.
    count = still.evaluate(PICTURES)
    with reader.settling("book"):
        still.press([RIGHT])
        still.move([LEFT], 24)
        assert still.evaluate(PICTURES) == count
        still.dwell([LEFT])
        still.lift()
        reader.wait_for("__lectern.caption.page === 5")
    await_same(still, reader)
    assert still.look().spread == [5, 6]
    resting |= places(still, -1)
    assert all(places(still, picture) <= resting for picture in range(still.evaluate(PICTURES)))
    moved = set().union(*(places(reader, picture) for picture in range(reader.evaluate(PICTURES))))
    assert len(moved - resting) > 3, "the other window shows the motion"
    assert still.evaluate("__transitions") == 0


@BOTH_IN_ALL
def test_the_style_sheets_treat_slow_screens_like_reduced_motion(reader, server):
    """Item 13: each rule for less motion names (update: slow)."""
    reader.goto(server.url)
    conditions = reader.evaluate(CONDITIONS % SHEETS)
    assert len(conditions) >= 4
    assert all("(update: slow)" in condition for condition in conditions), conditions
