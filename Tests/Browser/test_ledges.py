"""The list of shelves: its spines use the page's fonts, and the bar covers no ledge."""

import pytest

from bookserver import serving
from controls import click, open_title, typed
from fixtures import comic
from steps import BOTH, BOTH_IN_ALL

SPINES = "[...document.querySelectorAll('.ledge svg text')]"
# The number of spines that have not stepped back.
SEEN = """[...document.querySelectorAll('.ledge')].filter(one => one.style.visibility === 'visible')
  .flatMap(one => [...one.querySelectorAll('svg>g:has(text)')])
  .filter(one => +getComputedStyle(one).opacity > .5).length"""
# The elements under the points of the bar between its texts.
UNDER_BAR = """(() => {
  const bar = document.getElementById('top').getBoundingClientRect()
  return [...document.querySelectorAll('.ledge')].filter(ledge => ledge.style.visibility === 'visible')
    .map(ledge => ledge.querySelector('svg rect').getBoundingClientRect().top - bar.bottom)
})()"""
COVERED = """getComputedStyle(document.getElementById('top'), '::before').backgroundImage.includes('gradient')"""


@BOTH_IN_ALL
def test_spines_use_the_fonts_of_the_page(reader, server):
    reader.open(server.url)
    reader.wait_for(f"{SPINES}.length > 8")
    families = reader.evaluate(f"{SPINES}.map(text => getComputedStyle(text).fontFamily)")
    assert all("EB Garamond" in family.split(",")[0] for family in families), families
    assert reader.evaluate("document.fonts.check('16px \"EB Garamond\"')")
    assert reader.evaluate("[...document.querySelectorAll('.ledge img')].every(image => image.hidden)")


@BOTH_IN_ALL
def test_spines_that_a_search_does_not_find_step_back_until_it_ends(reader, server):
    reader.open(server.url)
    reader.wait_for(f"{SPINES}.length > 8 && {SEEN} === {SPINES}.length")
    every = reader.evaluate(SEEN)
    reader.key("f")
    typed(reader, "erry")
    reader.wait_for(f"__lectern.caption.filter === 'ferry' && __lectern.isReady && {SEEN} === 1")
    # The one that is found can be tapped, and no other.
    assert reader.evaluate("[...document.querySelectorAll('.spine')].map(one => one.title)") == ["The Night Ferry"]
    reader.open(server.url)
    reader.wait_for(f"__lectern.caption.filter === 'ferry' && __lectern.isReady && {SEEN} === 1")
    reader.evaluate("document.querySelector('#finder input').focus()")
    reader.key("Escape")
    reader.wait_for(f"__lectern.caption.filter === '' && __lectern.isReady && {SEEN} === {every}")
    reader.wait_for("document.querySelectorAll('.spine').length > 8")


@BOTH_IN_ALL
def test_the_bar_covers_no_ledge(reader, server):
    reader.open(server.url)
    reader.wait_for(f"{SPINES}.length > 8 && document.getElementById('join')")
    assert min(reader.evaluate(UNDER_BAR)) >= 0
    assert reader.evaluate(COVERED)


# Answers what a library says about its imports: what the page puts into `imports`.
IMPORTS = """self.imports = {done: 812, total: 2000}; const real = self.fetch
self.fetch = (address, ...rest) => `${address}`.includes('/api/imports')
  ? Promise.resolve(Response.json(self.imports)) : real(address, ...rest)"""


@BOTH_IN_ALL
def test_the_bar_says_how_many_books_have_come_in_until_none_waits(reader, server):
    reader.before(IMPORTS)
    reader.open(server.url)
    reader.wait_for("document.querySelector('#imports:not([hidden])')?.textContent === '812 of 2,000 books'")
    reader.evaluate("self.imports = {done: 1999, total: 2000}")
    reader.wait_for("document.querySelector('#imports').textContent === '1,999 of 2,000 books'")
    reader.evaluate("self.imports = {done: 0, total: 0}")
    reader.wait_for("document.querySelector('#imports').hidden")


@BOTH_IN_ALL
def test_numbers_of_contents_are_not_cut(reader, server):
    open_title(reader, server.url, "The Night Ferry")
    click(reader, "#bookbar [aria-label=Search]")
    reader.wait_for("document.activeElement.matches('[type=search]')")
    typed(reader, "ferry")
    reader.wait_for("document.querySelectorAll('.hits .entry').length > 3")
    cut = reader.evaluate(
        "[...document.querySelectorAll('.hits .entry')].map(entry => {"
        " const [line, number] = [entry.getBoundingClientRect(), entry.querySelector('i')];"
        " const box = number.getBoundingClientRect();"
        " return number.scrollWidth <= Math.ceil(box.width) && box.right <= line.right })"
    )
    assert all(cut), cut
    # The page numbers of the list are those of the sample book.
    click(reader, ".hits li:nth-child(2) .entry")
    reader.wait_for("document.querySelector('.over .mark')")


@pytest.fixture(scope="module")
def full_ledge(tmp_path_factory):
    """A server with a ledge that is full of spines."""
    folder = tmp_path_factory.mktemp("full")
    shelf = folder / "library" / "Comics"
    shelf.mkdir(parents=True)
    for number in range(30):
        comic(shelf / f"Comic {number:02}.cbz", 2, str(number))
    with serving(folder, 30) as server:
        yield server


LAST = "document.querySelector('.ledge .spine:last-child')"


@BOTH
def test_a_ledge_scrolls_sideways_on_a_phone(reader, full_ledge):
    reader.resize(390, 844)
    reader.open(full_ledge.url)
    reader.wait_for(f"{LAST} && __lectern.isReady")
    reader.wait_for("document.querySelector('.ledge svg')")
    row, box = "document.querySelector('.ledge>.face')", "getBoundingClientRect()"
    left, top, right, height = reader.evaluate(f"(box => [box.left, box.top, box.right, box.height])({row}.{box})")
    assert 150 < left < 200 and abs(right - 390) < 1
    assert reader.evaluate(f"{LAST}.{box}.left") > 390
    name = reader.evaluate(f"document.querySelector('.wall').{box}.left")
    middle = top + height / 2
    if reader.name == "chromium":
        for _ in range(4):
            reader.drag((360, middle), (190, middle), touch=True)
    else:
        # The touches of Marionette do not reach what scrolls in Firefox.
        assert reader.evaluate(f"getComputedStyle({row}).touchAction") == "pan-x"
        reader.evaluate(f"{row}.scrollLeft = 1000")
    reader.wait_for(f"{LAST}.{box}.right <= 391 && __lectern.isReady")
    # The name stays, and the list has not taken the drag for its own.
    assert reader.evaluate(f"document.querySelector('.wall').{box}.left") == name
    assert reader.evaluate("__lectern.screen") == "collections"
    title = reader.evaluate(f"{LAST}.title")
    spot = reader.evaluate(f"(box => [box.left + box.width / 2, box.top + box.height / 2])({LAST}.{box})")
    with reader.settling("shelf"):
        reader.tap(spot)
    reader.wait_for(f"__lectern.caption.title === '{title}'")
