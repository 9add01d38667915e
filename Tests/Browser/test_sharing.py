"""What a host and its guests see of the library while they share a book, in both browsers."""

import pytest

from controls import click, press, reach, text_of
from shaped import Shaped
from steps import BOTH, CENTRE, CLOSE, WIDE, assert_same, same
from test_together import (  # noqa: F401, the fixture is found by its name
    FOLLOWER,
    PRESENTER,
    ROLE,
    WANDERER,
    following,
    hosting,
    window,
)
from wireclient import Client

PEOPLE = "[...__lectern.session.people.values()]"
STRIP = "document.getElementById('strip')?.hidden === false"
SHELF = "__lectern.screen === 'shelf' && __lectern.isReady"


def shown(reader, selector):
    """Returns whether a control is visible."""
    return reader.evaluate(f"!!document.querySelector('{selector}')?.getClientRects().length")


def books_of(reader):
    """Returns the books that a page has elements of, by the addresses of their images."""
    return set(
        reader.evaluate(
            "[...document.querySelectorAll('#stage img')].map(one =>"
            " new URL(one.src).pathname.split('/')[2])"
        )
    )


def to_another(host):
    """Leaves the shared book and opens the next one; returns the ids of both."""
    book = host.evaluate("__lectern.caption.book")
    # The sheet that has closed has returned the focus to its button.
    host.evaluate("document.activeElement.blur()")
    with host.settling("shelf"):
        host.key("Escape")
    host.wait_for(SHELF)
    with host.settling("shelf"):
        host.key("ArrowRight" if host.evaluate("__lectern.caption.index") == 0 else "ArrowLeft")
    host.wait_for(f"__lectern.caption.book !== '{book}'")
    with host.settling("book"):
        host.key("Enter")
    return book, host.evaluate("__lectern.caption.book")


@pytest.fixture
def shared(window, chromium, firefox, server, open_books):  # noqa: F811
    """A host that leads in Chromium, one guest in Firefox and another in Chromium."""
    host, view, links = hosting(window, chromium, open_books)
    guest = following(window, firefox, server, view, links)
    host.wait_for("__lectern.session.people.size === 2")
    return host, guest, view, links


def test_a_host_chooses_another_book_and_brings_all_members(shared, window, chromium, server):  # noqa: F811
    host, guest, view, links = shared
    before = guest.look()
    title = guest.evaluate("__lectern.caption.title")
    with host.settling("shelf"):
        host.key("Escape")
    host.wait_for(SHELF)
    # The host sees its whole library, not just the shared book.
    assert host.evaluate("__lectern.caption.count") > 1
    guest.wait_for(f"{STRIP} && document.getElementById('strip').textContent.includes('choosing a book')")
    assert title in text_of(guest, "#strip")
    assert_same(guest.look(), before)
    # The same is true after a reload.
    host.open(host.evaluate("location.href"))
    host.wait_for(SHELF)
    assert host.evaluate("__lectern.caption.count") > 1
    with host.settling("shelf"):
        host.key("ArrowRight" if host.evaluate("__lectern.caption.index") == 0 else "ArrowLeft")
    with host.settling("book"):
        host.key("Enter")
    other = host.evaluate("__lectern.caption.book")
    host.wait_for(f"{STRIP} && document.getElementById('strip').textContent.includes('Bring everyone here')")
    assert guest.evaluate("__lectern.caption.book") != other
    press(host, "Bring everyone here", "#strip")
    guest.wait_for(f"__lectern.caption.book === '{other}' && __lectern.isReady")
    host.wait_for(f"{ROLE} === {PRESENTER}")
    same(guest, host)
    guest.wait_for("document.getElementById('strip').hidden")
    # The link leads there too, and to no other book.
    late = following(window, chromium, server, view, links)
    late.wait_for("__lectern.isReady")
    assert late.evaluate("__lectern.caption.book") == other
    with host.settling("book"):
        host.key("ArrowRight")
    same(guest, host)


def test_a_host_that_reads_alone_is_not_asked_again(shared):
    host, guest, *_ = shared
    book, other = to_another(host)
    host.wait_for(STRIP)
    press(host, "Read alone", "#strip")
    guest.wait_for(f"{ROLE} === {PRESENTER}")
    host.wait_for("document.getElementById('strip').textContent.includes('You read alone')")
    with guest.settling("book"):
        guest.key("ArrowRight")
    assert guest.evaluate("__lectern.caption.book") == book
    assert host.evaluate("__lectern.caption.book") == other
    press(host, "Back to the others", "#strip")
    host.wait_for(f"{ROLE} === {PRESENTER} && __lectern.isReady")
    guest.wait_for(f"{ROLE} === {FOLLOWER}")
    same(guest, host)


@pytest.mark.parametrize("leads", [True, False])
def test_a_guest_does_not_close_the_book_and_has_no_controls_of_the_library(
    window, chromium, firefox, server, open_books, leads  # noqa: F811
):
    host, view, links = hosting(window, chromium, open_books, leads)
    guest = following(window, firefox, server, view, links)
    before = host.look()
    guest.key("Escape")
    guest.pinch(CENTRE, WIDE, CLOSE)
    host.wait_for("__lectern.isReady")
    # The round trip shows that the server has handled earlier messages.
    guest.evaluate("window.asked = __lectern.time.roundTrip")
    guest.key("ArrowRight")
    (guest if leads else host).wait_for("__lectern.caption.page === 3 && __lectern.isReady")
    assert guest.evaluate("__lectern.screen") == host.evaluate("__lectern.screen") == "book"
    if leads:
        assert_same(host.look(), before)
    for selector in ("#edit", "#find", "#upload", "#recordings", "#share"):
        assert not shown(guest, selector), selector
    label = guest.evaluate("document.getElementById('back').getAttribute('aria-label')")
    assert label == "Leave the reading"
    click(guest, "#back")
    press(guest, "Stay", "dialog")
    guest.wait_for("!document.querySelector('dialog')")
    click(guest, "#back")
    press(guest, "Leave", "dialog")
    guest.wait_for("document.getElementById('state')")
    host.wait_for(f"{PEOPLE}.some(one => one.isAway)")
    assert host.evaluate("__lectern.screen") == "book"
    press(guest, "Come back", "#state")
    guest.wait_for("!document.getElementById('state') && __lectern.isReady")
    host.wait_for(f"{PEOPLE}.length === 2 && {PEOPLE}.every(one => !one.isAway)")


def test_a_guest_on_a_shared_shelf_sees_its_books_and_cannot_change_them(shared):
    host, guest, *_ = shared
    click(host, "#share")
    host.wait_for("document.querySelector('.qr img')?.complete")
    press(host, "More about this room")
    press(host, "Share the whole shelf")
    guest.wait_for("__lectern.session.room.sharesShelf")
    host.key("Escape")
    reach(guest, "#back")
    guest.wait_for("document.getElementById('back').getAttribute('aria-label') === 'To the shelf'")
    with guest.settling("shelf"):
        click(guest, "#back")
    guest.wait_for(f"{SHELF} && {ROLE} === {WANDERER}")
    assert host.evaluate("__lectern.screen") == "book"
    guest.wait_for("document.getElementById('label')")
    for selector in ("#edit", "#find", "#upload", "#recordings"):
        assert not shown(guest, selector), selector
    guest.key("a")
    click(guest, "#back")
    guest.wait_for(f"{ROLE} === {FOLLOWER} && __lectern.isReady")
    same(guest, host)
    assert not shown(guest, "#finder")


def test_a_raised_hand_is_lowered_by_its_owner_and_by_a_host(shared, server):
    host, guest, view, links = shared
    me = guest.evaluate("__lectern.session.me")
    raised = f"__lectern.session.people.get({me}).isRaised"
    with Client(server.url, room=view.room, key=links["follow"]):
        host.wait_for("__lectern.session.people.size === 3")
        guest.wait_for("document.getElementById('raise')?.hidden === false")
        click(guest, "#raise")
        host.wait_for(raised)
        guest.wait_for("document.getElementById('raise').getAttribute('aria-pressed') === 'true'")
        click(guest, "#raise")
        host.wait_for(f"!{raised}")
        guest.wait_for("document.getElementById('raise').getAttribute('aria-pressed') === 'false'")
        click(guest, "#raise")
        host.wait_for(raised)
        click(host, "#who")
        host.wait_for("document.querySelectorAll('.guests .entry').length === 3")
        click(host, ".guests li:nth-child(2) .entry")
        press(host, "Lower hand", ".guests")
        guest.wait_for(f"!{raised}")
        host.key("Escape")


@BOTH
def test_the_page_says_at_once_that_the_network_is_lost_and_reconnects(window, browser, server):  # noqa: F811
    line = Shaped(server.port)
    try:
        reader = window(browser)
        reader.open(line.url)
        reader.wait_for("__lectern.session.me !== 0")
        said = "!document.getElementById('notice').hidden"
        # A connection that still answers is kept, whatever the browser reports.
        me = reader.evaluate("__lectern.session.me")
        reader.evaluate(
            "(async () => { dispatchEvent(new Event('offline'));"
            " await new Promise(next => setTimeout(next, 1500)) })()"
        )
        assert not reader.evaluate(said)
        line.stall()
        reader.evaluate(
            "(() => { Object.defineProperty(navigator, 'onLine', {value: false, configurable: true});"
            " window.toldAfter = null; const began = performance.now();"
            " new MutationObserver(() => { window.toldAfter ??= performance.now() - began })"
            ".observe(document.getElementById('notice'), {attributes: true});"
            " dispatchEvent(new Event('offline')) })()"
        )
        reader.wait_for(said)
        # This is well before the eight seconds after which a silent connection counts as dead.
        assert reader.evaluate("toldAfter") < 4000
        words = text_of(reader, "#notice")
        assert words.startswith("You are offline; the book is held.")
        line.flow()
        reader.evaluate(
            "(() => { Object.defineProperty(navigator, 'onLine', {value: true, configurable: true});"
            " dispatchEvent(new Event('online')) })()"
        )
        reader.wait_for(f"!({said}) && __lectern.isReady")
        assert reader.evaluate("__lectern.session.me") == me
    finally:
        line.close()


def test_a_code_differs_from_the_name_of_a_room_and_a_wrong_one_is_explained(
    shared, window, firefox, server  # noqa: F811
):
    _, _, view, links = shared
    assert len(links["code"]) == 6 and links["code"].isupper()
    assert len(view.room) > 6 and view.room.islower() and "-" in view.room
    stranger = window(firefox)
    stranger.open(server.url)
    click(stranger, "#join")
    stranger.wait_for("document.querySelector('.code.typed input')")
    for letter in "zzzzzz":
        stranger.key(letter)
    press(stranger, "Join", "dialog")
    stranger.wait_for("document.getElementById('state')")
    assert "Codes last 15 minutes; ask for a new one." in text_of(stranger, "#state")
