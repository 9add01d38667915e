"""Books that cannot be read: the shelf shows them with the reason and offers a remedy."""

import base64
import time
import urllib.request

import pytest

from controls import caption, click, reach, tap_nearest, text_of, to_title, typed
from fixtures import pdf
from server import Server
from steps import BOTH_IN_ALL

IMPORT_SECONDS = 60

# One page behind the password "open".
LOCKED = base64.b64decode(
    "JVBERi0xLjQKJb/3ov4KMSAwIG9iago8PCAvUGFnZXMgMiAwIFIgL1R5cGUgL0NhdGFsb2cgPj4KZW5kb2JqCjIgMCBv"
    "YmoKPDwgL0NvdW50IDEgL0tpZHMgWyAzIDAgUiBdIC9UeXBlIC9QYWdlcyA+PgplbmRvYmoKMyAwIG9iago8PCAvQ29u"
    "dGVudHMgNCAwIFIgL01lZGlhQm94IFsgMCAwIDMwMCA0MDAgXSAvUGFyZW50IDIgMCBSIC9SZXNvdXJjZXMgPDwgL0Zv"
    "bnQgPDwgL0YgNSAwIFIgPj4gPj4gL1R5cGUgL1BhZ2UgPj4KZW5kb2JqCjQgMCBvYmoKPDwgL0xlbmd0aCA1MSAvRmls"
    "dGVyIC9GbGF0ZURlY29kZSA+PgpzdHJlYW0KsUwqc0DAp5OotoXqYr3n2XLfV6w3GDS3W103K2Hbibs7vHq1pgBkAAbu"
    "QX4fqKbKpEj7ZW5kc3RyZWFtCmVuZG9iago1IDAgb2JqCjw8IC9CYXNlRm9udCAvSGVsdmV0aWNhIC9TdWJ0eXBlIC9U"
    "eXBlMSAvVHlwZSAvRm9udCA+PgplbmRvYmoKNiAwIG9iago8PCAvRmlsdGVyIC9TdGFuZGFyZCAvTGVuZ3RoIDEyOCAv"
    "TyA8MTFhMDgzNDM4OGY5MDM4OGU3NGU1NDU4NDEyNWNlMTQyYmUwZGUyNGM2YjBkMzc3NDZlMDc1Yjg5MTc1NjY3MT4g"
    "L1AgLTQgL1IgMyAvVSA8NTIzMDlmZGUxYjI4Mzk2NTZjNTNjY2VjNzliNDA1ZTIwMTIyNDU2YTkxYmFlNTEzNDI3M2E2"
    "ZGIxMzRjODdjND4gL1YgMiA+PgplbmRvYmoKeHJlZgowIDcKMDAwMDAwMDAwMCA2NTUzNSBmIAowMDAwMDAwMDE1IDAw"
    "MDAwIG4gCjAwMDAwMDAwNjQgMDAwMDAgbiAKMDAwMDAwMDEyMyAwMDAwMCBuIAowMDAwMDAwMjUwIDAwMDAwIG4gCjAw"
    "MDAwMDAzNzEgMDAwMDAgbiAKMDAwMDAwMDQ0MSAwMDAwMCBuIAp0cmFpbGVyIDw8IC9Sb290IDEgMCBSIC9TaXplIDcg"
    "L0lEIFs8ZDQ4OGRlNWM0NzFhNmUwYzY5Y2YzNzRjMTc4NjM2MWI+PGQ0ODhkZTVjNDcxYTZlMGM2OWNmMzc0YzE3ODYz"
    "NjFiPl0gL0VuY3J5cHQgNiAwIFIgPj4Kc3RhcnR4cmVmCjY0OAolJUVPRgo="
)


@pytest.fixture
def faults(tmp_path):
    """A server with a readable book, one with a password, and a damaged one."""
    shelf = tmp_path / "library" / "Odd ones"
    shelf.mkdir(parents=True)
    (shelf / "Anatomy.pdf").write_bytes(pdf(title="Anatomy"))
    (shelf / "Locked diary.pdf").write_bytes(LOCKED)
    (shelf / "Torn map.pdf").write_bytes(b"%PDF-1.4\nnothing of this is a PDF")
    server = Server("--library", tmp_path / "library", "--data", tmp_path / "data")
    until = time.monotonic() + IMPORT_SECONDS
    while books_of(server).count(b'"state"') < 3:
        assert time.monotonic() < until, server.output
        time.sleep(0.1)
    yield server
    assert server.stop() == 0, server.output


def books_of(server):
    """Returns the list of books, as the server sends it."""
    with urllib.request.urlopen(f"{server.url}api/books", timeout=5) as answer:
        return answer.read()


def ask_why(reader, url, title):
    """Goes to a book, and tries to open it."""
    to_title(reader, url, title)
    reader.wait_for("document.querySelector('#care p')?.textContent.length > 10")
    assert caption(reader)["cannotOpen"] and caption(reader)["detail"] == "Cannot be opened"
    reader.evaluate("document.activeElement.blur()")
    reader.key("Enter")
    reader.wait_for("document.querySelector('dialog.plate [role=status]')")
    assert reader.evaluate("__lectern.screen") == "shelf"


@BOTH_IN_ALL
def test_a_locked_book_is_on_the_shelf_and_opens_with_its_password(reader, faults):
    ask_why(reader, faults.url, "Locked diary")
    field = "dialog.plate input[type=password]"
    reader.wait_for(f"document.activeElement === document.querySelector('{field}')")
    assert text_of(reader, "dialog.plate h2") == "Locked diary"
    assert "password" in text_of(reader, "dialog.plate [role=status]")
    typed(reader, "wrong")
    reader.key("Enter")
    reader.wait_for("/wrong|not open|does not/i.test("
                    "document.querySelector('dialog.plate [role=status]').textContent)")
    # Browsers log every answer with an error status.
    assert all(error.endswith("/unlock") for error in reader.errors), reader.errors
    reader.errors.clear()
    reader.evaluate(f"document.querySelector('{field}').value = ''")
    typed(reader, "open")
    reader.key("Enter")
    reader.wait_for("!document.querySelector('dialog.plate')")
    assert books_of(faults).count(b'"ready"') == 2
    reader.wait_for("__lectern.isReady && !__lectern.caption.cannotOpen")
    with reader.settling("book"):
        reader.key("Enter")


def test_a_damaged_book_says_so_and_offers_nothing_useless(reader, faults):
    ask_why(reader, faults.url, "Torn map")
    assert "damaged" in text_of(reader, "dialog.plate [role=status]")
    assert reader.evaluate("document.querySelectorAll('dialog.plate .inside :is(button, input)').length") == 0
    reader.key("Escape")
    reader.wait_for("!document.querySelector('dialog.plate')")
    tap_nearest(reader, "cover")
    reader.ready()
    assert caption(reader)["title"] == "Torn map" and reader.look().screen == "shelf"


def test_the_shelf_takes_the_password_too(reader, faults):
    to_title(reader, faults.url, "Locked diary")
    reach(reader, "#care input[type=password]")
    click(reader, "#care input[type=password]")
    typed(reader, "open")
    reader.key("Enter")
    reader.wait_for("document.getElementById('care').childElementCount === 0")
    assert books_of(faults).count(b'"ready"') == 2
