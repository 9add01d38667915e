"""The reading view, going to a page, and what is announced of pages."""

import contextlib

import pytest

from bookserver import books, serving  # noqa: F401
from controls import click, open_title, reach, text_of, typed
from fixtures import COMIC_TITLE, LEAD, PDF_TITLE, pdf
from steps import BOTH, BOTH_IN_ALL, in_book, mainly, open_beside
from test_spreads import corrected
from test_text import assert_said, await_words, turn

REST = "__lectern.isReady"
PHONE = {"width": 390, "height": 844}
LONG_PAGES, ROMANS, LONG_TITLE = 2000, 10, "A Long Walk"


# The reading view.

FLOW = "document.querySelector('dialog.reader[open] .flow')"


@BOTH_IN_ALL
def test_the_reading_view_follows_the_book_and_turns_it(browser, reader, open_books, out):
    view = in_book(reader, open_books)
    turn(reader)
    turn(reader)
    reader.key("r")
    reader.wait_for(f"{FLOW}?.textContent.includes('She has no timetable.\\nShe goes')")
    reader.wait_for(f"document.activeElement === {FLOW}")
    assert text_of(reader, "dialog .sub") == "Pages 6–7 of 32"
    reader.screenshot(out / f"reader-{reader.name}.png")
    reader.key("ArrowRight")
    reader.wait_for(f"{REST} && {FLOW}.textContent.includes('At the last bell')")
    assert text_of(reader, "dialog .sub") == "Pages 8–9 of 32"
    click(reader, ".reader [aria-label='Previous page']")
    reader.wait_for(f"{REST} && {FLOW}.textContent.includes('timetable')")
    with contextlib.closing(browser.reader()) as other:
        open_beside(other, reader, open_books.url, view)
        with other.settling("book"):
            other.key("ArrowRight")
        reader.wait_for(f"{FLOW}.textContent.includes('At the last bell')")
    reader.key("Escape")
    reader.wait_for("!document.querySelector('dialog')")
    assert reader.evaluate("__lectern.screen") == "book"


# Keeps the keys that the page presses for the reader from now on.
KEEP_PRESSED = """(press => {
  window.__keys = []
  __lectern.app.press = (key) => {
    __keys.push(key)
    press(key)
  }
})(__lectern.app.press)"""
# A swipe across the text of a phone, to the left.
FROM, TO = (340, 500), (70, 520)


@BOTH
def test_a_swipe_across_the_text_of_a_phone_turns_and_scrolling_and_selecting_do_not(browser, open_books):
    with contextlib.closing(browser.reader(**PHONE)) as reader:
        to_timetable(reader, open_books)
        reader.evaluate(KEEP_PRESSED)
        reader.swipe(FROM, TO)
        reader.wait_for(f"{REST} && document.querySelector('.place').textContent === '7 of 32'"
                        f" && !{FLOW}.textContent.includes('timetable')")
        reader.swipe(TO, FROM)
        reader.wait_for(f"{REST} && {FLOW}.textContent.includes('timetable')")
        reader.swipe((200, 560), (170, 240))
        x, y = reach(reader, ".reader [aria-label='Larger text']")
        reader.swipe((x, y), (x - 150, y))
        reader.evaluate(f"getSelection().selectAllChildren({FLOW}.querySelector('p'))")
        reader.swipe(FROM, TO)
        reader.evaluate("getSelection().removeAllRanges()")
        assert reader.evaluate("__keys") == ["ArrowRight", "ArrowLeft"]
        assert not reader.errors


def test_a_swipe_turns_a_book_from_right_to_left_in_its_own_direction(chromium, books):
    with corrected(books, PDF_TITLE, direction="rtl"), contextlib.closing(chromium.reader(**PHONE)) as reader:
        open_title(reader, books.url, PDF_TITLE)
        place = "document.querySelector('.place').textContent"
        reader.wait_for(f"{REST} && {place} === '1 of 12'")
        reader.key("r")
        reader.wait_for(f"{FLOW}?.textContent.includes('Page 0')")
        names = "[...document.querySelectorAll('.reader .tools>.icon')].map(one => one.ariaLabel)"
        assert reader.evaluate(names) == ["Next page", "Previous page"]
        reader.swipe(TO, FROM)
        reader.wait_for(f"{REST} && {place} === '2 of 12' && {FLOW}.textContent.includes('Page 1')")
        reader.swipe(FROM, TO)
        reader.wait_for(f"{REST} && {place} === '1 of 12'")
        assert not reader.errors


@BOTH_IN_ALL
def test_the_reading_view_keeps_size_and_font(reader, open_books):
    in_book(reader, open_books)
    turn(reader)
    letters = f"(style => [style.fontSize, style.fontFamily])(getComputedStyle({FLOW}))"
    reader.key("r")
    reader.wait_for(f"document.activeElement === {FLOW}")
    assert reader.evaluate(letters)[0] == "20px"
    reader.key("+")
    click(reader, ".reader [aria-label='Larger text']")
    reader.evaluate(
        "(list => { list.value = 'plain'; list.dispatchEvent(new Event('change')) })"
        "(document.querySelector('.reader select'))"
    )
    size, family = reader.evaluate(letters)
    assert size == "27px" and "sans-serif" in family
    reader.open(open_books.url)
    reader.wait_for(f"{REST} && document.querySelector('[aria-keyshortcuts=R]')")
    reader.key("r")
    reader.wait_for(f"document.activeElement === {FLOW}")
    assert reader.evaluate(letters) == [size, family]


def choose_font(reader, font):
    """Chooses a font of the reading view with the keyboard."""
    reader.evaluate("document.querySelector('.reader select').focus()")
    fonts = ["book", "plain", "dyslexic"]
    at = fonts.index(reader.evaluate("document.querySelector('.reader select').value"))
    for _ in range(abs(fonts.index(font) - at)):
        reader.key("ArrowDown" if fonts.index(font) > at else "ArrowUp")
    reader.wait_for(f"{FLOW}.dataset.font === '{font}'")


# The addresses of the loaded fonts, and whether the words are in OpenDyslexic.
LOADED = "performance.getEntriesByType('resource').map(({ name }) => name).filter(name => name.endsWith('.woff2'))"
DYSLEXIC = f"""getComputedStyle({FLOW}.querySelector('p')).fontFamily.startsWith('OpenDyslexic')
  && [...document.fonts].some(({{ family, status }}) => /OpenDyslexic/.test(family) && status === 'loaded')"""


@BOTH_IN_ALL
def test_the_reading_view_has_a_choice_of_fonts_each_loaded_when_it_is_chosen(reader, open_books, out):
    """Item 15: a choice of fonts, OpenDyslexic included."""
    in_book(reader, open_books)
    turn(reader)
    reader.key("r")
    reader.wait_for(f"{FLOW}?.querySelector('p') && document.activeElement === {FLOW}")
    names = "[...document.querySelector('.reader select').options].map(one => one.text)"
    assert reader.evaluate(names) == ["Garamond", "Sans serif", "OpenDyslexic"]
    choose_font(reader, "plain")
    assert not any("OpenDyslexic" in name for name in reader.evaluate(LOADED))
    reader.wait_for(SHOWN)
    reader.screenshot(out / f"reader-sans-{reader.name}.png")
    choose_font(reader, "dyslexic")
    reader.wait_for(DYSLEXIC)
    assert [name for name in reader.evaluate(LOADED) if "OpenDyslexic" in name] == [
        f"{open_books.url}fonts/OpenDyslexic-Regular.woff2"]
    reader.screenshot(out / f"reader-dyslexic-{reader.name}.png")
    reader.open(open_books.url)
    reader.wait_for(f"{REST} && document.querySelector('[aria-keyshortcuts=R]')")
    reader.key("r")
    reader.wait_for(f"{FLOW}?.querySelector('p') && {DYSLEXIC}")
    assert reader.evaluate("document.querySelector('.reader select').value") == "dyslexic"


# WCAG 1.4.12, and a check that nothing is wider than the window.
SPACED = """(() => {
  const rules = 'p, h3 { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important;'
    + ' margin-bottom: 2em !important }'
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(rules)
  document.adoptedStyleSheets = [sheet]
})()"""
WIDE = f"""[...{FLOW}.querySelectorAll('*'), document.querySelector('dialog .tools').lastChild, {FLOW}]
  .filter(one => one.getBoundingClientRect().right > innerWidth + 1
    || (one.localName === 'p' && one.scrollWidth > one.clientWidth + 1))
  .map(one => one.textContent)"""


def to_timetable(reader, open_books):
    """Opens a page with a table in the reading view of a window that shows one page."""
    in_book(reader, open_books)
    reader.wait_for(f"{REST} && document.querySelector('[aria-keyshortcuts=R]')")
    for page in (3, 4, 5, 6):
        reader.key("ArrowRight")
        reader.wait_for(f"{REST} && document.querySelector('.place').textContent === '{page} of 32'")
    reader.key("r")
    reader.wait_for(f"{FLOW}?.textContent.includes('timetable')")


@BOTH_IN_ALL
def test_the_reading_view_fits_a_narrow_window_with_large_and_spaced_letters(browser, open_books, out):
    with contextlib.closing(browser.reader(width=320, height=640)) as reader:
        to_timetable(reader, open_books)
        assert reader.evaluate(f"{FLOW}.querySelectorAll('section').length") == 1
        reader.evaluate(SPACED)
        assert reader.evaluate(WIDE) == []
        for _ in range(12):
            reader.key("+")
        assert reader.evaluate(f"getComputedStyle({FLOW}).fontSize") == "56px"
        assert reader.evaluate(WIDE) == []
        assert reader.evaluate(f"{FLOW}.scrollHeight > {FLOW}.clientHeight")
        reader.screenshot(out / f"reader-narrow-{reader.name}.png")
        assert not reader.errors


# The text spacing of WCAG 1.4.12 for the whole view, and the texts that are cut or outside of the window.
ALL_SPACED = """(() => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('dialog.reader * { line-height: 1.5 !important; letter-spacing: .12em !important;'
    + ' word-spacing: .16em !important } dialog.reader .flow p { margin-bottom: 2em !important }')
  document.adoptedStyleSheets = [sheet]
})()"""
CUT = """[...document.querySelectorAll('dialog.reader :is(h2, .sub, h3, p, button, select)')]
  .filter(one => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter(one => {
    const { left, right, top, bottom } = one.getBoundingClientRect()
    const isScrolled = one.closest('.flow') !== null
    return left < -1 || right > innerWidth + 1 || (!isScrolled && (top < -1 || bottom > innerHeight + 1))
      || (!one.matches('button') && one.scrollWidth > one.clientWidth + 1)
  }).map(one => one.ariaLabel ?? one.textContent)"""
# The width of the chosen font's name, and that of the list's box for it.
CHOSEN = """(list => {
  const { font, letterSpacing, wordSpacing, paddingLeft, paddingRight } = getComputedStyle(list)
  const probe = document.createElement('span')
  Object.assign(probe.style, { position: 'absolute', font, letterSpacing, wordSpacing, whiteSpace: 'pre' })
  probe.textContent = list.selectedOptions[0].text
  list.parentNode.append(probe)
  const { width } = probe.getBoundingClientRect()
  probe.remove()
  return [width, list.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)]
})(document.querySelector('dialog.reader select'))"""
ARROW = 14  # CSS px of a list's arrow
SHOWN = "document.getAnimations().every(({ playState }) => playState !== 'running')"


@BOTH_IN_ALL
@mainly("font", "dyslexic", "book", "plain")
def test_the_reading_view_survives_wide_spacing_in_a_narrow_window(browser, open_books, out, font):
    """Item 14: it reflows at 320 px and survives the text spacing of WCAG 1.4.12, in each font."""
    with contextlib.closing(browser.reader(width=320, height=640)) as reader:
        to_timetable(reader, open_books)
        choose_font(reader, font)
        reader.wait_for("document.fonts.ready.then(() => document.fonts.status === 'loaded')")
        reader.evaluate(ALL_SPACED)
        reader.wait_for(SHOWN)
        assert reader.evaluate(CUT) == []
        width, room = reader.evaluate(CHOSEN)
        assert width <= room - ARROW
        # The text has most of the window.
        assert reader.evaluate(f"{FLOW}.clientHeight") > 320
        reader.screenshot(out / f"reader-spaced-{font}-{reader.name}.png")
        assert not reader.errors


def test_the_reading_view_says_that_pictures_have_no_words(reader, books):
    open_title(reader, books.url, COMIC_TITLE)
    turn(reader)
    reader.key("r")
    reader.wait_for(f"{FLOW}?.textContent.includes('This page is a picture without words.')")


def test_the_reading_view_closes_with_the_book(reader, open_books):
    in_book(reader, open_books)
    reader.key("r")
    reader.wait_for(f"document.activeElement === {FLOW}")
    reader.resize(844, 390)  # The words have most of a low window's height.
    reader.wait_for(f"{FLOW}.clientHeight > .55 * innerHeight")
    reader.evaluate("__lectern.app.press('Escape')")
    reader.wait_for("__lectern.screen === 'shelf' && !document.querySelector('dialog')")


# Going to a page.


@BOTH_IN_ALL
def test_the_place_leads_to_a_page_by_its_number(reader, open_books, out):
    in_book(reader, open_books)
    click(reader, ".place")
    reader.wait_for("document.activeElement.matches('dialog input')")
    reader.wait_for("document.querySelector('dialog .sub').textContent === 'Pages 1 to 32'")
    typed(reader, "33")
    reader.key("Enter")
    reader.wait_for("document.querySelector('dialog .saying').textContent === 'There is no page 33 in this book.'")
    assert reader.evaluate("document.activeElement.ariaInvalid") == "true"
    reader.screenshot(out / f"go-{reader.name}.png")
    with reader.settling("book"):
        typed(reader, "15")
        reader.key("Enter")
    assert reader.look().spread == [13, 14]
    assert not reader.evaluate("!!document.querySelector('dialog')")


@pytest.fixture(scope="module")
def long_book(tmp_path_factory):
    """A server with one document of 2,000 pages, of which the first ten have Roman numbers."""
    folder = tmp_path_factory.mktemp("long")
    shelf = folder / "library" / "Walks"
    shelf.mkdir(parents=True)
    (shelf / "walk.pdf").write_bytes(pdf(LONG_PAGES, LONG_TITLE, romans=ROMANS))
    with serving(folder, 1) as server:
        yield server


def page_of(number):
    """Returns the face of the page with an Arabic number."""
    return number - 1 + ROMANS + LEAD


@BOTH_IN_ALL
def test_a_printed_number_leads_to_its_page(reader, long_book):
    open_title(reader, long_book.url, LONG_TITLE)
    for label, page in (("vii", 6), ("VII", 6), ("120", 119 + ROMANS), ("iii", 2)):
        reader.key("g")
        reader.wait_for("document.activeElement.matches('dialog input')")
        reader.wait_for("document.querySelector('dialog .sub').textContent === 'Pages i to 1990'")
        typed(reader, label)
        reader.key("Enter")
        reader.wait_for(f"!document.querySelector('dialog') && {REST} && [...__lectern.stage.spread]"
                        f".some(({{ content }}) => content.imageURL.includes('/p/{page}/'))")


THUMBS = "[...document.querySelectorAll('.thumb')]"


@BOTH
def test_all_pages_of_a_long_book_are_in_reach_but_not_made_at_once(reader, long_book, out):
    open_title(reader, long_book.url, LONG_TITLE)
    with reader.settling("book"):
        reader.key("ArrowRight")
    click(reader, ".place")
    click(reader, "dialog .line")
    reader.wait_for("document.activeElement.matches('.thumb[aria-current]')")
    assert reader.evaluate("document.activeElement.ariaLabel") == "Page ii"
    current = f"{THUMBS}.filter(one => one.ariaCurrent === 'page').map(one => one.textContent)"
    assert reader.evaluate(current) == ["ii", "iii"]
    assert reader.evaluate(f"{THUMBS}.length") <= 240
    reader.wait_for("document.activeElement.querySelector('img').naturalHeight > 0")
    assert reader.evaluate("document.activeElement.querySelector('img').naturalHeight") <= 300
    reader.wait_for(f"{THUMBS}.slice(0, 18).every(one => one.querySelector('img').naturalHeight > 0)")
    reader.screenshot(out / f"all-pages-{reader.name}.png")
    reader.key("ArrowRight")
    reader.key("ArrowDown")
    assert reader.evaluate("document.activeElement.ariaLabel") == "Page ix"
    reader.key("End")
    reader.wait_for("document.activeElement.ariaLabel === 'Page 1990'")
    box = reader.evaluate(
        "(box => [box.top, box.bottom])(document.activeElement.getBoundingClientRect())"
    )
    assert 0 < box[0] < box[1] < 768
    assert reader.evaluate(f"{THUMBS}.length") <= 300
    with reader.settling("book"):
        reader.key("Enter")
    assert reader.look().spread[0] == page_of(1990)


# The place for assistive technology.

# Keeps what is announced from now on.
SAY = """(live => {
  window.__said = []
  new MutationObserver(() => __said.push(live.textContent))
    .observe(live, { childList: true, characterData: true, subtree: true })
})(document.getElementById('live'))"""


@BOTH_IN_ALL
def test_a_phone_announces_each_page_once(browser, open_books):
    with contextlib.closing(browser.reader(**PHONE)) as reader:
        in_book(reader, open_books)
        reader.wait_for(f"{REST} && document.querySelector('.place')?.textContent === '2 of 32'")
        reader.evaluate(SAY)
        for page in (3, 4, 5):
            reader.key("ArrowRight")
            reader.wait_for(f"{REST} && document.querySelector('.place').textContent === '{page} of 32'")
            reader.wait_for(f"__said.at(-1) === 'Page {page} of 32'")
        assert reader.evaluate("__said") == [f"Page {page} of 32" for page in (3, 4, 5)]
        assert reader.evaluate("document.querySelector('.place').ariaLabel") == "Page 5 of 32. Go to a page"
        assert not reader.errors


def test_with_reduced_motion_the_new_pages_have_words_and_are_announced_once(chromium, open_books):
    with contextlib.closing(chromium.reader(moves=False)) as reader:
        in_book(reader, open_books)
        await_words(reader)
        reader.evaluate(SAY)
        for page in (4, 6):
            reader.key("ArrowRight")
            reader.wait_for(f"__said.at(-1) === 'Pages {page}–{page + 1} of 32' && {REST}")
            assert_said(reader)
            assert reader.evaluate("__lectern.stage.spread.every(({ root }) => !root.inert)")
        assert len(reader.evaluate("__said.filter(one => !one.startsWith('Pages 2'))")) == 2  # they may come late
        assert not reader.errors


@BOTH_IN_ALL
def test_the_fore_edge_is_a_slider_that_names_the_place(reader, open_books):
    in_book(reader, open_books)
    reader.wait_for("document.querySelector('.fore')?.ariaValueText === 'Pages 2–3 of 32'")
    turn(reader)
    slider = reader.evaluate(
        "(one => [one.role, one.ariaLabel, one.ariaValueMin, one.ariaValueNow, one.ariaValueText])"
        "(document.querySelector('.fore'))"
    )
    assert slider[:3] == ["slider", "Page", "0"] and slider[4] == "Pages 4–5 of 32"
