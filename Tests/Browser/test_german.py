"""German, which the reader chooses or the browser asks for."""

import contextlib
import json
import shutil

import pytest
from playwright import sync_api as playwright

from controls import click, text_of
from fixtures import PDF_TITLE, make_library
from lights import choose, stored
from screens import IMPORT_SECONDS
from server import ROOT, Server
from steps import BOTH_IN_ALL
from test_app import loaded

LANGUAGES = "Object.defineProperty(navigator, 'languages', { get: () => %s });"
LANG = "document.documentElement.lang"
NAMES = "[...document.querySelectorAll(%s)].map((one) => one.getAttribute('aria-label') ?? one.textContent.trim())"
OPEN = "document.querySelector('dialog[open]')"
# Everything on the page that a reader sees or hears, without what stands on the paper.
TEXTS = """(() => {
  const all = new Set([document.title, document.getElementById('live').textContent])
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT)
  while (walk.nextNode()) {
    const { currentNode: one } = walk
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) all.add(one.getAttribute(name) ?? '')
    if (one.closest('script, noscript, style, svg, #stage .text')) continue
    for (const { nodeType, data } of one.childNodes) if (nodeType === Node.TEXT_NODE) all.add(data.trim())
  }
  return [...all].filter(Boolean)
})()"""
# Words of English texts that no name in the test's library has.
ENGLISH = """(%s).filter((text) => /\\b(the|of|pages?|books?|open|close|with|this|by|to|at|one|search)\\b/i.test(
  text.replace(/Ferns of Wet Places|Wet places|Lectern|To the (first|outer) \\w+/g, '')))""" % TEXTS


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A library with a book that has text."""
    folder = tmp_path_factory.mktemp("german")
    server = Server("--library", make_library(folder / "library"), "--data", folder / "data")
    yield server
    assert server.stop() == 0, server.output


def settled(reader):
    """Waits until the page rests."""
    reader.wait_for("__lectern.isReady")


def enter(reader, screen):
    """Goes a step further in, wherever the focus is."""
    with reader.settling(screen):
        reader.evaluate("void __lectern.app.press('Enter')")
    settled(reader)


def to_text(reader, url):
    """Opens the book with text."""
    reader.open(url)
    reader.wait_for("document.getElementById('upload')?.hidden === false", IMPORT_SECONDS)
    enter(reader, "shelf")
    while reader.evaluate("__lectern.caption.title") != PDF_TITLE:
        with reader.settling("shelf"):
            reader.evaluate("void __lectern.app.press('ArrowRight')")
        settled(reader)


def close(reader):
    """Closes the open sheet."""
    reader.key("Escape")
    reader.wait_for(f"!{OPEN}")


@BOTH_IN_ALL
def test_every_screen_is_german_for_a_browser_that_asks_for_it(reader, library, out):
    reader.before(LANGUAGES % json.dumps(["fr", "de-CH", "en"]))
    to_text(reader, library.url)
    assert reader.evaluate(LANG) == "de"
    assert reader.evaluate(NAMES % "'#table, #find, #upload, #join'") == [
        "Buch hinzufügen", "Buch finden", "Mitlesen\u00a0mit Code", "Der Tisch"
    ]
    assert reader.evaluate("__lectern.caption.detail").endswith("12 Seiten")
    assert reader.evaluate("document.querySelector('.wall p').textContent") == "2 Bücher"
    assert reader.evaluate(ENGLISH) == []
    reader.screenshot(out / f"german-shelf-{reader.name}.png")
    click(reader, "#edit")
    reader.wait_for("document.querySelector('dialog[open] form')")
    assert reader.evaluate(ENGLISH) == []
    close(reader)

    enter(reader, "book")
    with reader.settling("book"):
        reader.key("ArrowRight")
    settled(reader)
    detail, label = reader.evaluate("[__lectern.caption.detail, __lectern.caption.label]")
    assert detail == f"Seiten {label}"
    assert reader.evaluate("document.title") == f"{PDF_TITLE}, Seite {label} · Lectern"
    reader.wait_for("document.getElementById('live').textContent.includes('Seite')")
    assert reader.evaluate("__lectern.stage.spread.every(({ content }) => content.title.startsWith('Seite '))")
    assert reader.evaluate(ENGLISH) == []
    reader.screenshot(out / f"german-book-{reader.name}.png")

    click(reader, "#bookbar .group:first-child .icon:last-child")
    reader.wait_for("document.activeElement.matches('[type=search]')")
    for letter in "fern":
        reader.key(letter)
    reader.wait_for("document.querySelector('.hits .entry')", IMPORT_SECONDS)
    assert "Stelle" in text_of(reader, "dialog .saying")
    reader.screenshot(out / f"german-search-{reader.name}.png")
    close(reader)

    click(reader, "#share")
    reader.wait_for("document.querySelector('.qr img')?.complete")
    assert text_of(reader, "dialog h2") == "Gemeinsam lesen"
    assert reader.evaluate(ENGLISH) == []
    reader.screenshot(out / f"german-share-{reader.name}.png")
    close(reader)

    click(reader, "#bookbar [aria-label='Licht und Einstellungen']")
    reader.wait_for(OPEN)
    assert text_of(reader, "dialog.settings h2") == "Einstellungen"
    assert reader.evaluate("document.querySelector('[name=language]:checked').value") == "system"
    assert reader.evaluate(ENGLISH) == []
    reader.screenshot(out / f"german-settings-{reader.name}.png")
    close(reader)


@BOTH_IN_ALL
def test_a_language_is_chosen_and_the_book_stays_open(reader, library):
    to_text(reader, library.url)
    assert reader.evaluate(LANG) == "en"
    enter(reader, "book")
    with reader.settling("book"):
        reader.key("ArrowRight")
    settled(reader)
    room, label = reader.evaluate("[location.pathname, __lectern.caption.label]")
    for value, title, lang in (("de", "Einstellungen", "de"), ("en", "Settings", "en")):
        words = "Light and settings" if value == "de" else "Licht und Einstellungen"
        click(reader, f"#bookbar [aria-label='{words}']")
        reader.wait_for(OPEN)
        reader.evaluate("void (window.isOld = true)")
        with contextlib.suppress(RuntimeError, playwright.Error):
            choose(reader, "language", value)
        loaded(reader, f"!window.isOld && window.__lectern?.isReady && {LANG} === '{lang}'")
        settled(reader)
        assert reader.evaluate("location.pathname") == room
        assert reader.evaluate("__lectern.caption.label").split(" ")[0] == label.split(" ")[0]
        name = "Licht und Einstellungen" if value == "de" else "Light and settings"
        click(reader, f"#bookbar [aria-label='{name}']")
        reader.wait_for(f"document.querySelector('dialog h2')?.textContent === '{title}'")
        close(reader)


@BOTH_IN_ALL
def test_what_is_chosen_wins_over_what_the_browser_asks_for(browser, library):
    for languages, chosen, lang in ((["de"], {"language": "en"}, "en"), (["en"], {"language": "de"}, "de")):
        reader = browser.reader()
        try:
            reader.before(LANGUAGES % json.dumps(languages) + stored(**chosen))
            reader.open(library.url)
            assert reader.evaluate(LANG) == lang
            assert reader.evaluate("document.getElementById('table').ariaLabel") == (
                "Der Tisch" if lang == "de" else "The table"
            )
            assert reader.errors == []
        finally:
            reader.close()


@BOTH_IN_ALL
def test_an_english_page_loads_nothing_german(reader, library):
    reader.before(LANGUAGES % json.dumps(["en-GB", "de"]))
    to_text(reader, library.url)
    assert reader.evaluate("performance.getEntriesByType('resource').filter(({ name }) => name.includes('/de/'))") == []


@BOTH_IN_ALL
@pytest.mark.parametrize("fault", ["missing", "broken"])
def test_a_german_file_that_fails_leaves_an_english_page(browser, library, tmp_path, fault):
    web = tmp_path / "Web"
    shutil.copytree(ROOT / "Web", web, ignore=shutil.ignore_patterns("library"))
    table = web / "js" / "words" / "de" / "together.js"
    if fault == "missing":
        table.unlink()
    else:
        table.write_text("export const WORDS = {")
    server = Server("--web", web, "--library", make_library(tmp_path / "library"))
    reader = browser.reader()
    try:
        reader.before(stored(language="de"))
        reader.open(server.url)
        reader.wait_for("document.getElementById('find')")
        assert reader.evaluate(LANG) == "en"
        assert reader.evaluate(NAMES % "'#table, #find'") == ["Find a book", "The table"]
        enter(reader, "shelf")
        assert "page" in reader.evaluate("__lectern.caption.detail")
    finally:
        reader.close()
        assert server.stop() == 0, server.output


@BOTH_IN_ALL
def test_without_the_library_the_page_says_so_in_german(browser, out):
    server, reader = Server(), browser.reader()
    try:
        reader.before(stored(language="de"))
        reader.open(server.url)
        reader.wait_for("(await navigator.serviceWorker.ready).active.state === 'activated'")
        room = reader.evaluate("location.href")
        assert server.stop() == 0, server.output
        reader.load(room)
        reader.wait_for("document.querySelector('main h1')?.textContent === 'Die Bibliothek ist nicht zu erreichen'")
        assert reader.evaluate(LANG) == "de"
        assert text_of(reader, "main button") == "Noch einmal versuchen"
        reader.screenshot(out / f"german-offline-{reader.name}.png")
    finally:
        reader.close()
        server.stop()


def test_the_demo_is_german_too(reader, server, out):
    reader.before(LANGUAGES % '["de"]')
    reader.goto(f"{server.url}demo.html?frames=2")
    reader.wait_for("document.querySelector('h1').textContent === 'Ein Raum, zwei Bildschirme'")
    assert reader.evaluate(LANG) == "de"
    frames = "Array.from(frames).every((one) => one.document.documentElement?.lang === 'de' && one.__lectern?.isReady)"
    reader.wait_for(frames, 30)
    # A caption with all measurements breaks only between them.
    reader.wait_for("/hin\\sund\\szurück/.test(document.querySelector('figcaption span').textContent)")
    reader.screenshot(out / "german-demo.png")


@BOTH_IN_ALL
def test_an_answer_of_the_server_is_german(reader, library):
    reader.before(stored(language="de"))
    reader.open(library.url)
    reader.evaluate("import('/js/together/wire.js').then(({ encodeShare }) => __lectern.app.send(encodeShare()))")
    reader.wait_for("document.getElementById('notice').textContent.startsWith('Zuerst das Buch öffnen')")
