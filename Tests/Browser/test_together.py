"""Reading together: three ways through it with two windows, a host in Chromium and a follower in Firefox.

What the server decides is tested without a browser in Tests/RoomsTests and together_wire, and what the page of one
member shows in test_sharing.py.
"""

import contextlib

import pytest

from company import strip_says, to_another
from controls import click, press, text_of
from server import Line, Server
from steps import LEFT, MOVING, RIGHT, OpenBooks, assert_same, in_book, room_address, same

PRESENTER, COPRESENTER, FOLLOWER, WANDERER = range(4)
ROLE = "__lectern.session.role?.role"


@pytest.fixture
def two(chromium, firefox):
    """A window of each browser, which must have no errors after the test, except about a missing connection."""
    readers = [chromium.reader(), firefox.reader()]
    yield readers
    errors = [error for reader in readers for error in reader.errors if "/ws" not in error]
    for reader in readers:
        reader.close()
    assert errors == []


def share(host, follower, url=None):
    """Shares the book of a window by the page's controls, leads, and opens the link in the other window."""
    click(host, "#share")
    click(host, "dialog [value=hostLeads]")
    host.wait_for("__lectern.session.room.policy === 1")
    host.key("Escape")
    host.wait_for("!document.querySelector('dialog')")
    view, key = host.look(), host.evaluate("__lectern.session.links.follow")
    follower.open(f"{room_address(url or host.evaluate('location.origin') + '/', view)}#{key}")
    follower.wait_for("__lectern.session.people.size === 2")
    return view


def meet(one, other):
    """Waits until a window at rest shows the place of another one, and compares the two."""
    other.ready()
    book, page = (other.evaluate(f"__lectern.caption.{name}") for name in ("book", "page"))
    one.wait_for(f"__lectern.isReady && __lectern.caption.book === '{book}' && __lectern.caption.page === {page}")
    assert_same(one.look(), other.look())


def turn(host, follower, key="ArrowRight"):
    """Turns a leaf in one window; the other one shows the same."""
    page = host.evaluate("__lectern.caption.page")
    with host.settling("book"):
        host.key(key)
    assert host.evaluate("__lectern.caption.page") != page
    meet(follower, host)


@MOVING
def test_a_leaf_turns_alike_and_the_book_is_handed_over_and_taken_back(two, open_books):
    host, follower = two
    in_book(host, open_books)
    share(host, follower)
    assert "#" not in follower.evaluate("location.href")
    assert_same(follower.look(), host.look())
    with host.settling("book"):
        host.press([RIGHT])
        host.move([(450, 384)], 12)
        host.dwell([(450, 384)], 4)
        assert not host.look().settled
        same(follower, host)
        assert text_of(follower, ".people .turning").endswith("is turning the pages")
        host.lift()
    same(follower, host)

    press(follower, "Ask for the book")
    follower.wait_for("document.getElementById('handover').textContent.trim() === 'Asked'")
    press(host, "Hand it over", "#strip")
    follower.wait_for(f"{ROLE} === {PRESENTER}")
    host.wait_for(f"{ROLE} === {COPRESENTER}")
    with follower.settling("book"):
        follower.key("ArrowRight")
    same(host, follower)
    press(host, "Take the book back")
    host.wait_for(f"{ROLE} === {PRESENTER}")
    follower.wait_for(f"{ROLE} === {FOLLOWER}")
    with host.settling("book"):
        host.key("ArrowLeft")
    same(follower, host)


def test_a_follower_wanders_and_rejoins_after_a_lost_line_and_a_restart_of_the_server(two, tmp_path):
    host, follower = two
    server = Server("--data", str(tmp_path))
    line = Line(server.port)
    try:
        with contextlib.closing(OpenBooks(server.url, ahead=1)) as open_books:
            in_book(host, open_books)
        view = share(host, follower, line.url)
        for reader in two:
            reader.evaluate("window.isStill = true")
        me = follower.evaluate("__lectern.session.me")

        with follower.settling("book"):
            follower.drag(RIGHT, LEFT, touch=True)
        follower.wait_for(f"{ROLE} === {WANDERER}")
        assert follower.look().spread == [3, 4]
        assert host.look().spread == [1, 2]
        strip_says(follower, "You have wandered to pages 4–5.")
        strip_says(follower, "is on pages 2–3.")
        press(follower, "Catch up", "#strip")
        follower.wait_for(f"{ROLE} === {FOLLOWER} && document.getElementById('strip').hidden")
        meet(follower, host)

        line.cut()
        host.wait_for(f"__lectern.session.people.get({me}).isAway")
        with host.settling("book"):
            host.key("ArrowRight")
        line.mend()
        host.wait_for(f"!__lectern.session.people.get({me}).isAway")
        follower.wait_for(f"{ROLE} === {FOLLOWER} && __lectern.session.me === {me}")
        meet(follower, host)
        assert host.evaluate("__lectern.session.people.size") == 2

        before = host.look()
        assert server.stop() == 0
        server = Server("--data", str(tmp_path), port=server.port)
        for reader in two:
            # The new server numbers its frames from the start.
            reader.wait_for(
                f"__lectern.frame < {before.frame} && __lectern.isReady && __lectern.session.people.size === 2"
            )
            assert reader.look().room == view.room
            assert reader.look().spread == before.spread
        host.wait_for(f"{ROLE} === {PRESENTER} && __lectern.session.role.rights.isHost")
        follower.wait_for(f"{ROLE} === {FOLLOWER}")
        turn(host, follower)
        assert all(reader.evaluate("window.isStill") for reader in two)
    finally:
        line.close()
        server.stop()


def test_a_host_brings_all_members_to_another_book_and_a_guest_leaves_and_comes_back(two, open_books):
    host, guest = two
    in_book(host, open_books)
    share(host, guest)
    title = guest.evaluate("__lectern.caption.title")
    before = guest.look()
    with host.settling("shelf"):
        host.key("Escape")
    # The host sees its whole library, not just the shared book.
    assert host.evaluate("__lectern.caption.count") > 1
    strip_says(guest, f"choosing a book. You stay with {title}.")
    assert_same(guest.look(), before)
    # The same is true after a reload.
    host.open(host.evaluate("location.href"))
    assert host.look().screen == "shelf"
    assert host.evaluate("__lectern.caption.count") > 1
    other = to_another(host)
    assert guest.evaluate("__lectern.caption.book") != other
    press(host, "Read alone", "#strip")
    guest.wait_for(f"{ROLE} === {PRESENTER}")
    strip_says(host, "You read alone.")
    assert guest.evaluate("__lectern.caption.title") == title
    press(host, "Bring everyone here", "#strip")
    host.wait_for(f"{ROLE} === {PRESENTER}")
    meet(guest, host)
    assert guest.evaluate("__lectern.caption.book") == other
    guest.wait_for("document.getElementById('strip').hidden")

    click(guest, "#back")
    press(guest, "Stay", "dialog")
    guest.wait_for("!document.querySelector('dialog')")
    click(guest, "#back")
    press(guest, "Leave", "dialog")
    guest.wait_for("document.getElementById('state')")
    host.wait_for("[...__lectern.session.people.values()].some(one => one.isAway)")
    assert host.evaluate("__lectern.screen") == "book"
    press(guest, "Come back", "#state")
    host.wait_for("[...__lectern.session.people.values()].every(one => !one.isAway)")
    assert host.evaluate("__lectern.session.people.size") == 2
    # The link leads there too.
    assert guest.evaluate("__lectern.caption.book") == other
    turn(host, guest)
