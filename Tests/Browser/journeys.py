"""The ways through every screen and sheet of the page; each shows them to a window's inspectors (screens.py)."""

import base64
import contextlib

import wire
from bookserver import DROP
from controls import click, open_title, to_title, typed
from fixtures import PDF_TITLE, pdf
from screens import FIRST, LONG_TITLE, SHUT, TORN
from steps import record_turns
from wireclient import Client

OPEN = "document.querySelector('dialog[open]')"
NAMES = ("Maren", "Theo", "Bartholomew Featherstonehaugh", "Ida", "Jun", "Noor")
# Drags a file over the page.
OVER = """document.body.dispatchEvent((() => {
  const files = new DataTransfer()
  files.items.add(new File(['x'], 'x.pdf'))
  return new DragEvent('dragover', { dataTransfer: files, bubbles: true, cancelable: true })
})())"""
# Shows the reason for which a connection has ended, by its close code.
ENDED = """(async () => {
  const { ended, control } = await import('/js/session/ended.js')
  const said = ended(%d, { reason: '', room: '', typed: '', host: 'Bartholomew Featherstonehaugh', pages: 31 })
  const joining = await __lectern.app.load('together/join')
  await joining.say({ ...said, acts: said.acts.map((one) => control(one, () => {})) })
})()"""
SAYS = """import('/js/words/session.js').then(({ WORDS }) =>
  __lectern.app.notice(WORDS.holdingAt('pages 104–105')))"""


def leave_sheet(reader):
    """Closes the open sheet."""
    reader.key("Escape")
    reader.wait_for(f"!{OPEN}")


def shelves(screens, url):
    """The list, the shelf, and the sheets of the library."""
    reader = screens.reader
    reader.open(url)
    screens.look("list")
    screens.look("files over the page", OVER)
    reader.wait_for("document.querySelector('.droppable').hidden")
    typed(reader, "o")
    reader.wait_for("document.querySelectorAll('.found .entry').length > 2")
    screens.look("books found")
    typed(reader, "walrus")
    reader.wait_for("document.querySelector('#empty:not([hidden])')")
    screens.look("no book found")
    reader.key("Escape")
    reader.wait_for("document.querySelector('#empty').hidden && __lectern.caption.filter === ''")
    click(reader, "#join")
    reader.wait_for(OPEN)
    screens.look("join")
    leave_sheet(reader)
    click(reader, "#upload")
    reader.wait_for(OPEN)
    reader.evaluate(DROP % (base64.b64encode(pdf()[:300]).decode(), f"{LONG_TITLE}.pdf"))
    reader.wait_for("document.querySelector('.transfers .failed')", 60)
    screens.look("adding books")
    leave_sheet(reader)
    for name, title in (("shelf", LONG_TITLE), ("shelf with a locked book", SHUT), ("shelf with a torn book", TORN)):
        to_title(reader, url, title)
        if title != LONG_TITLE:
            reader.wait_for("document.querySelector('#care p')")
        screens.look(name)
    click(reader, "#edit")
    reader.wait_for("document.querySelector('dialog[open] form')")
    screens.look("about this book")
    leave_sheet(reader)


def book(screens, url):
    """The open book alone, its sheets, and the sheet that shares it."""
    reader = screens.reader
    open_title(reader, url, PDF_TITLE)
    screens.look("book")
    with reader.settling("book"):
        reader.key("f")
    screens.look("flat book")
    reader.evaluate(SAYS)
    screens.look("notice")
    reader.evaluate("__lectern.app.notice('')")
    click(reader, "#bookbar .group:first-child .icon:first-child")
    reader.wait_for("document.querySelector('dialog[open] .entry')")
    screens.look("contents")
    leave_sheet(reader)
    click(reader, "#bookbar .group:first-child .icon:last-child")
    reader.wait_for("document.activeElement.matches('[type=search]')")
    typed(reader, "fern")
    reader.wait_for("document.querySelector('.hits .entry')")
    screens.look("search")
    leave_sheet(reader)
    reader.key("ArrowRight")
    click(reader, ".hot[aria-label*='example.org'], .hot[aria-label*='org']")
    reader.wait_for(OPEN)
    screens.look("link")
    leave_sheet(reader)
    reader.key("w")
    reader.wait_for("document.querySelector('dialog[open] .entry')")
    screens.look("fit")
    leave_sheet(reader)
    for key, name in (("g", "place"), ("r", "reading view")):
        reader.key(key)
        reader.wait_for(OPEN)
        screens.look(name)
        leave_sheet(reader)
    reader.evaluate("__lectern.app.load('settings/settings').then((one) => one.show())")
    reader.wait_for(OPEN)
    screens.look("settings")
    leave_sheet(reader)
    click(reader, "#share")
    reader.wait_for("document.querySelector('.qr img')?.complete")
    screens.look("share")
    click(reader, ".share .inside > div > .plain")
    click(reader, ".affairs .twice:nth-of-type(2) .plain")
    reader.wait_for("document.querySelector('.twice [role=status]')")
    screens.look("room")
    leave_sheet(reader)
    reader.key("+")
    reader.wait_for("document.body.dataset.zoomed === 'true'")
    reader.ready()
    screens.found("zoomed book", FIRST)


@contextlib.contextmanager
def guests(url, room, key, count=len(NAMES)):
    """Lets guests into a room; yields them."""
    with contextlib.ExitStack() as stack:
        yield [
            stack.enter_context(Client(url, room=room, key=key, name=name, colour=place % 6))
            for place, name in enumerate(NAMES[:count])
        ]


def host(screens, url):
    """What a host sees of the guests."""
    reader = screens.reader
    open_title(reader, url, PDF_TITLE)
    click(reader, "#share")
    reader.wait_for("__lectern.session.links?.follow && document.querySelector('.qr img')?.complete")
    click(reader, ".share [value=hostLeads]")
    leave_sheet(reader)
    room = reader.evaluate("__lectern.roomCode")
    with guests(url, room, reader.evaluate("__lectern.session.links.follow")) as others:
        reader.wait_for(f"__lectern.session.people.size === {1 + len(NAMES)}")
        screens.look("book with guests")
        others[2].do("handover", "ask")
        reader.wait_for("document.getElementById('strip')?.hidden === false")
        screens.look("question of a guest")
        others[0].do("raise", 1)
        reader.wait_for("[...__lectern.session.people.values()].some((person) => person.isRaised)")
        click(reader, "#who")
        reader.wait_for("document.querySelector('dialog[open] .guests')")
        reader.wait_for("document.querySelectorAll('.guests .entry').length === 7")
        click(reader, ".guests li:nth-child(2) .entry")
        reader.wait_for("document.querySelector('.guests li > .row')")
        screens.look("guests")
        click(reader, ".guests li:first-child .entry")
        reader.wait_for("document.querySelector('.colours')")
        screens.look("name")
        leave_sheet(reader)


def guest(screens, url):
    """What a guest sees, to the end of the session."""
    reader = screens.reader
    with Client(url, name=NAMES[2]) as leader:
        leader.key("Enter")
        leader.key("Enter")
        leader.wait(lambda: leader.frame.screen == "book" and leader.frame.settled, "in a book")
        leader.do("share")
        leader.wait(lambda: leader.links, "shared")
        may_wander = wire.numbers(wire.SETTINGS, mayWander=True)
        leader.do("settings", list(wire.POLICY).index("hostLeads"), may_wander)
        leader.wait(lambda: leader.room.policy == "hostLeads", "leading")
        room, key = leader.welcome.room, leader.links.follow
        with guests(url, room, key, 3):
            reader.open(f"{url}r/{room}#{key}")
            reader.ready()
            reader.wait_for("__lectern.session.people.size === 5")
            reader.wait_for("document.querySelector('.people')?.hidden === false")
            screens.look("book of a host")
            with reader.settling("book"):
                reader.key("ArrowRight")
            reader.wait_for("document.getElementById('strip')?.hidden === false")
            screens.look("page of one's own")
            click(reader, "#back")
            reader.wait_for(OPEN)
            screens.look("leaving")
            leave_sheet(reader)
            leader.do("endReading")
            reader.wait_for("document.getElementById('state')")
            screens.look("end of the session")
    reader.evaluate(ENDED % 4005)
    screens.look("key of the library")


def playing(screens, url):
    """A recording, and the list of recordings."""
    reader = screens.reader
    record_turns(url)
    reader.open(url)
    click(reader, "#recordings")
    reader.wait_for("document.querySelector('.recordings .entry')")
    screens.look("recordings")
    click(reader, ".recordings .entry")
    reader.wait_for("document.getElementById('playback')?.hidden === false && __lectern.screen === 'book'")
    reader.wait_for("__lectern.session.playback?.isPlaying === false")
    reader.ready()
    screens.look("recording")
