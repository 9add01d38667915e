"""Every control by the keyboard alone and by touch alone; the focus is seen wherever it is."""

import pytest

import wire
from controls import camera, click, open_title, reach, to_title, typed
from fixtures import PDF_TITLE
from focus import LATELY, NOTE, QUIET
from screens import CALM
from steps import MOVING, BOTH, BOTH_IN_ALL, in_book

REST = "__lectern.isReady"
SHEET = "document.querySelector('dialog[open]') !== null"
FINDER = "document.querySelector('#finder:not([hidden])') !== null"
FLAT = "__lectern.caption.isFlat"
FULL = "document.fullscreenElement !== null"
SELECTING = "document.body.classList.contains('selecting')"
ZOOMED = "document.body.dataset.zoomed === 'true'"
FOLDED = ".folded+.icon"
FOLDS = "document.querySelector('.unfolded [aria-label=\"Full screen\"]') && document.querySelector('.folded[popover]')"
MOST_STOPS = 90

# What the page does at each use of a control, in this order. A sheet or the finder is closed after it.
LIST = [("#find", FINDER), ("#settings", SHEET), ("#upload", SHEET), ("#join", SHEET),
        ("#continue", "__lectern.screen === 'book'"), ("#back", "__lectern.screen === 'shelf'"),
        ("#back", "__lectern.screen === 'collections'"), ("#open", "__lectern.screen === 'shelf'")]
SHELF = [
    ("#find", FINDER), ("#settings", SHEET), ("#edit", SHEET), ("#upload", SHEET),
    ("#foot .icon:last-child", "__lectern.caption.index === __was + 1"),
    ("#foot .icon:first-child", "__lectern.caption.index === __was - 1"),
    ("#wall", "__lectern.caption.isWall"), ("#wall", "!__lectern.caption.isWall"),
    ("#back", "__lectern.screen === 'collections'"), ("#open", "__lectern.screen === 'shelf'"),
    ("#open", "__lectern.screen === 'book'"),
]
BOOK = [
    ("#share", SHEET), ("#bookbar [aria-label=Contents]", SHEET), ("#bookbar [aria-label=Search]", SHEET),
    (".place", SHEET), ("#bookbar [aria-label='Lay the book flat']", FLAT),
    ("#bookbar [aria-label='Stand the book up']", f"!{FLAT}"), ("#bookbar [aria-label=Larger]", FLAT),
    ("#bookbar [aria-label=Smaller]", f"!{FLAT}"), ("#bookbar [aria-label='Full screen']", FULL),
    ("#bookbar [aria-label='Leave full screen']", f"!({FULL}) && {FOLDS}"),
    ("#bookbar [aria-label='Fit to the window']", SHEET), ("#bookbar [aria-label='Reading view']", SHEET),
    ("#bookbar [aria-label='Select text']", SELECTING), ("#bookbar [aria-label='Select text']", f"!{SELECTING}"),
    ("#bookbar [aria-label=Print]", SHEET), ("#bookbar [aria-label='Light and settings']", SHEET),
    ("#back", "__lectern.screen === 'shelf'"),
]
LOUPE = [
    ("#loupe [aria-label=Larger]", "__camera()[0] > __from[0]"),
    ("#loupe [aria-label='To the right']", "__camera()[1] < __from[1]"),
    ("#loupe [aria-label='To the left']", "__camera()[1] > __from[1]"),
    ("#loupe [aria-label=Down]", "__camera()[2] < __from[2]"),
    ("#loupe [aria-label=Up]", "__camera()[2] > __from[2]"),
    ("#loupe [aria-label=Smaller]", "__camera()[0] < __from[0]"),
    ("#loupe .plain", f"!({ZOOMED})"),
]
# The visible controls that none of some selectors matches. Elements of the stage have tests of their own, and the
# buttons that only the keyboard reaches do what a tap on a page does.
OTHERS = """[...document.querySelectorAll('button, a, input, select, [role=slider]')]
  .filter(one => one.checkVisibility({ visibilityProperty: true }) && !one.disabled)
  .filter(one => !one.matches('.turn, .fore, [type=file]') && !one.closest('#stage') && !one.matches(`%s`))
  .map(one => one.id || one.ariaLabel || one.textContent)"""
# Whether a control is before the focus. A menu follows its button, wherever it is.
BEFORE = """(one => !one.closest(':popover-open') &&
  (document.activeElement.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
)(document.querySelector(`%s`))"""


class Keyboard:
    """Uses the page with the keys alone."""

    def __init__(self, reader):
        self.reader = reader

    def use(self, selector):
        """Moves the focus to a control, and presses it."""
        reader = self.reader
        # A control may change its name later than the page its state.
        reader.wait_for(f"document.querySelector(`{selector}`) !== null")
        if reader.evaluate(f"document.querySelector(`{selector}`).closest('.folded[popover]') !== null"):
            self._go(FOLDED)
            reader.key("Enter")
            reader.wait_for("document.querySelector('.folded:popover-open')")
        self._go(selector)
        reader.key("Enter")

    def leave(self):
        """Closes what is open."""
        self.reader.key("Escape")

    def _go(self, selector):
        for _ in range(MOST_STOPS):
            if self.reader.evaluate(f"document.activeElement?.matches(`{selector}`) === true"):
                return
            self.reader.key("Shift+Tab" if self.reader.evaluate(BEFORE % selector) else "Tab")
        raise AssertionError(f"{self.reader.name}: no Tab leads to {selector}")


class Touch:
    """Uses the page with one finger, by taps."""

    def __init__(self, reader):
        self.reader = reader

    def use(self, selector):
        """Taps a control."""
        if selector == "#open" and self.reader.evaluate("__lectern.screen === 'collections'"):
            return self.reader.tap(self.reader.look().centre("collection"))
        click(self.reader, selector, touch=True)

    def leave(self):
        """Closes what is open."""
        click(self.reader, "dialog .away" if self.reader.evaluate(SHEET) else "#finder .icon", touch=True)


HANDS = pytest.mark.parametrize("hand", [Keyboard, Touch])


def use_all(hand, controls):
    """Uses each control of a screen, and asserts that there are no others."""
    reader = hand.reader
    reader.evaluate(CALM)
    reader.wait_for(REST)
    known = ", ".join([FOLDED, *(selector for selector, _ in controls), "#recordings"])
    assert reader.evaluate(OTHERS % known) == []
    for selector, effect in controls:
        reader.evaluate(NOTE)
        hand.use(selector)
        try:
            reader.wait_for(effect)
        except AssertionError as error:
            raise AssertionError(f"{selector}: {error}; focus and input: {reader.evaluate(LATELY)}") from None
        if FULL in effect:
            reader.wait_for(QUIET)
        if effect in (SHEET, FINDER):
            hand.leave()
            reader.wait_for(f"!({effect})")
        reader.wait_for(REST)


@BOTH_IN_ALL
@HANDS
def test_every_control_of_the_shelves_is_used_by(reader, books, hand):
    """Item 1: every action by keyboard. Item 4: a tap does what a drag or swipe does."""
    reader.open(books.url)
    reader.wait_for(f"{REST} && document.getElementById('upload')?.hidden === false")
    use_all(hand(reader), LIST)
    reader.wait_for(f"{REST} && __lectern.caption.index === 0 && document.querySelector('#edit')?.hidden === false")
    use_all(hand(reader), SHELF)


@BOTH
@HANDS
def test_every_control_of_an_open_book_is_used_by(reader, open_books, hand):
    """Item 1: every action by keyboard. Item 5: buttons do what pinches do."""
    in_book(reader, open_books)
    reach(reader, "#bookbar [aria-label=Contents]")
    use_all(hand(reader), BOOK)


def test_the_menu_of_a_low_window_shows_all_its_buttons(reader, open_books):
    in_book(reader, open_books)
    reader.resize(844, 390)
    reader.ready()
    click(reader, f"#bookbar {FOLDED}")
    reader.wait_for("document.querySelector('.folded:popover-open')")
    places = "[...document.querySelectorAll('.folded .icon')].map(one => one.getBoundingClientRect())"
    assert reader.evaluate(f"{places}.length") == 8
    assert reader.evaluate(f"{places}.every(({{ top, bottom }}) => top >= 0 && bottom <= innerHeight)")


@BOTH_IN_ALL
@HANDS
def test_every_control_of_a_zoomed_book_is_used_by(reader, open_books, hand):
    """Items 1 and 4: keys and taps move a zoomed page."""
    in_book(reader, open_books)
    with reader.settling("book"):
        reader.key("f")
    reader.key("+")
    reader.wait_for(f"{REST} && {ZOOMED}")
    use_all(hand(reader), LOUPE)


@BOTH_IN_ALL
def test_a_tap_on_the_fore_edge_and_an_arrow_key_on_it_move_the_ribbon(reader, open_books):
    """Item 4: a tap does what a drag of the ribbon does. Item 11: the slider follows the keys."""
    in_book(reader, open_books)
    reach(reader, ".fore")
    left, top, width, height = reader.evaluate(
        "(box => [box.left, box.top, box.width, box.height])(document.querySelector('.fore').getBoundingClientRect())"
    )
    with reader.settling("book"):
        reader.press([(left + 0.75 * width, top + height / 2)], touch=True)
        reader.lift()
    page = reader.evaluate("__lectern.caption.page")
    assert page > 16
    assert reader.evaluate("document.querySelector('.fore').ariaValueText") == reader.evaluate(
        "__lectern.caption.detail")
    reader.evaluate("document.querySelector('.fore').focus()")
    with reader.settling("book"):
        reader.key("ArrowLeft")
    assert reader.evaluate("__lectern.caption.page") < page


@BOTH_IN_ALL
def test_a_tap_on_the_outer_third_does_what_a_drag_does(reader, open_books):
    """Item 4: every drag has a way by one tap; here both directions of a leaf, one after the other."""
    before = in_book(reader, open_books).spread
    for place, spread in (((750, 384), [3, 4]), ((250, 384), before)):
        with reader.settling("book"):
            reader.tap(place)
        assert reader.look().spread == spread


# The focus. A stop is a control at which the Tab key arrives.

TABBABLE = """[...(document.querySelector('dialog[open]') ?? document)
  .querySelectorAll('button, a[href], input, select, textarea, [tabindex]')]
  .filter(one => one.tabIndex >= 0 && !one.disabled && !one.closest('[inert]'))
  .filter(one => one.checkVisibility({ visibilityProperty: true }))
  .filter(one => one.type !== 'radio' || one.checked
    || !document.querySelector(`[name="${one.name}"]:checked`) && one.matches(`:first-of-type`))"""
NAMED = "(one => one.id || one.ariaLabel || one.name || one.className || one.textContent)"
STOP = """(() => {
  const one = document.activeElement
  if (one === null || one === document.body) return null
  const again = __stops.has(one)
  __stops.add(one)
  const label = one.closest('label')
  const hasOutline = node => {
    const { outlineStyle, outlineWidth } = getComputedStyle(node)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
  }
  // A field of text shows the caret, and a line below it.
  const isMarked = one.matches('#finder input, #care input') || [one, label].some(node => node && hasOutline(node))
  const isSeen = (node) => node === null || +getComputedStyle(node).opacity > .9 && isSeen(node.parentElement)
  // Of an element of the stage, the part in the window counts.
  const isStage = one.closest('#stage') !== null
  const middleOf = (from, to, size) => (isStage ? (Math.max(0, from) + Math.min(size, to)) / 2 : (from + to) / 2)
  const { left, right, top, bottom } = one.getBoundingClientRect()
  const middle = document.elementFromPoint(middleOf(left, right, innerWidth), middleOf(top, bottom, innerHeight))
  const isFree = isStage ? middle?.closest('#table') != null : (label ?? one).contains(middle)
  return { name: NAMED(one), again, isMarked, isFree, isSeen: one.matches('.lamps input') || isSeen(one) }
})()""".replace("NAMED", NAMED)


BACK = {"Tab": "Shift+Tab", "Shift+Tab": "Tab"}


def walk(reader, key, start, end):
    """Presses a key until the focus is at the last control, in either direction; returns the stops by name.

    In Firefox a further key would lead out of the page.
    """
    reader.evaluate(
        f"(all => {{ window.__stops = new Set(); window.__end = all.at({end}); all.at({start}).focus() }})({TABBABLE})"
    )
    # A script has moved the focus, so that only keys show it.
    for one in (key, BACK[key]):
        reader.key(one)
    stops = []
    for _ in range(MOST_STOPS):
        stop = reader.evaluate(STOP)
        assert stop is not None, f"the focus is lost after {stops[-1:]}"
        assert not stop["again"], f"the focus returns to {stop['name']}: {stops}"
        assert stop["isMarked"], f"{stop['name']} does not show the focus"
        assert stop["isFree"], f"{stop['name']} has the focus behind something"
        assert stop["isSeen"], f"{stop['name']} has the focus and is hidden"
        stops.append(stop["name"])
        if reader.evaluate("document.activeElement === __end"):
            return stops
        reader.key(key)
    raise AssertionError(f"the focus never arrives: {stops}")


def assert_way_out(reader):
    """Asserts that the Tab key leads from the last control out of the page, or to the first one."""
    reader.evaluate(f"{TABBABLE}.at(-1).focus()")
    reader.key("Tab")
    reader.wait_for(f"!document.hasFocus() || [document.body, {TABBABLE}[0]].includes(document.activeElement)")


def assert_all_reached(reader):
    """Asserts that the Tab key leads to all controls, that the focus can be seen there, and that it leads back."""
    reader.evaluate(CALM)
    reader.wait_for(f"{REST} && document.getAnimations().every(({{ playState }}) => playState !== 'running')")
    stops = walk(reader, "Tab", 0, -1)
    missing = reader.evaluate(f"{TABBABLE}.filter(one => !__stops.has(one)).map({NAMED})")
    assert missing == [], stops
    assert walk(reader, "Shift+Tab", -1, 0) == stops[::-1]


WINDOWS = pytest.mark.parametrize("size", [(1024, 768), (360, 740)], ids=["laptop", "phone"])


@BOTH
@WINDOWS
def test_the_tab_key_leads_to_every_control_and_the_focus_is_seen(reader, books, size):
    """Item 1: no trap. Item 2: the focus is visible and never under a bar. Item 18: no bar hides it."""
    reader.resize(*size)
    reader.open(books.url)
    reader.wait_for(f"{REST} && document.getElementById('upload')?.hidden === false")
    assert_all_reached(reader)
    to_title(reader, books.url, PDF_TITLE)
    reader.wait_for(f"{REST} && document.querySelector('#edit')?.hidden === false")
    assert_all_reached(reader)
    with reader.settling("book"):
        reader.evaluate("void __lectern.app.press('Enter')")
    # The second page and the third one have links.
    with reader.settling("book"):
        reader.evaluate(f"__lectern.app.send(new Uint8Array({list(wire.encode('jump', 1))}))")
    reader.wait_for(f"{REST} && document.querySelector('.hot')")
    assert_all_reached(reader)
    assert_way_out(reader)


SHEETS = {
    "contents": ("#bookbar [aria-label=Contents]", "document.querySelector('dialog .entry')"),
    "search": ("#bookbar [aria-label=Search]", "document.querySelector('dialog [type=search]')"),
    "go to a page": (".place", "document.activeElement.matches('dialog input')"),
    "all pages": (".place", "document.activeElement.matches('dialog input')"),
    "reading view": ("#bookbar [aria-label='Reading view']", "document.querySelector('dialog .flow p')"),
    "settings": ("#bookbar [aria-label='Light and settings']", "document.querySelector('dialog [name=light]')"),
    "share": ("#share", "document.querySelector('.qr img')?.complete"),
}


@BOTH
@WINDOWS
def test_the_tab_key_leads_through_every_sheet_and_escape_out_of_it(reader, books, size):
    """Item 1: no trap. Item 2: the focus is visible and never under a bar."""
    reader.resize(*size)
    open_title(reader, books.url, PDF_TITLE)
    for name, (control, shown) in SHEETS.items():
        click(reader, control)
        reader.wait_for(f"{SHEET} && {shown}")
        if name == "all pages":
            click(reader, "dialog .line")
            reader.wait_for("document.activeElement.matches('.thumb')")
        if name == "search":
            typed(reader, "the")
            reader.wait_for("document.querySelector('dialog .entry')")
        assert_all_reached(reader)
        reader.key("Escape")
        reader.wait_for(f"!({SHEET}) && document.activeElement !== document.body")


# The bars of an open book.

# The bars hide almost at once, and the page counts how often they would.
HASTY = """
  window.__sleeps = 0;
  const wait = window.setTimeout;
  window.setTimeout = (run, ms, ...rest) => (ms === 2800
    ? wait(() => { window.__sleeps += 1; run(); }, 30) : wait(run, ms, ...rest));
"""
OPAQUE = """(() => {
  for (let one = document.activeElement; one !== null; one = one.parentElement) {
    const { opacity, visibility } = getComputedStyle(one)
    if (+opacity < 1 || visibility !== 'visible') return false
  }
  return document.activeElement !== document.body
})()"""


@MOVING
@BOTH_IN_ALL
def test_bars_that_hide_by_themselves_stay_while_they_have_the_focus(reader, open_books):
    """Item 18: auto-hiding bars never hide the focus, at rest and while a leaf turns."""
    reader.before(HASTY)
    in_book(reader, open_books)
    reader.wait_for(f"{REST} && !document.body.classList.contains('awake')")
    reader.evaluate(CALM)
    for control in ("#back", "#bookbar [aria-label=Contents]", ".place"):
        reader.key("Shift")
        reader.evaluate(f"document.querySelector(`{control}`).focus()")
        reader.evaluate("void (window.__sleeps = 0)")
        reader.wait_for(f"__sleeps > 2 && document.activeElement.matches(`{control}`)")
        assert reader.evaluate(OPAQUE), control
        with reader.settling("book"):
            reader.key("PageDown")
            reader.wait_for("document.body.classList.contains('moving')")
            assert reader.evaluate(OPAQUE), control
    reader.evaluate("document.activeElement.blur()")
    reader.wait_for("!document.body.classList.contains('awake')")
    assert camera(reader)[0] == pytest.approx(1, abs=0.01)


@BOTH
def test_a_button_is_tapped_at_once_after_a_swipe(reader, open_books):
    """Chromium takes a tap within a second of a swipe for the end of a fling if the page lets it."""
    in_book(reader, open_books)
    reach(reader, "#bookbar [aria-label=Contents]")
    with reader.settling("book"):
        reader.swipe((720, 384), (520, 384))
    click(reader, "#bookbar [aria-label=Contents]", touch=True)
    reader.wait_for(SHEET)
