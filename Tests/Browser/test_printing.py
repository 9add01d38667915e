"""The open book on paper."""

import re

from controls import open_title
from fixtures import COMIC_TITLE

# Notes what is on the sheets whenever something is printed, and prints nothing.
NOTE = """(window.__printed = [], window.print = () => ['beforeprint', 'afterprint'].forEach(name => {
  dispatchEvent(new Event(name))
  __printed.push([...document.querySelectorAll('#sheets img')].map(image =>
    [new URL(image.src).pathname.replace(/.*[/]p/, ''), image.complete && image.naturalWidth > 0]))
}))"""


def sheets(pdf):
    """Returns the number of sheets of a PDF."""
    return len(re.findall(rb"/Type /Page\b", pdf))


def test_the_visible_pages_are_printed_each_on_a_sheet_of_its_own(reader, books):
    open_title(reader, books.url, COMIC_TITLE)
    for address, count in (("p/3/", 1), ("p/4/", 2)):
        with reader.settling("book"):
            reader.key("ArrowRight")
        # A wide page is on both sides of the spread, and on one sheet.
        assert address in reader.evaluate("__lectern.view.stage.spread[0].content.imageURL")
        assert sheets(reader.page.pdf()) == count
    reader.evaluate(NOTE)
    reader.evaluate(
        "void document.dispatchEvent(new KeyboardEvent('keydown', { key: 'p', ctrlKey: true, bubbles: true }))"
    )
    reader.wait_for("__printed.length === 2")
    assert reader.evaluate("__printed") == [[["/4/zoom", True], ["/5/zoom", True]], []]


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
    reader.evaluate(
        "void document.dispatchEvent(new KeyboardEvent('keydown',"
        " { key: 'p', ctrlKey: true, bubbles: true, cancelable: true }))"
    )
    assert reader.evaluate("document.documentElement.dataset.prevented") == "false"
