"""The page for the keyboard and for assistive technology."""

import pytest

from chromium import ChromiumReader
from controls import click, reach
from firefox import Firefox
from steps import BOTH, BOTH_IN_ALL, LEFT, RIGHT, in_book, to_book, to_shelf

FOCUS = "(one => one && [one.dataset.kind ?? one.id, +(one.dataset.index ?? -1)])(document.activeElement)"
SEEN = "[...document.querySelectorAll('#stage .el[data-kind]')].filter(one => one.style.visibility === 'visible')"
TOLD = f"{SEEN}.filter(one => !one.inert).map(one => +one.dataset.index)"
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
    reader.key("Enter")
    reader.wait_for("__lectern.isReady && __lectern.screen === 'shelf'")
    reader.key("ArrowRight")
    focused(reader, "cover", 1)
    with reader.settling("book"):
        reader.key("Enter")
    reader.wait_for("document.activeElement === document.getElementById('table')")
    with reader.settling("shelf"):
        reader.key("Escape")
    focused(reader, "cover", 1)


def test_a_screen_reader_chooses_a_shelf_and_a_book_by_a_click(reader, server):
    reader.open(server.url)
    reader.wait_for(f"{TOLD}.length === 3")
    names = reader.evaluate(f"{SEEN}.map(one => [one.getAttribute('role'), one.ariaLabel])")
    assert all(role == "button" and "book" in name for role, name in names), names
    reader.evaluate(f"{SEEN}[1].click()")
    reader.wait_for("__lectern.isReady && __lectern.screen === 'shelf'")
    assert reader.evaluate("__lectern.caption.heading") == "Reading room"
    reader.evaluate(f"{SEEN}.find(one => +one.dataset.index === 1).click()")
    reader.wait_for("__lectern.isReady && __lectern.caption.index === 1")
    reader.evaluate(f"{SEEN}.find(one => +one.dataset.index === 1).click()")
    reader.wait_for("__lectern.isReady && __lectern.screen === 'book'")


@BOTH_IN_ALL
def test_only_the_open_spread_is_exposed_and_in_reading_order(reader, open_books):
    in_book(reader, open_books)
    reader.wait_for(f"JSON.stringify({TOLD}) === '[1,2]'")
    assert len(reader.look().pages) > 2, "pages are buried below the spread"
    with reader.settling("book"):
        reader.drag(RIGHT, LEFT)
    reader.wait_for(f"JSON.stringify({TOLD}) === '[3,4]'")
    with reader.settling("book"):
        reader.drag(LEFT, RIGHT)
    reader.wait_for(f"JSON.stringify({TOLD}) === '[1,2]'")


def test_the_document_is_in_reading_order(reader, server):
    to_shelf(reader, server.url)
    for key in ("End", "Home", "End"):
        reader.key(key)
        reader.wait_for("__lectern.isReady")
    reader.wait_for(f"(all => all.length > 1 && all.every((n, k) => k === 0 || all[k - 1] < n))({TOLD})")
    assert reader.evaluate(
        "!!(document.getElementById('top').compareDocumentPosition(document.getElementById('table'))"
        " & Node.DOCUMENT_POSITION_FOLLOWING)"
    )


@BOTH
def test_the_focus_is_never_lost(reader, server):
    to_shelf(reader, server.url)
    reach(reader, "#open")
    reader.evaluate("document.getElementById('open').focus()")
    with reader.settling("book"):
        reader.key("Enter")
    reader.wait_for("document.activeElement === document.getElementById('table')")
    # The control that had the focus before the sheet disappears while the sheet is open.
    click(reader, "#bookbar [aria-label=Contents]")
    reader.wait_for("document.querySelector('dialog[open]')")
    reader.evaluate("void (document.querySelector('[aria-label=Contents]').hidden = true)")
    reader.key("Escape")
    reader.wait_for(
        "!document.querySelector('dialog') && document.activeElement === document.getElementById('table')"
    )


@BOTH
def test_a_key_right_after_a_sheet_has_closed_turns_the_page(reader, open_books):
    in_book(reader, open_books)
    click(reader, "#bookbar [aria-label=Search]")
    reader.wait_for("document.activeElement.matches('[type=search]')")
    # The control that opened the sheet cannot take the focus back.
    reader.evaluate("void (document.querySelector('#bookbar [aria-label=Search]').hidden = true)")
    with reader.settling("book"):
        # Both keys arrive before the page is drawn again.
        reader.evaluate(
            "void ['Escape', 'ArrowRight'].forEach((key) => document.activeElement.dispatchEvent("
            "new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })))"
        )
    assert reader.look().spread == [3, 4]


@BOTH_IN_ALL
def test_the_place_is_announced_once_at_rest_and_the_book_named_once(reader, open_books):
    in_book(reader, open_books)
    reader.wait_for("document.getElementById('live').textContent.includes('Pages 2–3 of')")
    reader.evaluate(
        "(live => { window.__said = []; new MutationObserver(() => __said.push(live.textContent))"
        ".observe(live, { childList: true, characterData: true, subtree: true }) })"
        "(document.getElementById('live'))"
    )
    with reader.settling("book"):
        reader.drag(RIGHT, LEFT)
    reader.wait_for("__said.length > 0 && __lectern.isReady")
    said = reader.evaluate("__said")
    assert len(said) == 1 and said[0].startswith("Pages 4–5 of"), said


# Controls, except links in a text and lines of a list.
SMALL = """[...document.querySelectorAll('button, a, input, select, [role=slider]')]
  .filter(one => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.entry, .hot, .unseen'))
  .filter(one => !one.matches('[type=radio], .turn'))
  .map(one => [one.id || one.ariaLabel || one.textContent, one.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && (box.width < 43.5 || box.height < 43.5))
  .map(([name, box]) => [name, box.width, box.height])"""


@BOTH_IN_ALL
def test_every_control_is_large_enough_for_a_finger(reader, server):
    to_shelf(reader, server.url)
    reader.wait_for("document.getElementById('foot')")
    assert reader.evaluate(SMALL) == []
    with reader.settling("book"):
        reader.key("Enter")
    for sheet in ("Contents", "Search"):
        click(reader, f"#bookbar [aria-label={sheet}]")
        reader.wait_for("document.querySelector('dialog[open]')")
        assert reader.evaluate(SMALL) == []
        reader.key("Escape")
        reader.wait_for("!document.querySelector('dialog')")


def test_every_control_has_a_name(reader, server):
    nameless = (
        "[...document.querySelectorAll('button, a, input, select, [role=button], [role=slider]')]"
        # A hidden control gets its name when it is shown.
        ".filter(one => one.checkVisibility() && !one.ariaLabel && !one.labels?.length && !one.textContent.trim()"
        " && one.type !== 'file').map(one => one.outerHTML)"
    )
    reader.open(server.url)
    reader.wait_for("document.getElementById('find')")
    assert reader.evaluate(nameless) == []
    to_book(reader, server.url)
    reach(reader, "#bookbar [aria-label=Contents]")
    assert reader.evaluate(nameless) == []


@BOTH
def test_the_page_works_without_storage(reader, server):
    reader.before(
        "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name,"
        " { get() { throw new DOMException('no', 'SecurityError') } });"
    )
    to_book(reader, server.url)
    with reader.settling("book"):
        reader.drag(RIGHT, LEFT)
    reader.wait_for("location.pathname.endsWith('/3')")


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
    forced.wait_for("document.querySelector('dialog[open]')")
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
