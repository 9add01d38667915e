"""A book of two thousand pages, which costs the page as much as a short one."""

import pathlib

from bookserver import LONG_PAGES, LONG_RARE_PAGE, LONG_TITLE
from controls import click, open_title, typed
from fixtures import LEAD, RARE_WORD

ELEMENTS_MOST = 60
SERVER_MEBIBYTES_MOST = 400
LEAVES_TURNED = 4


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


def test_a_long_book_is_opened_searched_and_turned_to_its_end(reader, long_book):
    open_title(reader, long_book.url, LONG_TITLE)
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
    assert LONG_RARE_PAGE + LEAD in reader.look().spread

    with reader.settling("book"):
        reader.key("End")
    turned()
    assert reader.look().spread == [LONG_PAGES - 1 + LEAD, None]
    for _ in range(LEAVES_TURNED):
        with reader.settling("book"):
            reader.key("ArrowLeft")
        turned()
    assert max(most) <= ELEMENTS_MOST, most
    assert mebibytes(long_book.process.pid) < SERVER_MEBIBYTES_MOST
