"""Books from files: contents, search, links, finding a book, and correcting its record."""

from controls import caption, click, open_title, reach, text_of, to_title, typed
from fixtures import (
    CHAPTERS,
    COMIC_TITLE,
    INNER_LINK,
    INNER_TARGET,
    LEAD,
    OUTER_ADDRESS,
    OUTER_LINK,
    PDF_TITLE,
    RARE_PAGE,
    RARE_WORD,
)
from steps import BOTH, BOTH_IN_ALL

# A drag that starts on a link and turns a leaf, since it covers more than half of the stage's width.
FAR_LEFT = (30, 384)


def open_at_links(reader, url):
    """Opens the PDF at its first spread of two pages, which has its links."""
    open_title(reader, url, PDF_TITLE)
    with reader.settling("book"):
        reader.key("ArrowRight")
    assert reader.look().spread == [1 + LEAD, 2 + LEAD]
    return reader.look()


def faces(page):
    """Returns the spread of the PDF that shows a page with an odd number, as indices of elements."""
    return [page + LEAD, page + 1 + LEAD]


# Contents and the fore-edge.


def test_a_document_is_read_from_its_first_page_along_the_fore_edge_to_the_back_board(reader, books):
    look = open_title(reader, books.url, PDF_TITLE)
    assert look.spread == [1, 2]
    assert caption(reader)["detail"] == "Page 1 of 12" and caption(reader)["page"] == 0
    page = "[data-kind=page][data-index='2']"
    reader.wait_for(f"document.querySelector(\"{page} .over .text\")?.textContent.includes('Page 0')")
    assert reader.evaluate(f"document.querySelector(\"{page} img\").alt") == "Page 1"
    assert reader.evaluate("document.querySelector('.fore').ariaValueText") == "Page 1 of 12"

    assert reader.evaluate("document.querySelector('.fore').ariaValueMax") == "6"
    _, y = reach(reader, ".fore")
    left, right = reader.evaluate(
        "(box => [box.left, box.right])(document.querySelector('.fore').getBoundingClientRect())"
    )
    reader.press([(left + 20, y)])
    reader.move([(left + 0.65 * (right - left), y)], 12)
    assert text_of(reader, ".preview").startswith("Pages 8–9. Of wet walls")
    with reader.settling("book"):
        reader.lift()
    assert reader.look().spread == faces(7)
    assert reader.evaluate("document.querySelector('.fore').ariaValueText") == "Pages 8–9 of 12"

    with reader.settling("book"):
        reader.key("End")
    assert reader.look().spread == [11 + LEAD, None]
    board = "document.querySelector('[data-kind=board]')"
    assert reader.evaluate(f"{board}.style.visibility") == "visible"
    # The board is on the right, as large as the pages, and has the colour of the other board.
    box, page = reader.evaluate(
        f"[{board}, document.querySelector(\"[data-index='13']\")].map(e => [e.offsetWidth, e.offsetHeight])"
    )
    assert box == page
    assert reader.evaluate(f"{board}.getBoundingClientRect().left >= innerWidth / 2 - 1")


def test_the_contents_lead_to_a_chapter_by_a_click_and_by_keys(reader, books):
    open_at_links(reader, books.url)
    click(reader, "#bookbar [aria-label=Contents]")
    reader.wait_for("document.activeElement.matches('.entry[aria-current]')")
    titles = reader.evaluate("[...document.querySelectorAll('.entry span')].map(e => e.textContent)")
    assert titles == [title for _, title, _ in CHAPTERS]
    assert text_of(reader, ".entry[aria-current] span") == "Before we begin"
    reader.key("ArrowDown")
    reader.key("ArrowDown")
    with reader.settling("book"):
        reader.key("Enter")
    assert reader.look().spread == faces(9)
    assert not reader.evaluate("!!document.querySelector('dialog')")

    click(reader, "#bookbar [aria-label=Contents]")
    with reader.settling("book"):
        click(reader, ".entries li:nth-child(2) .entry")
    assert reader.look().spread == faces(7)
    assert not reader.evaluate("!!document.querySelector('dialog')")

    click(reader, "#bookbar [aria-label=Contents]")
    reader.wait_for("document.querySelector('.entry[aria-current]')")
    frame = reader.look().frame
    reader.key("Escape")
    reader.wait_for("!document.querySelector('dialog')")
    assert reader.look().frame == frame, "Escape closes the sheet, and not the book"
    with reader.settling("shelf"):
        reader.key("Escape")


# Search.

SAID = "document.querySelector('.saying').textContent === '{}'"


def searched(reader, word):
    """Opens the search of the book, and types a word."""
    click(reader, "#bookbar [aria-label=Search]")
    reader.wait_for("document.activeElement.matches('[type=search]')")
    typed(reader, word)


@BOTH_IN_ALL
def test_a_search_in_the_book_leads_to_the_result_and_marks_it(reader, books):
    open_title(reader, books.url, PDF_TITLE)
    searched(reader, "walrus")
    reader.wait_for(SAID.format("Nothing in this book says “walrus”"))
    reader.evaluate("document.activeElement.select()")
    typed(reader, RARE_WORD)
    reader.wait_for("document.querySelectorAll('.hits .entry').length === 1")
    assert text_of(reader, ".hits mark") == RARE_WORD
    with reader.settling("book"):
        click(reader, ".hits .entry")
    assert reader.look().spread == faces(RARE_PAGE)
    page = f"[data-kind=page][data-index='{RARE_PAGE + LEAD}']"
    reader.wait_for(f"document.querySelector(\"{page} .mark\")")
    box = reader.evaluate(
        f"(m => [m.offsetLeft, m.offsetTop, m.offsetWidth])"
        f"(document.querySelector(\"{page} .mark\"))"
    )
    width, height = reader.evaluate(
        f"(p => [p.offsetWidth, p.offsetHeight])(document.querySelector(\"{page}\"))"
    )
    assert 0.3 < box[0] / width < 0.8
    assert 0.15 < box[1] / height < 0.3
    assert 10 < box[2] < 100


def test_a_search_in_a_book_of_pictures_says_why_it_finds_nothing_and_one_in_all_books_opens_another(reader, books):
    open_title(reader, books.url, COMIC_TITLE)
    searched(reader, RARE_WORD)
    reader.wait_for(SAID.format("This book has no words to search: its pages are pictures"))
    click(reader, ".scopes label:last-child")
    reader.wait_for("document.querySelectorAll('.hits .entry').length === 1")
    assert text_of(reader, ".hits em") == PDF_TITLE
    with reader.settling("book"):
        click(reader, ".hits .entry")
    reader.wait_for(f"__lectern.caption.title === '{PDF_TITLE}' && __lectern.isReady")
    assert caption(reader)["page"] == RARE_PAGE


# Presses F3 twice back and twice on, Enter back, and F3 back, all at once.
PRESS = """[['F3', true], ['F3', true], ['F3'], ['F3'], ['Enter', true], ['F3', true]]
  .map(([key, shiftKey]) => new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }))
  .forEach(event => document.activeElement.dispatchEvent(event))"""
POSITION = "document.querySelector('#matches:not([hidden]) [role=status]')?.textContent"
# The pages in the window, and the one whose matches stand out.
MARKED = """[...document.querySelectorAll('#stage .el:has(.mark)')].filter(one => one.style.visibility === 'visible')
  .map(one => [Number(one.dataset.index), one.querySelector('.mark.here') !== null])"""


@BOTH_IN_ALL
def test_keys_and_controls_lead_from_one_match_to_the_next(reader, books, out):
    open_title(reader, books.url, PDF_TITLE)
    searched(reader, "lady")
    reader.wait_for(SAID.format("One title, 12 places"))
    with reader.settling("book"):
        click(reader, ".hits li:nth-child(4) .entry")
    reader.wait_for(f"{POSITION} === '3 of 12'")

    def stands_out(page):
        reader.wait_for(f"JSON.stringify({MARKED}.filter(([, stands]) => stands)) === '[[{page + LEAD},true]]'")

    stands_out(2)
    reader.screenshot(out / f"matches-{reader.name}.png")
    with reader.settling("book"):
        reader.key("Enter")
    reader.wait_for(f"{POSITION} === '4 of 12'")
    assert reader.look().spread == faces(3)
    # The other page of the same spread: only the mark moves on.
    reader.key("F3")
    reader.wait_for(f"{POSITION} === '5 of 12'")
    stands_out(4)
    assert reader.look().spread == faces(3)
    with reader.settling("book"):
        click(reader, "#matches [aria-label='Next place']")
    # However fast the steps are, each counts.
    reader.evaluate(PRESS)
    reader.wait_for(f"{POSITION} === '4 of 12' && __lectern.caption.page === 3 && __lectern.isReady")
    # A reader who turns on continues from there.
    for _ in range(2):
        with reader.settling("book"):
            reader.key("ArrowRight")
    click(reader, "#matches [aria-label='Next place']")
    reader.wait_for(f"{POSITION} === '8 of 12' && __lectern.isReady")
    reader.key("Escape")
    reader.wait_for("document.querySelector('#matches').hidden && !document.querySelector('.mark')")
    assert reader.look().screen == "book", "the first Escape ends the search"
    with reader.settling("shelf"):
        reader.key("Escape")


def test_enter_goes_to_the_first_match_and_titles_are_found(reader, books):
    open_title(reader, books.url, COMIC_TITLE)
    searched(reader, "ferns")
    click(reader, ".scopes label:last-child")
    reader.wait_for(SAID.format("One title"))
    assert text_of(reader, ".hits em") == PDF_TITLE
    reader.evaluate("document.querySelector('dialog [type=search]').focus()")
    reader.evaluate("document.activeElement.select()")
    typed(reader, RARE_WORD)
    reader.key("Enter")
    reader.wait_for(f"{POSITION} === '1 of 1' && __lectern.caption.title === '{PDF_TITLE}' && __lectern.isReady")
    assert caption(reader)["page"] == RARE_PAGE
    # The title of a chapter leads to its first page.
    searched(reader, "wet walls")
    reader.wait_for(SAID.format("One title"))
    with reader.settling("book"):
        click(reader, ".hits .entry")
    assert reader.look().spread == faces(7)
    with reader.settling("shelf"):
        reader.key("Escape")
    assert reader.evaluate("document.querySelector('#matches').hidden")


# Links.


@BOTH
def test_a_link_asks_first_or_leads_to_its_page_by_a_tap_and_lets_a_leaf_be_dragged(reader, books):
    before = open_at_links(reader, books.url)
    click(reader, f".hot[aria-label='{OUTER_LINK}']", touch=True)
    reader.wait_for("document.querySelector('dialog[open] h2')")
    assert text_of(reader, "dialog h2") == "This page wants to open example.org"
    link = reader.evaluate(
        "(a => [a.href, a.rel, a.target])(document.querySelector('dialog a.key'))"
    )
    assert link == [OUTER_ADDRESS, "noopener noreferrer", "_blank"]
    click(reader, "dialog .plain")
    reader.wait_for("!document.querySelector('dialog')")
    assert reader.look().spread == before.spread

    with reader.settling("book"):
        reader.drag(reach(reader, f".hot[aria-label='{INNER_LINK}']"), FAR_LEFT)
    assert reader.look().spread == faces(3), "a drag that begins on a link turns the leaf"

    with reader.settling("book"):
        reader.key("ArrowLeft")
    with reader.settling("book"):
        click(reader, f".hot[aria-label='{INNER_LINK}']", touch=True)
    assert caption(reader)["page"] == INNER_TARGET, "a tap on a link leads to its page alone"


# Finding a book.


def test_typing_filters_the_shelves_and_enter_goes_to_the_book_found(reader, books):
    reader.open(books.url)
    typed(reader, "geese")
    reader.wait_for("__lectern.caption.filter === 'geese' && __lectern.isReady")
    assert len(reader.look().of("collection")) >= 1
    reader.wait_for("document.querySelectorAll('.found .entry').length === 2")
    assert text_of(reader, ".found li:last-child") == "Search all pages for “geese”"
    reader.key("Escape")
    reader.wait_for("__lectern.caption.filter === ''")
    typed(reader, "walrus")
    reader.wait_for(
        "document.querySelector('#empty:not([hidden]) h2')?.textContent"
        " === 'No book matches “walrus”'"
    )
    reader.key("Escape")
    reader.wait_for("document.querySelector('#empty').hidden")

    typed(reader, "two")
    reader.wait_for(f"document.querySelector('.found .entry span')?.textContent === '{COMIC_TITLE}'")
    with reader.settling("shelf"):
        reader.key("Enter")
    reader.wait_for(f"__lectern.caption.title === '{COMIC_TITLE}' && __lectern.caption.filter === ''")

    click(reader, "#find")
    reader.wait_for("document.querySelector('#finder select')")
    reader.evaluate(
        "(list => { list.value = '1'; list.dispatchEvent(new Event('change')) })"
        "(document.querySelector('#finder select'))"
    )
    reader.wait_for("__lectern.caption.order === 1")


@BOTH
def test_enter_opens_the_book_that_was_found_and_the_one_that_was_closed(reader, books):
    reader.open(books.url)
    reader.evaluate("document.querySelector('#find').focus()")
    reader.key("Enter")
    reader.wait_for("document.activeElement.matches('#finder input') && __lectern.isReady")
    for letter in "two":
        reader.key(letter)
    reader.wait_for(f"document.querySelector('.found .entry span')?.textContent === '{COMIC_TITLE}'")
    with reader.settling("shelf"):
        reader.key("Enter")
    with reader.settling("book"):
        reader.key("Enter")
    assert caption(reader)["title"] == COMIC_TITLE
    reader.evaluate("document.querySelector('#back').focus()")
    with reader.settling("shelf"):
        reader.key("Enter")
    with reader.settling("book"):
        reader.key("Enter")
    assert caption(reader)["title"] == COMIC_TITLE


# Correcting.


def test_a_title_and_the_paper_stock_are_corrected(reader, books):
    to_title(reader, books.url, COMIC_TITLE)
    for title, stock in (("Three Geese", "card"), ("Three Geese", "board"), (COMIC_TITLE, "paper")):
        correct(reader, title, stock)
        reader.wait_for(f"__lectern.caption.title === '{title}' && __lectern.isReady")
        assert told_stock(reader) == stock


def correct(reader, title, stock):
    """Opens the sheet of the middle book, checks its paper stock, and chooses another title and stock."""
    before = told_stock(reader)
    click(reader, "#edit")
    reader.wait_for("document.querySelector('.form select')")
    found = "[...document.querySelectorAll('.field')].find(one => one.textContent.startsWith('Paper'))"
    assert reader.evaluate(f"[...{found}.querySelectorAll('option')].map(one => one.text)") == [
        "Paper", "Card", "Board",
    ]
    assert reader.evaluate(f"{found}.querySelector('select').value") == before
    reader.evaluate(f"{found}.querySelector('select').value = '{stock}'")
    reader.evaluate(f"document.querySelector('.form input').value = '{title}'")
    click(reader, ".form .key")
    reader.wait_for("!document.querySelector('dialog')")


def told_stock(reader):
    """Returns the paper stock of the middle book, as the server tells it."""
    book = caption(reader)["book"]
    return reader.evaluate(f"fetch('/api/books/{book}').then(told => told.json()).then(book => book.stock)")
