"""Nothing jumps away under a reader's finger: a control that has appeared keeps its place while answers arrive late.

steady.js looks at each frame, and holds the library's answers until a test lets them through, so that the tests do not
depend on the speed of the machine.
"""

import base64
import contextlib
import json
import pathlib

import pytest

from bookserver import DROP
from controls import click, to_title, typed
from fixtures import PDF_TITLE, RARE_WORD, pdf
from screens import LONG_TITLE, serving
from steps import BOTH_IN_ALL, record_turns
from wireclient import Client

WATCH = pathlib.Path(__file__).with_name("steady.js").read_text()
# How long controls keep their places after the last answer to a press.
STEADY_MS = 500
SHEET = "document.querySelector('dialog[open]')"
PHONE, DESK = (390, 844, 1), (1024, 768, 1)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A library with a long title, and three recordings."""
    with serving(tmp_path_factory.mktemp("steady")) as server:
        for _ in range(3):
            record_turns(server.url)
        yield server


@contextlib.contextmanager
def steady(reader, what):
    """Asserts that no control is carried away during a step and after it; answers are held until `answer`."""
    reader.evaluate("void Object.assign(__steady, { isLate: true, moves: [] })")
    yield
    reader.evaluate("void (__steady.isLate = false)")
    answer(reader)
    reader.evaluate(f"__steady.rest({STEADY_MS})")
    assert (what, reader.evaluate("__steady.moves")) == (what, [])


def held(reader, part):
    """Waits until the answer to a request is held."""
    reader.wait_for(f"__steady.held.some(({{ address }}) => address.includes({json.dumps(part)}))")


def answer(reader, part=""):
    """Lets held answers through, one after another."""
    reader.evaluate(f"__steady.answer({json.dumps(part)})")


def leave_sheet(reader):
    """Closes the open sheet."""
    reader.key("Escape")
    reader.wait_for(f"!{SHEET}")


def open_sheet(reader, selector, part=""):
    """Opens a sheet, and waits until it is shown while the answer for it is held."""
    click(reader, selector)
    reader.wait_for(SHEET)
    if part:
        held(reader, part)


@BOTH_IN_ALL
def test_the_bar_and_the_sheets_of_the_shelves_keep_their_places(reader, library):
    reader.before(WATCH)
    reader.goto(f"{library.url}?late")
    with steady(reader, "the bar while the library answers"):
        reader.wait_for("document.getElementById('find')?.checkVisibility({ opacityProperty: true })")
        held(reader, "/api/uploads")
        answer(reader)
        reader.wait_for("['upload', 'recordings'].every((one) => !document.getElementById(one).hidden)")
    reader.ready()
    with steady(reader, "books found"):
        typed(reader, "geese")
        held(reader, "/api/books")
        reader.wait_for("__lectern.caption.filter === 'geese'")
        answer(reader)
        reader.wait_for("document.querySelectorAll('.found .entry').length === 2")
        reader.key("Escape")
    with steady(reader, "recordings"):
        open_sheet(reader, "#recordings", "/api/recordings")
        answer(reader)
        reader.wait_for("document.querySelectorAll('.recordings li').length > 1")
        last = reader.evaluate("document.querySelectorAll('.recordings li').length")
        click(reader, ".recordings .twice .plain")
        click(reader, ".recordings .twice .line")
        held(reader, "/api/recordings")
        answer(reader)
        reader.wait_for(f"document.querySelectorAll('.recordings .entry').length === {last - 1}")
    leave_sheet(reader)
    with steady(reader, "books that are added"):
        open_sheet(reader, "#upload")
        reader.evaluate("void (__steady.isLate = false)")
        for name in ("Torn", "Torn again"):
            reader.evaluate(DROP % (base64.b64encode(pdf()[:300] + name.encode()).decode(), f"{name}.pdf"))
        reader.wait_for("document.querySelectorAll('.transfers .failed').length === 2")
    leave_sheet(reader)


@BOTH_IN_ALL
def test_the_caption_of_a_shelf_keeps_its_place(reader, library):
    reader.before(WATCH)
    reader.resize(*PHONE)
    to_title(reader, library.url, PDF_TITLE)
    with steady(reader, "the arrows below a long title"):
        for _ in range(3):
            count = reader.evaluate("__lectern.caption.index")
            click(reader, "[aria-label='Next book']")
            reader.wait_for(f"__lectern.caption.index === {count + 1} && __lectern.settled")
            if reader.evaluate("__lectern.caption.title") == LONG_TITLE:
                break
    assert reader.evaluate("__lectern.caption.title") == LONG_TITLE
    with steady(reader, "about this book"):
        open_sheet(reader, "#edit", "/api/books")
        answer(reader)
        reader.wait_for("document.querySelector('dialog form')")
    leave_sheet(reader)


@BOTH_IN_ALL
def test_the_sheets_of_a_book_keep_their_places(reader, library):
    reader.before(WATCH)
    to_title(reader, library.url, PDF_TITLE)
    with steady(reader, "the bar of a book, and the sheets of its pages"):
        reader.key("Enter")
        reader.wait_for("__lectern.screen === 'book' && __lectern.settled && document.getElementById('bookbar')")
        held(reader, "/pages")
        reader.key("g")
        reader.wait_for(SHEET)
        answer(reader, "/pages")
        reader.wait_for("document.querySelector('dialog .sub').textContent === 'Pages 1 to 12'")
        typed(reader, "99")
        reader.key("Enter")
        reader.wait_for("document.querySelector('dialog .saying').textContent")
        leave_sheet(reader)
        open_sheet(reader, "#bookbar [aria-label=Contents]", "/outline")
        answer(reader)
        reader.wait_for("document.querySelector('dialog .entry')")
    leave_sheet(reader)
    with steady(reader, "search"):
        open_sheet(reader, "#bookbar [aria-label=Search]")
        typed(reader, RARE_WORD)
        for scope in ("first", "last"):
            click(reader, f".scopes label:{scope}-child")
            held(reader, "/api/search")
            answer(reader)
            reader.wait_for("document.querySelectorAll('.hits .entry').length === 1")
    leave_sheet(reader)
    with steady(reader, "all pages"):
        reader.key("g")
        click(reader, "dialog .acts .line")
        reader.wait_for("document.querySelector('.thumb img')?.complete")
    leave_sheet(reader)


@BOTH_IN_ALL
def test_the_sheets_of_a_shared_reading_keep_their_places(reader, library):
    reader.before(WATCH)
    to_title(reader, library.url, PDF_TITLE)
    with reader.settling("book"):
        reader.key("Enter")
    with steady(reader, "share"):
        click(reader, "#share")
        held(reader, "/api/address")
        answer(reader, "/api/address")
        reader.wait_for(SHEET)
        held(reader, "/api/qr")
        answer(reader)
        reader.wait_for("document.querySelector('.qr img')?.complete")
        for policy, name in enumerate(("anyoneTurns", "hostLeads")):
            click(reader, f".share [value={name}]")
            reader.wait_for(f"__lectern.session.room.policy === {policy}")
        click(reader, ".give .key")
        reader.wait_for("document.querySelector('.give .key').textContent.startsWith('Cop')")
    leave_sheet(reader)
    room, key = reader.evaluate("[__lectern.roomCode, __lectern.session.links.follow]")
    with contextlib.ExitStack() as guests:
        with steady(reader, "the bar of a book while others come"):
            guests.enter_context(Client(library.url, room=room, key=key, name="Maren"))
            reader.wait_for("__lectern.session.people.size === 2")
            reader.wait_for("!document.querySelector('#bookbar [aria-label=Point]').hidden")
        with steady(reader, "the list of guests"):
            open_sheet(reader, "#who")
            reader.wait_for("document.querySelectorAll('.guests .entry').length === 2")
            with Client(library.url, room=room, key=key, name="Theo"):
                reader.wait_for("document.querySelectorAll('.guests .entry').length === 3")
            reader.wait_for("__lectern.session.people.size === 2")
        leave_sheet(reader)
