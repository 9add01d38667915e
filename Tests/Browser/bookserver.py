"""Servers with a few real books, which several test files use; conftest.py has their fixtures."""

import base64
import contextlib
import json
import time
import urllib.request

import pytest

from fixtures import comic, make_library, pdf
from server import Server

IMPORT_SECONDS = 60
# The long book. Its first pages have Roman numbers, and one page has a word that no other has.
LONG_TITLE, LONG_PAGES, LONG_ROMANS, LONG_RARE_PAGE = "A Long Walk", 2000, 10, 1501

# Drops a file on the page, as a script can do it.
DROP = """(() => {
  const bytes = Uint8Array.from(atob('%s'), letter => letter.charCodeAt(0))
  const files = new DataTransfer()
  files.items.add(new File([bytes], '%s'))
  const drop = new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true })
  return document.body.dispatchEvent(drop)
})()"""


@pytest.fixture(scope="session")
def books(tmp_path_factory):
    """A server with the two books of the fixtures, both ready; a test that changes one changes it back."""
    folder = tmp_path_factory.mktemp("books")
    make_library(folder / "library")
    with serving(folder, 2) as server:
        yield server


@pytest.fixture(scope="session")
def long_book(tmp_path_factory):
    """A server with the long book, whose whole text can be searched."""
    folder = tmp_path_factory.mktemp("long")
    shelf = folder / "library" / "Walks"
    shelf.mkdir(parents=True)
    (shelf / "walk.pdf").write_bytes(pdf(LONG_PAGES, LONG_TITLE, LONG_RARE_PAGE, romans=LONG_ROMANS))
    with serving(folder, 1) as server:
        until = time.monotonic() + IMPORT_SECONDS
        while listed(server)[0]["searchable"] < LONG_PAGES:
            assert time.monotonic() < until, server.output
            time.sleep(0.1)
        yield server


@contextlib.contextmanager
def serving(folder, count):
    """Serves the library in a folder once a number of its books are ready."""
    server = Server("--library", folder / "library", "--data", folder / "data")
    try:
        until = time.monotonic() + IMPORT_SECONDS
        while ready_books(server) < count:
            assert time.monotonic() < until, server.output
            time.sleep(0.1)
        yield server
    finally:
        assert server.stop() == 0, server.output


def listed(server):
    """Returns the list of books, as the server sends it."""
    with urllib.request.urlopen(f"{server.url}api/books", timeout=5) as answer:
        return json.load(answer)


def ready_books(server):
    """Returns the number of books that can be read."""
    return sum(book["state"] == "ready" for book in listed(server))


def drop(reader, data, name):
    """Drops a file on the page."""
    reader.wait_for("document.getElementById('upload')?.hidden === false")
    reader.evaluate(DROP % (base64.b64encode(data).decode(), name))


def archive(folder, pages, note):
    """Returns the bytes of a comic with a number of pages; each note gives other bytes."""
    path = folder / f"{pages}.cbz"
    comic(path, pages, note)
    return path.read_bytes()
