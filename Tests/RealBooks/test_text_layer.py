"""The words that a reader selects on a page of a real book are those of the server, with their spaces and lines."""

import contextlib
import json
import time
import urllib.request

import pytest

import wire
from chromium import Chromium
from firefox import Firefox
from lights import stored
from server import Server
from test_real_books import run_import
from test_text import LAYERS, PLACED, SAID, TOLD

INDEX_SECONDS = 120
# How many spreads of each book are read; they are spread evenly over the book.
SPREADS = {"chromium": 9, "firefox": 2}
LEAST_PAGES = {"chromium": 50, "firefox": 10}


@pytest.fixture(scope="module")
def indexed(manuals, tmp_path_factory):
    """A server with the manuals, and its books, whose words have all been read."""
    data = tmp_path_factory.mktemp("data")
    done = run_import(data, *manuals.values())
    assert done.returncode == 0, done.stderr
    server = Server("--data", data)
    until = time.monotonic() + INDEX_SECONDS
    while True:
        with urllib.request.urlopen(f"{server.url}api/books", timeout=5) as answer:
            # A new library has the sample books, too.
            books = [book for book in json.load(answer) if book["pages"] > 100]
        if all(book["searchable"] == book["pages"] for book in books):
            break
        assert time.monotonic() < until, books
        time.sleep(0.1)
    yield server, books
    assert server.stop() == 0, server.output


def send(reader, *message):
    """Sends a message as the page's controls do."""
    reader.evaluate(f"__lectern.app.send(new Uint8Array({list(wire.encode(*message))}))")


def different_words(reader, book, page):
    """Waits for a page and its words; returns how many open pages have words, and those whose words differ."""
    reader.wait_for(
        "__lectern.stage.spread.some(({ content }) =>"
        f" content.imageURL.includes('/b/{book['id']}/p/{page}/')) && __lectern.settled"
    )
    told = reader.evaluate(TOLD)
    reader.wait_for(f"{list(told)}.every(page => page in ({LAYERS})) && {PLACED}")
    said = reader.evaluate(SAID)
    texts = {f"{book['title']}, {one}": [told[one]["text"], *said.get(one, [])] for one in told}
    return len(told), {one: all_texts for one, all_texts in texts.items() if all_texts != all_texts[:1] * 4}


@pytest.mark.parametrize("browser", [Chromium, Firefox])
def test_the_selected_words_of_real_pages_are_those_of_the_server(indexed, browser):
    server, books = indexed
    count, different = 0, {}
    with contextlib.ExitStack() as stack:
        process = stack.enter_context(contextlib.closing(browser(is_coarse=True)))
        # A small window for each book, so that one turns a leaf while another is read.
        readers = [stack.enter_context(contextlib.closing(process.reader(640, 480))) for _ in books]
        for reader in readers:
            reader.before(stored(motion="reduced"))
            reader.open(server.url)
        spreads = SPREADS[readers[0].name]
        for number in range(spreads):
            pages = [book["pages"] * (2 * number + 1) // (2 * spreads) for book in books]
            for reader, book, page in zip(readers, books, pages, strict=True):
                send(reader, *(("go", book["id"], 1, page) if number == 0 else ("jump", page)))
            for reader, book, page in zip(readers, books, pages, strict=True):
                more, others = different_words(reader, book, page)
                count += more
                different |= others
        assert different == {}
        assert count >= LEAST_PAGES[readers[0].name]
        assert not any(reader.errors for reader in readers)
