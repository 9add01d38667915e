"""A server with a few real books, which several test files use."""

import base64
import contextlib
import time
import urllib.request

import pytest

from fixtures import comic, make_library
from server import Server

IMPORT_SECONDS = 60

# Drops a file on the page, as a script can do it.
DROP = """(() => {
  const bytes = Uint8Array.from(atob('%s'), letter => letter.charCodeAt(0))
  const files = new DataTransfer()
  files.items.add(new File([bytes], '%s'))
  const drop = new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true })
  return document.body.dispatchEvent(drop)
})()"""


@pytest.fixture(scope="module")
def books(tmp_path_factory):
    """A server with the two books of the fixtures, both ready."""
    folder = tmp_path_factory.mktemp("books")
    make_library(folder / "library")
    with serving(folder, 2) as server:
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


def ready_books(server):
    """Returns the number of books that can be read."""
    with urllib.request.urlopen(f"{server.url}api/books", timeout=5) as answer:
        return answer.read().count(b'"ready"')


def drop(reader, data, name):
    """Drops a file on the page."""
    reader.wait_for("document.getElementById('upload')?.hidden === false")
    reader.evaluate(DROP % (base64.b64encode(data).decode(), name))


def archive(folder, pages, note):
    """Returns the bytes of a comic with a number of pages; each note gives other bytes."""
    path = folder / f"{pages}.cbz"
    comic(path, pages, note)
    return path.read_bytes()
