"""Company for one window: clients without a browser that read with it."""

import contextlib

import wire
from steps import in_book, room_address
from wireclient import Client


@contextlib.contextmanager
def hosted(server, open_books, policy="hostLeads", **rules):
    """Shares an open book from a client named Maren; returns it."""
    with Client(server.url, reader=open_books.take(), name="Maren", still=True) as host:
        host.do("share")
        host.wait(lambda: host.links, "shared")
        rule(host, policy, **rules)
        yield host


def rule(host, policy, **changes):
    """Sets the policy and other settings of the room of a host."""
    settings = {name: getattr(host.room, name) for name in wire.SETTINGS} | changes
    host.do("settings", wire.POLICY[policy], wire.numbers(wire.SETTINGS, **settings))
    host.wait(
        lambda: host.room.policy == policy and all(getattr(host.room, name) == settings[name] for name in settings),
        f"a room of {policy}",
    )


def join(reader, server, host, grant="follow"):
    """Opens a link of a host in a window; returns the number of its member."""
    reader.open(f"{server.url}r/{host.welcome.room}#{getattr(host.links, grant)}")
    me = reader.evaluate("__lectern.session.me")
    host.wait(lambda: me in host.people, "joined by the window")
    reader.wait_for(f"__lectern.session.people.has({host.id})")
    return me


def shared(reader, open_books):
    """Opens a book in a window and shares it, led by its host; returns the room's name and the links."""
    view = in_book(reader, open_books)
    settings = wire.numbers(wire.SETTINGS, mayWander=True)
    for message in (wire.encode("share"), wire.encode("settings", wire.POLICY["hostLeads"], settings)):
        reader.evaluate(f"__lectern.app.send(new Uint8Array({list(message)}))")
    reader.wait_for("__lectern.session.links?.follow && __lectern.session.room.policy === 1")
    # The controls for reading together have been loaded.
    reader.ready()
    return view.room, reader.evaluate("__lectern.session.links")


def strip_says(reader, words):
    """Waits until the strip says something."""
    strip = "document.getElementById('strip')"
    reader.wait_for(f"{strip}?.hidden === false && {strip}.textContent.includes(`{words}`)")


def to_another(reader):
    """Goes to the next book on the shelf and opens it; returns its id."""
    book = reader.evaluate("__lectern.caption.book")
    with reader.settling("shelf"):
        reader.key("ArrowRight" if reader.evaluate("__lectern.caption.index") == 0 else "ArrowLeft")
    reader.wait_for(f"__lectern.caption.book !== '{book}'")
    with reader.settling("book"):
        reader.key("Enter")
    return reader.evaluate("__lectern.caption.book")
