"""The list of shelves, uploads, and responses that are not the library's."""

import json
import urllib.request

import pytest

from bookserver import IMPORT_SECONDS, archive, books, drop  # noqa: F401
from controls import caption, click, open_title, reach, text_of, to_title, typed
from fixtures import COMIC_TITLE, PDF_TITLE, comic, pdf
from server import Line, Server
from steps import BOTH, BOTH_IN_ALL

STRANGE = ["<!doctype html>", "null", "[null, 1, [2], {}]", '{"hits": {}, "error": {}}']


# Uploads.


@BOTH
def test_a_dropped_book_appears_on_the_shelf(reader, books, tmp_path):
    reader.open(books.url)
    drop(reader, archive(tmp_path, 5, reader.name), f"{reader.name} comic.cbz")
    reader.wait_for("document.querySelector('.transfers .done')", IMPORT_SECONDS)
    with reader.settling("shelf"):
        click(reader, ".transfers .done button")
    reader.wait_for(f"__lectern.caption.title.includes('{reader.name}')")


@BOTH
def test_a_deleted_book_leaves_the_shelf_and_comes_back(reader, books, tmp_path):
    title = f"{reader.name} passing"
    reader.open(books.url)
    drop(reader, archive(tmp_path, 7, title), f"{title}.cbz")
    reader.wait_for("document.querySelector('.transfers .done')", IMPORT_SECONDS)
    with reader.settling("shelf"):
        click(reader, ".transfers .done button")
    shown = "__lectern.caption.title === " + json.dumps(title)
    deletes = "#edit", "dialog .delete"
    for way in "undo", "bin":
        reader.wait_for(shown)
        click(reader, deletes[0])
        reader.wait_for(f"document.querySelector('{deletes[1]}')")
        click(reader, deletes[1])
        reader.wait_for(f"!({shown}) && !document.querySelector('dialog')")
        assert title in text_of(reader, "#notice")
        if way == "undo":
            click(reader, "#notice button")
        else:
            click(reader, "#bin")
            reader.wait_for("document.querySelector('dialog .recordings .entry')")
            click(reader, f"dialog .entry[aria-label*='{title}']")
            reader.wait_for("document.querySelector('dialog .gone')")
            reader.key("Escape")
        reader.wait_for("document.querySelector('#bin').hidden && __lectern.isReady")
        to_title(reader, books.url, title)


def test_a_damaged_file_says_what_is_wrong_until_its_line_is_removed(reader, books, tmp_path):
    reader.open(books.url)
    name, failed = f"{reader.name} torn.pdf", "document.querySelector('.transfers .failed')"
    drop(reader, pdf()[:300], name)
    reader.wait_for(failed, IMPORT_SECONDS)
    words = text_of(reader, ".transfers .failed p")
    assert len(words) > 20 and "undefined" not in words
    # The same file would fail again.
    assert reader.evaluate("[...document.querySelectorAll('.transfers .acts button')].map(one => one.ariaLabel)") == [
        f"Remove {name} from the list"
    ]
    click(reader, ".transfers .acts button")
    reader.wait_for(f"!{failed} && document.activeElement.textContent === 'Choose files'")
    # A file of that name that arrives takes the place of the line.
    drop(reader, pdf()[:300], name)
    reader.wait_for(failed, IMPORT_SECONDS)
    drop(reader, archive(tmp_path, 6, "mended"), name)
    reader.wait_for("document.querySelector('.transfers .done')", IMPORT_SECONDS)
    assert reader.evaluate("document.querySelectorAll('.transfers li').length") == 1
    drop(reader, pdf()[:300], name)
    reader.wait_for(failed, IMPORT_SECONDS)
    # It has been seen, so it is gone when the sheet is opened again.
    reader.key("Escape")
    reader.wait_for("!document.querySelector('dialog')")
    click(reader, "#upload")
    reader.wait_for("document.querySelector('dialog .transfers') && __lectern.isReady")
    assert reader.evaluate("document.querySelectorAll('.transfers li').length") == 0


def test_an_upload_continues_after_the_connection_was_cut(browser, books, tmp_path):
    line = Line(books.port)
    reader = browser.reader()
    try:
        reader.open(line.url)
        click(reader, "#upload")
        reader.wait_for("document.querySelector('dialog[open] .key')")
        # A drop needs its module, which is loaded before the connection is cut.
        reader.evaluate("import('/js/dropped.js').then(() => true)")
        line.cut()
        drop(reader, archive(tmp_path, 6, reader.name), f"{reader.name} late.cbz")
        reader.wait_for("document.querySelector('.transfers .interrupted')")
        line.mend()
        reader.wait_for("document.querySelector('.transfers .done')", IMPORT_SECONDS)
    finally:
        reader.close()
        line.close()


@BOTH_IN_ALL
def test_an_upload_shows_less_than_100_percent_until_it_is_complete(reader, books, tmp_path):
    reader.open(books.url)
    reader.wait_for("document.getElementById('upload')?.hidden === false")
    reader.evaluate(
        "(button => { window.__words = []; new MutationObserver(() => __words.push("
        "button.textContent, document.querySelector('.transfers progress')?.value >= 100 &&"
        " !document.querySelector('.transfers .done') ? 'full' : '')).observe(button,"
        " { childList: true, characterData: true, subtree: true }) })"
        "(document.getElementById('upload'))"
    )
    drop(reader, archive(tmp_path, 7, reader.name), f"{reader.name} slow.cbz")
    reader.wait_for("document.querySelector('.transfers .done')", IMPORT_SECONDS)
    words = reader.evaluate("__words")
    assert any("Opening" in one for one in words), words
    assert not any("100" in one or one == "full" for one in words), words
    assert text_of(reader, ".transfers .done button") == "Show"


@BOTH_IN_ALL
def test_files_dragged_over_the_page_show_where_they_will_go(reader, books):
    reader.open(books.url)
    reader.wait_for("document.getElementById('upload')?.hidden === false")
    held = (
        "document.body.dispatchEvent((() => { const files = new DataTransfer();"
        " files.items.add(new File(['x'], 'x.pdf')); return new DragEvent('%s',"
        " { dataTransfer: files, bubbles: true, cancelable: true }) })())"
    )
    reader.evaluate(held % "dragover")
    assert "Uploads" in text_of(reader, ".droppable:not([hidden])")
    reader.evaluate(held % "dragleave")
    assert text_of(reader, ".droppable:not([hidden])") == ""


# The list.


@BOTH_IN_ALL
def test_a_spine_leads_to_its_book(reader, books):
    reader.open(books.url)
    for title in (COMIC_TITLE, PDF_TITLE):
        spine = f".spine[title='{title}']"
        place = reach(reader, spine)
        with reader.settling("shelf"):
            reader.tap(place)
        reader.wait_for(f"__lectern.isReady && __lectern.caption.title === '{title}'")
        with reader.settling("collections"):
            reader.key("Escape")


def test_an_arrow_of_the_list_is_disabled_at_the_end(reader, tmp_path):
    for shelf in range(5):
        folder = tmp_path / "library" / f"Shelf {shelf}"
        folder.mkdir(parents=True)
        comic(folder / "One.cbz", pages=2, note=str(shelf))
    server = Server("--library", tmp_path / "library", "--data", tmp_path / "data")
    try:
        reader.open(server.url)
        reader.wait_for("__lectern.isReady && __lectern.caption.count === 5", IMPORT_SECONDS)
        up, down = (f"#foot [aria-label='Further {way}']" for way in ("up", "down"))
        dark = f"[document.querySelector(\"{up}\").disabled, document.querySelector(\"{down}\").disabled]"
        reader.wait_for(f"JSON.stringify({dark}) === '[true,false]'")
        click(reader, down)
        reader.wait_for(f"__lectern.isReady && JSON.stringify({dark}) === '[false,true]'")
        assert 4 in reader.look().of("collection")
        click(reader, up)
        reader.wait_for(f"__lectern.isReady && JSON.stringify({dark}) === '[true,false]'")
    finally:
        server.stop()


# Responses that are not the library's.


@pytest.mark.parametrize("answer", STRANGE)
def test_the_page_survives_answers_of_another_shape(reader, books, answer):
    open_title(reader, books.url, PDF_TITLE)
    reader.evaluate(f"void (window.fetch = async () => new Response({answer!r}))")
    for what in ("Contents", "Search"):
        click(reader, f"#bookbar [aria-label={what}]")
        reader.wait_for("document.querySelector('dialog[open]')")
        if what == "Search":
            typed(reader, "fern")
        reader.wait_for("document.querySelector('.saying').textContent !== '' || document.querySelector('.entry')")
        reader.key("Escape")
        reader.wait_for("!document.querySelector('dialog')")
    with reader.settling("book"):
        reader.key("ArrowRight")
    with reader.settling("shelf"):
        reader.key("Escape")
    click(reader, "#edit")
    reader.wait_for("document.querySelector('.saying')?.textContent")
    reader.key("Escape")


def test_a_hostile_title_is_shown_as_text(reader, books):
    evil = "<img src=x onerror=document.x=1>\u202egnp.exe\u202c"
    to_title(reader, books.url, COMIC_TITLE)
    book = caption(reader)["book"]

    def call(title):
        request = urllib.request.Request(
            f"{books.url}api/books/{book}",
            json.dumps({"title": title}).encode(),
            {"Content-Type": "application/json"},
            method="PATCH",
        )
        urllib.request.urlopen(request, timeout=10).close()

    call(evil)
    try:
        reader.wait_for("__lectern.caption.title.includes('onerror') && __lectern.isReady")
        with reader.settling("book"):
            reader.key("Enter")
        reader.wait_for("document.title.includes('onerror') && !document.title.includes('\\u202e')")
        assert reader.evaluate("document.x ?? 0") == 0
        assert reader.evaluate("document.querySelectorAll('#top img, #label img').length") == 0
        assert reader.evaluate("document.getElementById('heading').dir") == "auto"
    finally:
        call(COMIC_TITLE)
