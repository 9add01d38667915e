"""What one member sees and can do while several read together; the other members are clients without a browser."""

import pytest

import wire
from company import hosted, join, rule, shared, strip_says
from controls import click, press, text_of, typed
from server import Server
from steps import CENTRE, CLOSE, WIDE, in_book
from together_wire.sharing import KEY, LOCKED, SHOWN_OUT
from wireclient import Client

ROLE = "__lectern.session.role?.role"
FOLLOWER, WANDERER = 2, 3
# WebSockets that a proxy does not forward while the page is blocked.
UNFORWARDED = """window.WebSocket = class extends WebSocket {
  constructor(url, ...more) { super(window.isForwarded ? url : url.replace('/ws', '/not-forwarded'), ...more) }
}"""
HAS_LEFT = "document.getElementById('state')"
# The bitmap of the table with the shadow of the book.
SHADOW = "getComputedStyle(document.querySelector('.ground + .ground')).visibility"
# The centre of another member's dot of light, in CSS px and in fractions of the box of a page; null if there is none.
SIGN = "document.querySelector('.beckon')?.getClientRects().length > 0"
SPOT = """(() => {
  const dot = document.querySelector('#hands .light.dotted:not(.gone) .dot')?.getBoundingClientRect()
  const page = [...document.querySelectorAll('#stage .el[data-kind=page]')]
    .find(page => page.style.visibility !== 'hidden' && +page.dataset.index === %d)?.getBoundingClientRect()
  if (!dot || !page) return null
  const [x, y] = [dot.x + dot.width / 2, dot.y + dot.height / 2]
  return [[x, y], [(x - page.x) / page.width, (y - page.y) / page.height]]
})()"""


def shows(reader, selector):
    """Returns whether a control is visible."""
    return reader.evaluate(f"!!document.querySelector('{selector}')?.getClientRects().length")


def test_a_guest_does_not_close_the_book_and_has_no_controls_of_the_library(reader, server, open_books):
    with hosted(server, open_books, "anyoneTurns") as host:
        join(reader, server, host)
        reader.key("Escape")
        reader.pinch(CENTRE, WIDE, CLOSE)
        page = host.page
        # A leaf that turns shows that the server has handled what came before it.
        reader.key("ArrowRight")
        host.wait(lambda: host.page == page + 2, "at the next page")
        reader.wait_for(f"__lectern.caption.page === {host.page} && __lectern.isReady")
        assert reader.look().screen == host.frame.screen == "book"
        for selector in ("#edit", "#find", "#upload", "#recordings", "#share"):
            assert not shows(reader, selector), selector
        assert reader.evaluate("document.getElementById('back').ariaLabel") == "Leave the session"


def test_a_guest_on_a_shared_shelf_sees_its_books_and_cannot_change_them(reader, server, open_books):
    with hosted(server, open_books, sharesShelf=True) as host:
        join(reader, server, host)
        reader.wait_for("document.getElementById('back').ariaLabel === 'To the shelf'")
        with reader.settling("shelf"):
            click(reader, "#back")
        reader.wait_for(f"{ROLE} === {WANDERER}")
        assert host.frame.screen == "book"
        assert shows(reader, "#label")
        for selector in ("#edit", "#find", "#upload", "#recordings"):
            assert not shows(reader, selector), selector
        reader.key("a")
        # The frames of the others have numbers of their own.
        click(reader, "#back")
        reader.wait_for(f"{ROLE} === {FOLLOWER} && __lectern.screen === 'book' && __lectern.isReady")
        assert reader.evaluate("__lectern.caption.page") == host.page
        assert not shows(reader, "#finder")


def test_a_hand_is_raised_and_lowered_by_its_button_and_lowered_by_the_host(reader, server, open_books):
    with hosted(server, open_books) as host, Client(server.url, host.welcome.room, host.links.follow):
        me = join(reader, server, host)

        def is_raised(expected):
            host.wait(lambda: host.people[me].isRaised == expected, f"raised: {expected}")
            reader.wait_for(f"document.getElementById('raise').ariaPressed === '{str(expected).lower()}'")

        for expected in (True, False, True):
            click(reader, "#raise")
            is_raised(expected)
        host.do("lowerHand", me)
        is_raised(False)


def test_a_dot_of_light_is_at_the_same_point_of_the_page(reader, server, open_books):
    with hosted(server, open_books) as host:
        me = join(reader, server, host, "present")
        # The window's own dot, which the control turns on; the host's window has the same size.
        point, page = (700, 300), host.elements[host.caption.spread[-1]].index
        click(reader, "[aria-label^=Point]")
        reader.wait_for("document.body.classList.contains('pointing')")
        reader.press([point])
        with Client(server.url, host.welcome.room, host.links.follow) as guest:
            host.do("point", *point)
            guest.wait(lambda: {me, host.id} <= guest.pointers.keys(), "pointed at by both")
            ours, theirs = guest.pointers[me], guest.pointers[host.id]
            assert (ours.element, ours.kind) == (theirs.element, "laser")
            assert (ours.x, ours.y) == pytest.approx((theirs.x, theirs.y), abs=0.005)
        host.wait(lambda: me in host.pointers, "pointed at by the reader")
        reader.lift()
        reader.key("Escape")
        host.wait(lambda: host.pointers[me].kind == "gone", "no longer pointed at")
        # The host's dot, in windows of two sizes.
        reader.wait_for(SPOT % page)
        at, (x, y) = reader.evaluate(SPOT % page)
        assert at == pytest.approx(point, abs=2)
        reader.resize(520, 700)
        # The upright window may show the other page, and then a sign leads to the dot.
        is_there = f"Math.hypot(spot[1][0] - {x}, spot[1][1] - {y}) < 0.02"
        moved = f"(spot => spot && Math.abs(spot[0][0] - {point[0]}) > 100 && {is_there})({SPOT % page})"
        reader.wait_for(f"__lectern.session.framing.pages > 0 && __lectern.isReady && ({moved} || {SIGN})")
        if not reader.evaluate(moved):
            click(reader, ".beckon")
        reader.wait_for(moved)
        host.do("point")
        reader.wait_for(f"!({SPOT % page})")


def test_a_removed_guest_and_one_at_a_locked_room_see_why(reader, server, open_books):
    with hosted(server, open_books) as host:
        me = join(reader, server, host)
        reader.wait_for(f"document.querySelector('#table.shadowed') && {SHADOW} === 'visible'")
        host.do("showOut", me)
        reader.wait_for(HAS_LEFT)
        # The shadow of the book goes with it.
        reader.wait_for(f"{SHADOW} === 'hidden'")
        assert text_of(reader, "#state h2") == "The host has removed you from this session"
        rule(host, "hostLeads", isLocked=True)
        reader.goto(f"{server.url}r/{host.welcome.room}#{host.links.follow}")
        reader.wait_for(f"{HAS_LEFT}?.textContent.toLowerCase().includes('locked')")


def test_a_host_lowers_a_hand_removes_a_guest_and_locks_the_room_by_its_controls(reader, server, open_books):
    room, links = shared(reader, open_books)
    with Client(server.url, room, links["follow"], name="Theo") as guest:
        guest.do("raise", 1)
        reader.wait_for(f"__lectern.session.people.get({guest.id})?.isRaised")
        strip_says(reader, "Theo raises a hand.")
        click(reader, "#who")
        click(reader, ".guests li:nth-child(2) .entry")
        press(reader, "Lower hand", ".guests")
        guest.wait(lambda: not guest.me.isRaised, "lowered")
        click(reader, ".guests li:nth-child(2) .entry")
        press(reader, "Remove", ".guests")
        press(reader, "Remove", ".twice")
        assert guest.wait_closed() == SHOWN_OUT
    reader.key("Escape")
    reader.wait_for("__lectern.session.people.size === 1 && !document.querySelector('dialog')")
    click(reader, "#share")
    press(reader, "More about this room")
    press(reader, "Share the whole shelf")
    reader.wait_for("__lectern.session.room.sharesShelf")
    press(reader, "Nobody else can join")
    reader.wait_for("__lectern.session.room.isLocked")
    with Client(server.url, room, links["follow"], waits=False) as locked:
        assert locked.wait_closed() == LOCKED


def test_a_code_leads_into_the_room_and_a_wrong_one_is_explained(reader, server, open_books):
    with hosted(server, open_books) as host:
        code = host.links.code
        # Nobody takes one for the other.
        assert len(code) == 6 and code.isupper()
        assert len(host.welcome.room) > 6 and host.welcome.room.islower() and "-" in host.welcome.room
        reader.open(server.url)
        click(reader, "#join")
        reader.wait_for("document.activeElement.closest('.code.typed')")
        typed(reader, "zzzzzz")
        press(reader, "Join", "dialog")
        reader.wait_for(HAS_LEFT)
        assert text_of(reader, "#state h2") == "No room has the code ZZZZZZ"
        assert "Codes last 15 minutes; ask for a new one." in text_of(reader, "#state")
        press(reader, "Type it again")
        reader.wait_for("document.activeElement.closest('.code.typed')")
        typed(reader, code.lower())
        press(reader, "Join", "dialog")
        reader.wait_for(f"__lectern.roomCode === '{host.welcome.room}' && __lectern.isReady && !{HAS_LEFT}")
        assert reader.evaluate("location.pathname.slice(__lectern.root.length)").startswith(f"r/{host.welcome.room}")
        assert reader.evaluate("[__lectern.caption.book, __lectern.caption.page]") == [host.caption.book, host.page]


def test_a_reading_that_is_over_says_so_and_leads_to_a_room_of_ones_own(reader, server, open_books):
    with hosted(server, open_books) as host:
        host.do("endReading")
        host.wait(lambda: not host.room.isShared, "ended")
        reader.goto(f"{server.url}r/{host.welcome.room}#{host.links.follow}")
        reader.wait_for(HAS_LEFT)
        assert text_of(reader, "#state h2") == "This session is over"
        # The library is open: it has no key.
        assert not shows(reader, "#state input")
        press(reader, "Join with a code", "#state")
        reader.wait_for("document.activeElement.closest('.code.typed')")
        reader.key("Escape")
        click(reader, "#state a")
        reader.wait_for(f"window.__lectern?.isReady && __lectern.roomCode !== '{host.welcome.room}'")


def test_a_room_takes_the_key_of_its_library(reader):
    server = Server("--library-key", KEY)
    try:
        with Client(server.url, key=KEY) as owner:
            reader.goto(f"{server.url}r/{owner.welcome.room}")
            said = "document.querySelector('#state h2')?.textContent"
            reader.wait_for(f"{said} === 'The end of this link is missing'")
            for key in ("wrong", KEY):
                click(reader, "#state input")
                typed(reader, key)
                press(reader, "Use it", "#state")
                if key != KEY:
                    reader.wait_for(f"{said} === 'That key does not open this library'")
            reader.wait_for(f"__lectern.roomCode === '{owner.welcome.room}' && __lectern.isReady && !{HAS_LEFT}")
            # The page asks whether there is a key.
            assert all("401" in error for error in reader.errors)
            reader.errors.clear()
    finally:
        server.stop()


def test_a_page_that_never_connects_says_why_until_it_does(reader, server):
    reader.before(UNFORWARDED)
    reader.goto(server.url)
    said = "document.querySelector('#state h2')?.textContent"
    reader.wait_for(f"{said}?.startsWith('The server answers, but the connection')")
    assert "WebSockets" in text_of(reader, "#state p:not(.code)")
    assert not shows(reader, "#notice")
    reader.evaluate("void (window.fetch = () => Promise.reject(new TypeError()))")
    press(reader, "Try again", "#state")
    reader.wait_for(f"{said} === 'The server does not answer'")
    reader.evaluate("void (window.isForwarded = true)")
    press(reader, "Try again", "#state")
    reader.wait_for(f"__lectern.isReady && !{HAS_LEFT}")
    reader.errors.clear()


def test_a_first_sharing_asks_who_turns_and_later_ones_follow_it(reader, open_books):
    in_book(reader, open_books)
    asks = "document.querySelector('.share .turns')?.checkVisibility() === true"
    click(reader, "#share")
    reader.wait_for(f"{asks} && !document.querySelector('.share .switch').checkVisibility()")
    assert reader.evaluate("document.querySelector('.turns :checked').value") == "anyoneTurns"
    click(reader, ".turns [value=hostLeads]")
    reader.wait_for("__lectern.session.room.policy === 1")
    reader.key("Escape")
    reader.wait_for("!document.querySelector('dialog')")
    assert reader.evaluate("localStorage.getItem('lectern-turns')") == "hostLeads"
    click(reader, "#share")
    reader.wait_for("document.querySelector('.share .switch')?.checkVisibility()")
    assert not reader.evaluate(asks)
    reader.key("Escape")
    # Another room.
    reader.evaluate("localStorage.setItem('lectern-turns', 'passTheBook')")
    reader.evaluate(f"__lectern.app.send(new Uint8Array({list(wire.encode('endReading'))}))")
    reader.wait_for("!__lectern.session.room.isShared && !document.querySelector('dialog')")
    click(reader, "#share")
    reader.wait_for("__lectern.session.room.policy === 2")
    reader.wait_for("document.querySelector('.share .switch')?.checkVisibility()")
    assert not reader.evaluate(asks)
