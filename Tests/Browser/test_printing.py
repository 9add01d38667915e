"""The open book on paper."""

import re

from company import hosted, join
from controls import click, open_title, press, text_of
from fixtures import COMIC_PAGES, COMIC_TITLE

# Notes what is on the sheets whenever something is printed, and prints nothing.
NOTE = """(window.__printed = [], window.print = () => ['beforeprint', 'afterprint'].forEach(name => {
  dispatchEvent(new Event(name))
  __printed.push([...document.querySelectorAll('#sheets img')].map(image =>
    [new URL(image.src).pathname.replace(/.*[/]p/, ''), image.complete && image.naturalWidth > 0]))
}))"""


PRESS_P = (
    "void document.dispatchEvent(new KeyboardEvent('keydown',"
    " { key: 'p', ctrlKey: true, bubbles: true, cancelable: true }))"
)
OPEN = "document.querySelector('dialog[open] form [type=submit]') === document.activeElement"
SAID = "dialog .saying"


def open_choice(reader):
    """Opens the sheet on which pages are chosen, as Ctrl+P does."""
    reader.evaluate(NOTE)
    reader.evaluate(PRESS_P)
    reader.wait_for(OPEN)


def choose(reader, first, last):
    """Chooses a range of pages by their printed numbers, and prints it."""
    for number, value in enumerate((first, last)):
        field = f"document.querySelectorAll('dialog input[type=text]')[{number}]"
        reader.evaluate(f"void ({field}.value = '{value}', {field}.dispatchEvent(new Event('input')))")
    press(reader, "Print", "dialog")


def sheets(pdf):
    """Returns the number of sheets of a PDF."""
    return len(re.findall(rb"/Type /Page\b", pdf))


def test_the_visible_pages_are_printed_each_on_a_sheet_of_its_own(reader, books):
    open_title(reader, books.url, COMIC_TITLE)
    for address, count in (("p/3/", 1), ("p/4/", 2)):
        with reader.settling("book"):
            reader.key("ArrowRight")
        # A wide page is on both sides of the spread, and on one sheet.
        assert address in reader.evaluate("__lectern.stage.spread[0].content.imageURL")
        assert sheets(reader.page.pdf()) == count
    open_choice(reader)
    reader.key("Enter")
    reader.wait_for("__printed.length === 2")
    assert reader.evaluate("__printed") == [[["/4/zoom", True], ["/5/zoom", True]], []]
    reader.wait_for("!document.querySelector('dialog')")


def test_a_range_is_printed_in_the_order_of_the_book_once_all_its_pages_are_loaded(reader, books):
    open_title(reader, books.url, COMIC_TITLE, 4)
    click(reader, "#bookbar [aria-label=Print]")
    reader.wait_for(OPEN)
    reader.evaluate(NOTE)
    numbers = "[...document.querySelectorAll('dialog input[type=text]')].map(({ value }) => value)"
    assert reader.evaluate(numbers) == ["5", str(COMIC_PAGES)]
    choose(reader, 1, 999)
    reader.wait_for("document.querySelector('dialog .fault')")
    assert text_of(reader, SAID) == "There is no page 999 in this book."
    choose(reader, 6, 2)
    reader.wait_for("__printed.length === 2")
    assert reader.evaluate("__printed[0]") == [[f"/{page}/zoom", True] for page in range(1, 6)]
    reader.wait_for("!document.querySelector('dialog')")


def test_a_page_that_cannot_be_loaded_is_named_and_a_print_that_waits_can_be_cancelled(reader, books):
    open_title(reader, books.url, COMIC_TITLE)
    held = []
    reader.page.route("**/p/6/zoom*", lambda route: held.append(route))
    for ends_it in (lambda: press(reader, "Cancel", "dialog"), lambda: held.pop().abort()):
        open_choice(reader)
        choose(reader, 3, 7)
        reader.wait_for("document.querySelector('dialog progress')?.value === 4")
        assert text_of(reader, SAID) == "4 of 5 pages are ready"
        ends_it()
        reader.wait_for("!document.querySelector('dialog progress')")
    assert text_of(reader, SAID) == (
        "Page 7 could not be loaded, so nothing was printed. Try again in a moment."
    )
    assert reader.evaluate("__printed") == []
    reader.page.unroute("**/p/6/zoom*")
    press(reader, "Print", "dialog")
    reader.wait_for("__printed.length === 2 && __printed[0].length === 5")
    reader.errors.clear()


def test_a_guest_prints_the_pages_that_are_shown(reader, server, open_books):
    with hosted(server, open_books) as host:
        join(reader, server, host)
        reader.ready()
        reader.evaluate(NOTE)
        reader.evaluate(PRESS_P)
        reader.wait_for("__printed.length === 2")
        assert len(reader.evaluate("__printed[0]")) in (1, 2)
        reader.wait_for("!document.querySelector('dialog')")


def test_a_phone_prints_the_page_that_it_shows_and_no_part_of_the_table(reader, books):
    reader.resize(390, 844)
    open_title(reader, books.url, COMIC_TITLE, 4)
    reader.page.emulate_media(media="print")
    reader.evaluate("void dispatchEvent(new Event('beforeprint'))")
    assert reader.evaluate("document.querySelectorAll('#sheets img').length") == 1
    shown = "[...document.body.children].filter(one => one.getClientRects().length > 0).map(one => one.id)"
    assert reader.evaluate(shown) == ["sheets"]
    assert reader.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    reader.evaluate("void dispatchEvent(new Event('afterprint'))")
    reader.page.emulate_media(media="screen")
    assert "table" in reader.evaluate(shown)


def test_without_an_open_book_the_browser_prints_as_it_does_everywhere(reader, books):
    open_title(reader, books.url, COMIC_TITLE)
    with reader.settling("shelf"):
        reader.key("Escape")
    reader.evaluate(
        "addEventListener('keydown', (event) => { document.documentElement.dataset.prevented ="
        " event.defaultPrevented })"
    )
    reader.evaluate(PRESS_P)
    assert reader.evaluate("document.documentElement.dataset.prevented") == "false"
