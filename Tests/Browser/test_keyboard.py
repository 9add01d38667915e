"""The page for the keyboard and for assistive technology."""

import pytest

from chromium import ChromiumReader
from controls import click
from firefox import Firefox
from steps import BOTH, BOTH_IN_ALL, LEFT, RIGHT, in_book, to_shelf

FOCUS = "(one => one && [one.dataset.kind ?? one.id, +(one.dataset.index ?? -1)])(document.activeElement)"
SEEN = "[...document.querySelectorAll('#stage .el[data-kind]')].filter(one => one.style.visibility === 'visible')"
TOLD = f"{SEEN}.filter(one => !one.inert).map(one => +one.dataset.index)"
ON_TABLE = "document.activeElement === document.getElementById('table')"
FORCED = {"ui.useAccessibilityTheme": 1, "browser.display.document_color_use": 2}


def focused(reader, kind, index):
    """Waits until an element of the stage has the focus and shows it."""
    reader.wait_for(
        f"__lectern.isReady && JSON.stringify({FOCUS}) === '[\"{kind}\",{index}]'"
        " && document.activeElement.matches(':focus-visible')"
    )


@BOTH
def test_keys_lead_from_the_list_into_a_book_and_back_with_a_visible_focus(reader, server):
    reader.open(server.url)
    reader.key("ArrowDown")
    focused(reader, "collection", 1)
    reader.key("ArrowUp")
    focused(reader, "collection", 0)
    with reader.settling("shelf"):
        reader.key("Enter")
    reader.key("ArrowRight")
    focused(reader, "cover", 1)
    with reader.settling("book"):
        reader.key("Enter")
    reader.wait_for(ON_TABLE)
    with reader.settling("shelf"):
        reader.key("Escape")
    focused(reader, "cover", 1)


@BOTH
def test_the_focus_is_never_lost(reader, server):
    to_shelf(reader, server.url)
    reader.evaluate("document.getElementById('open').focus()")
    with reader.settling("book"):
        reader.key("Enter")
    reader.wait_for(ON_TABLE)
    # The control that had the focus before the sheet disappears while the sheet is open.
    open_and_hide(reader, "Contents")
    reader.key("Escape")
    reader.wait_for(f"!document.querySelector('dialog') && {ON_TABLE}")

    # A key right after a sheet has closed turns the page.
    open_and_hide(reader, "Search")
    with reader.settling("book"):
        # Both keys arrive before the page is drawn again.
        reader.evaluate(
            "void ['Escape', 'ArrowRight'].forEach((key) => document.activeElement.dispatchEvent("
            "new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })))"
        )
    assert reader.look().spread == [3, 4]


def open_and_hide(reader, sheet):
    """Opens a sheet of the open book, and hides the control that has opened it."""
    control = f"#bookbar [aria-label={sheet}]"
    click(reader, control)
    reader.wait_for("document.querySelector('dialog[open]')?.contains(document.activeElement) && __lectern.isReady")
    reader.evaluate(f"void (document.querySelector('{control}').hidden = true)")


def test_a_screen_reader_chooses_a_shelf_and_a_book_by_a_click(reader, server):
    reader.open(server.url)
    reader.wait_for(f"{TOLD}.length === 3")
    names = reader.evaluate(f"{SEEN}.map(one => [one.getAttribute('role'), one.ariaLabel])")
    assert all(role == "button" and "book" in name for role, name in names), names
    shelf = names[0][1].partition(".")[0]
    assert reader.evaluate("document.getElementById('open').ariaLabel") == f"Open {shelf}"
    with reader.settling("shelf"):
        reader.evaluate(f"{SEEN}[1].click()")
    assert reader.evaluate("__lectern.caption.heading") == "Reading room"

    # The document is in reading order, also after what is shown has changed.
    for key in ("End", "Home", "End", "Home"):
        with reader.settling("shelf"):
            reader.key(key)
        assert reader.evaluate(f"(all => all.length > 1 && all.every((n, k) => k === 0 || all[k - 1] < n))({TOLD})")
    assert reader.evaluate(
        "!!(document.getElementById('top').compareDocumentPosition(document.getElementById('table'))"
        " & Node.DOCUMENT_POSITION_FOLLOWING)"
    )

    second = f"{SEEN}.find(one => +one.dataset.index === 1).click()"
    with reader.settling("shelf"):
        reader.evaluate(second)
    assert reader.evaluate("__lectern.caption.index") == 1
    with reader.settling("book"):
        reader.evaluate(second)


@BOTH_IN_ALL
def test_only_the_open_spread_is_exposed_and_its_place_announced_once_at_rest(reader, open_books):
    in_book(reader, open_books)
    assert reader.evaluate(TOLD) == [1, 2]
    assert len(reader.look().pages) > 2, "pages are buried below the spread"
    reader.wait_for("document.getElementById('live').textContent.includes('Pages 2–3 of')")
    reader.evaluate(
        "(live => { window.__said = []; new MutationObserver(() => __said.push(live.textContent))"
        ".observe(live, { childList: true, characterData: true, subtree: true }) })"
        "(document.getElementById('live'))"
    )
    for start, end, pages, words in ((RIGHT, LEFT, [3, 4], "Pages 4–5 of"), (LEFT, RIGHT, [1, 2], "Pages 2–3 of")):
        reader.evaluate("void (__said.length = 0)")
        with reader.settling("book"):
            reader.drag(start, end)
        assert reader.evaluate(TOLD) == pages
        reader.wait_for("__said.length > 0 && __lectern.isReady")
        said = reader.evaluate("__said")
        assert len(said) == 1 and said[0].startswith(words), "the book is not named again"


# Controls, except links in a text and lines of a list.
SMALL = """[...document.querySelectorAll('button, a, input, select, [role=slider]')]
  .filter(one => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.entry, .hot, .unseen'))
  .filter(one => !one.matches('[type=radio], .turn'))
  .map(one => [one.id || one.ariaLabel || one.textContent, one.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && (box.width < 43.5 || box.height < 43.5))
  .map(([name, box]) => [name, box.width, box.height])"""


NAMELESS = (
    "[...document.querySelectorAll('button, a, input, select, [role=button], [role=slider]')]"
    # A hidden control gets its name when it is shown.
    ".filter(one => one.checkVisibility() && !one.ariaLabel && !one.labels?.length && !one.textContent.trim()"
    " && one.type !== 'file').map(one => one.outerHTML)"
)


@BOTH_IN_ALL
def test_every_control_is_large_enough_for_a_finger_and_has_a_name(reader, server):
    def check():
        assert reader.evaluate(SMALL) == []
        assert reader.evaluate(NAMELESS) == []

    reader.open(server.url)
    check()
    with reader.settling("shelf"):
        reader.key("Enter")
    check()
    with reader.settling("book"):
        reader.key("Enter")
    check()
    for sheet in ("Contents", "Search"):
        click(reader, f"#bookbar [aria-label={sheet}]")
        reader.wait_for("document.querySelector('dialog[open]') && __lectern.isReady")
        check()
        reader.key("Escape")
        reader.wait_for("!document.querySelector('dialog')")


@BOTH
def test_the_page_works_without_storage_and_says_so(reader, server):
    reader.before(
        "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name,"
        " { get() { throw new DOMException('no', 'SecurityError') } });"
    )
    reader.open(server.url)
    reader.wait_for("document.getElementById('notice').textContent.includes('stores nothing')")
    for screen in ("shelf", "book"):
        with reader.settling(screen):
            reader.key("Enter")
    with reader.settling("book"):
        reader.drag(RIGHT, LEFT)
    reader.wait_for("location.pathname.endsWith('/4')")


@pytest.fixture(scope="module")
def forced_firefox():
    """A Firefox with forced colours."""
    browser = Firefox(FORCED)
    yield browser
    browser.close()


@pytest.fixture(params=["chromium", "firefox"])
def forced(request):
    """A window with forced colours."""
    name = "chromium" if request.param == "chromium" else "forced_firefox"
    reader = request.getfixturevalue(name).reader()
    if isinstance(reader, ChromiumReader):
        reader.page.emulate_media(forced_colors="active")
    yield reader
    errors = list(reader.errors)
    reader.close()
    assert errors == []


def test_in_forced_colours_sheets_are_opaque_and_the_focus_is_visible(forced, open_books):
    in_book(forced, open_books)
    assert forced.evaluate("matchMedia('(forced-colors: active)').matches")
    click(forced, "#bookbar [aria-label=Contents]")
    forced.wait_for(
        "(sheet => sheet && getComputedStyle(sheet).backgroundImage === 'none')"
        "(document.querySelector('dialog[open]'))"
    )
    colours = forced.evaluate(
        "(style => [style.backgroundColor, style.color])"
        "(getComputedStyle(document.querySelector('dialog')))"
    )
    assert colours[0] != colours[1]
    assert not colours[0].startswith("rgba"), "the sheet lets the table through"
    forced.key("Escape")
    forced.wait_for("!document.querySelector('dialog')")
    forced.key("Tab")
    forced.wait_for("document.activeElement.matches('button:focus-visible')")
    assert forced.evaluate(
        "(style => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2)"
        "(getComputedStyle(document.activeElement))"
    )
