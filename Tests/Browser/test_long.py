"""A book of two thousand pages, which costs the page as much as a short one."""

import json
import pathlib
import time
import urllib.request

import pytest

from controls import click, open_title, typed
from fixtures import LEAD, RARE_WORD, pdf
from server import Server

PAGES = 2000
TITLE = "Tides"
RARE_PAGE = 1501
ELEMENTS_MOST = 60
SERVER_MEBIBYTES_MOST = 400
IMPORT_SECONDS = 120
LEAVES_TURNED = 6


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    """A server with the long book, whose whole text can be searched."""
    folder = tmp_path_factory.mktemp("long")
    shelf = folder / "library" / "Sea"
    shelf.mkdir(parents=True)
    (shelf / "tides.pdf").write_bytes(pdf(PAGES, TITLE, RARE_PAGE))
    server = Server("--library", folder / "library", "--data", folder / "data")
    until = time.monotonic() + IMPORT_SECONDS
    while True:
        with urllib.request.urlopen(f"{server.url}api/books", timeout=5) as answer:
            books = json.load(answer)
        if books and books[0]["searchable"] == PAGES:
            break
        assert time.monotonic() < until, f"{books}; {server.output}"
        time.sleep(0.1)
    yield server
    assert server.stop() == 0, server.output


def mebibytes(process):
    """Returns the peak memory of a process."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def counts(reader):
    """Returns the number of elements on the stage, and of the images in them."""
    return reader.evaluate(
        "[document.querySelectorAll('#stage .el[data-kind]').length,"
        " document.querySelectorAll('#stage img').length]"
    )


def test_a_long_book_is_opened_searched_and_turned_to_its_end(chromium, long):
    reader = chromium.reader()
    open_title(reader, long.url, TITLE)
    most = counts(reader)

    def turned():
        nonlocal most
        most = [max(pair) for pair in zip(most, counts(reader), strict=True)]

    for _ in range(LEAVES_TURNED):
        with reader.settling("book"):
            reader.key("ArrowRight")
        turned()
    assert reader.look().spread == [2 * LEAVES_TURNED + 1, 2 * LEAVES_TURNED + 2]

    click(reader, "#bookbar [aria-label=Search]")
    reader.wait_for("document.activeElement.matches('[type=search]')")
    typed(reader, RARE_WORD)
    reader.wait_for("document.querySelectorAll('.hits .entry').length === 1")
    with reader.settling("book"):
        click(reader, ".hits .entry")
    turned()
    assert RARE_PAGE + LEAD in reader.look().spread

    with reader.settling("book"):
        reader.key("End")
    turned()
    assert reader.look().spread == [PAGES - 1 + LEAD, None]
    for _ in range(LEAVES_TURNED):
        with reader.settling("book"):
            reader.key("ArrowLeft")
        turned()
    assert max(most) <= ELEMENTS_MOST, most
    assert mebibytes(long.process.pid) < SERVER_MEBIBYTES_MOST
    assert reader.errors == []
    reader.close()
