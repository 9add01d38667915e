"""Reading together with windows of Chromium and Firefox."""

import contextlib

import pytest

from controls import click, press, reach, text_of
from server import Line, Server
from steps import MOVING, LEFT, RIGHT, OpenBooks, assert_same, in_book, open_beside, record_turns, room_address, same

PRESENTER, COPRESENTER, FOLLOWER, WANDERER = range(4)
ROLE = "__lectern.session.role?.role"
# The centre of the dot of light on a page, in fractions of the page's box.
SPOT = """(() => {
  const dot = document.querySelector('#hands .light.dotted:not(.gone) .dot')?.getBoundingClientRect()
  const pages = [...document.querySelectorAll('#stage .el[data-kind=page]')]
    .filter(page => page.style.visibility !== 'hidden' && +page.dataset.index === %d)
  if (!dot || pages.length === 0) return null
  const box = pages[0].getBoundingClientRect()
  return [(dot.x + dot.width / 2 - box.x) / box.width, (dot.y + dot.height / 2 - box.y) / box.height]
})()"""


def faults(reader):
    """Returns the errors of a window, except those about a missing connection."""
    return [error for error in reader.errors if "/ws" not in error]


@pytest.fixture
def window():
    """Opens windows, which must have no errors after the test."""
    readers = []

    def make(browser, **options):
        readers.append(browser.reader(**options))
        return readers[-1]

    yield make
    errors = {reader.name: faults(reader) for reader in readers}
    for reader in readers:
        reader.close()
    assert not any(errors.values()), errors


@pytest.fixture(scope="module")
def pair(chromium, firefox, server, open_books):
    """A leading host in Chromium and a follower in Firefox, for all tests that keep this arrangement."""
    chromium.moves = firefox.moves = True
    readers = [chromium.reader(), firefox.reader()]
    host, view, links = hosting(lambda _: readers[0], chromium, open_books)
    following(lambda _: readers[1], firefox, server, view, links)
    yield *readers, view, links
    for reader in readers:
        reader.close()


@pytest.fixture
def two(pair):
    """The host and the follower, on the first pages of a book; they must have no errors."""
    host, follower, *_ = pair
    if host.evaluate("__lectern.caption.page") != 1:
        with host.settling("book"):
            host.key("Home")
    same(follower, host)
    yield host, follower
    assert faults(host) == faults(follower) == []


def hosting(window, chromium, open_books, leads=True):
    """Opens a window of Chromium that shares a book by the page's controls; returns it with the links."""
    host = window(chromium)
    view = in_book(host, open_books)
    host.wait_for("document.getElementById('share')")
    click(host, "#share")
    host.wait_for("__lectern.session.links?.follow")
    # The sheet grows until the links have arrived.
    host.wait_for("document.querySelector('.reach')?.hidden === false")
    host.wait_for("document.querySelector('.qr img')?.complete")
    if leads:
        press(host, "Anyone here may turn the page")
        host.wait_for("__lectern.session.room.policy === 1")
    host.key("Escape")
    host.wait_for("!document.querySelector('dialog')")
    return host, view, host.evaluate("__lectern.session.links")


def following(window, firefox, server, view, links, grant="follow"):
    """Opens a link in a window of Firefox."""
    follower = window(firefox)
    follower.open(f"{room_address(server.url, view)}#{links[grant]}")
    follower.wait_for("__lectern.isReady && __lectern.session.people.size > 1")
    return follower


@MOVING
def test_a_turning_leaf_is_the_same_in_chromium_and_firefox(two):
    host, follower = two
    assert "#" not in follower.evaluate("location.href")
    assert_same(follower.look(), host.look())
    with host.settling("book"):
        host.press([RIGHT])
        host.move([(450, 384)], 20)
        host.dwell([(450, 384)], 4)
        assert not host.look().settled
        same(follower, host)
        assert text_of(follower, ".people .turning").endswith("is turning the pages")
        host.lift()
    same(follower, host)


def test_a_follower_wanders_by_touch_and_catches_up_with_one_tap(two):
    host, follower = two
    with follower.settling("book"):
        follower.drag(RIGHT, LEFT, touch=True)
    follower.wait_for(f"{ROLE} === {WANDERER}")
    assert follower.look().spread == [3, 4]
    assert host.look().spread == [1, 2]
    follower.wait_for("!document.getElementById('strip')?.hidden")
    assert "You have wandered to pages 4–5." in text_of(follower, "#strip")
    assert "is on pages 2–3." in text_of(follower, "#strip")
    frame = follower.evaluate("__lectern.frame")
    press(follower, "Catch up", "#strip")
    follower.wait_for(f"{ROLE} === {FOLLOWER} && __lectern.settled && __lectern.frame !== {frame}")
    follower.wait_for("document.getElementById('strip').hidden")
    assert_same(follower.look(), host.look())


def test_the_book_is_requested_handed_over_and_taken_back(two):
    host, follower = two
    press(follower, "Ask for the book")
    follower.wait_for("document.getElementById('handover').textContent.trim() === 'Asked'")
    press(host, "Hand it over", "#strip")
    follower.wait_for(f"{ROLE} === {PRESENTER}")
    host.wait_for(f"{ROLE} === {COPRESENTER}")
    with follower.settling("book"):
        follower.key("ArrowRight")
    same(host, follower)
    assert host.look().spread == [3, 4]
    press(host, "Take the book back")
    host.wait_for(f"{ROLE} === {PRESENTER}")
    follower.wait_for(f"{ROLE} === {FOLLOWER}")
    with host.settling("book"):
        host.key("ArrowLeft")
    same(follower, host)
    assert host.look().spread == [1, 2]


def test_a_dot_of_light_is_at_the_same_point_of_the_page(two, pair, window, chromium, server):
    host, follower = two
    *_, view, links = pair
    small = window(chromium, width=520, height=700)
    small.open(f"{room_address(server.url, view)}#{links['follow']}")
    page = host.look().of("page")[2]
    left, top, right, bottom = page["box"]
    x, y = left + 0.3 * (right - left), top + 0.4 * (bottom - top)
    reach(host, "[aria-label^=Point]")
    click(host, "[aria-label^=Point]")
    host.wait_for("document.body.classList.contains('pointing')")
    host.press([(x, y)])
    host.move([(x + 1, y)], 2)
    for reader in (follower, small):
        reader.wait_for(SPOT % 2)
        spot = reader.evaluate(SPOT % 2)
        assert spot == pytest.approx([0.3, 0.4], abs=0.02), reader.name
    host.lift()
    host.key("Escape")
    host.wait_for("!document.body.classList.contains('pointing')")


def test_a_reader_rejoins_as_the_same_member_after_a_lost_connection(window, chromium, firefox, server, open_books):
    host, view, links = hosting(window, chromium, open_books)
    line = Line(server.port)
    try:
        follower = window(firefox)
        follower.open(f"{line.url}r/{view.room}#{links['present']}")
        follower.wait_for("__lectern.isReady && __lectern.session.people.size === 2")
        me = follower.evaluate("__lectern.session.me")
        follower.evaluate("window.isStill = true")
        # Loads that are still running would be cancelled, which counts as an error.
        follower.wait_for("document.fonts.status === 'loaded'")
        line.cut()
        host.wait_for(f"__lectern.session.people.get({me}).isAway")
        with host.settling("book"):
            host.key("ArrowRight")
        line.mend()
        host.wait_for(f"!__lectern.session.people.get({me}).isAway")
        follower.wait_for(f"{ROLE} === {COPRESENTER} && __lectern.session.me === {me}")
        same(follower, host)
        assert follower.evaluate("window.isStill")
        assert host.evaluate("__lectern.session.people.size") == 2
    finally:
        line.close()


def test_both_pages_survive_a_restart_of_the_server(
    window, chromium, firefox, tmp_path
):
    server = Server("--data", str(tmp_path))
    try:
        with contextlib.closing(OpenBooks(server.url)) as open_books:
            host, view, links = hosting(window, chromium, open_books)
        follower = following(window, firefox, server, view, links)
        with host.settling("book"):
            host.key("ArrowRight")
        same(follower, host)
        before = host.look()
        for reader in (host, follower):
            reader.evaluate("window.isStill = true")
        assert server.stop() == 0
        server = Server("--data", str(tmp_path), port=server.port)
        for reader in (host, follower):
            # The new server numbers its frames from the start.
            reader.wait_for(
                f"__lectern.frame < {before.frame} && __lectern.settled"
                " && __lectern.session.people.size === 2"
            )
            assert reader.evaluate("window.isStill && __lectern.roomCode") == view.room
            assert reader.look().spread == before.spread
        host.wait_for(f"{ROLE} === {PRESENTER} && __lectern.session.role.rights.isHost")
        follower.wait_for(f"{ROLE} === {FOLLOWER}")
        with host.settling("book"):
            host.key("ArrowRight")
        same(follower, host)
    finally:
        server.stop()


def test_a_removed_guest_and_one_at_a_locked_room_see_why(
    window, chromium, firefox, server, open_books
):
    host, view, links = hosting(window, chromium, open_books)
    follower = following(window, firefox, server, view, links)
    click(host, "#who")
    host.wait_for("document.querySelectorAll('.guests .entry').length === 2")
    click(host, ".guests li:nth-child(2) .entry")
    press(host, "Remove")
    host.wait_for("document.querySelector('.twice .line')")
    press(host, "Remove", ".twice")
    follower.wait_for("document.getElementById('state')")
    assert text_of(follower, "#state h2") == "The host has removed you from this reading"
    host.key("Escape")
    host.wait_for("__lectern.session.people.size === 1 && !document.querySelector('dialog')")
    click(host, "#share")
    host.wait_for("document.querySelector('.qr img')?.complete")
    press(host, "More about this room")
    press(host, "Nobody else comes in")
    host.wait_for("__lectern.session.room.isLocked")
    locked = window(firefox)
    locked.goto(f"{room_address(server.url, view)}#{links['follow']}")
    locked.wait_for("document.getElementById('state')")
    assert "locked" in text_of(locked, "#state").lower()


def test_a_code_leads_into_the_room_and_a_wrong_one_is_shown(
    window, chromium, firefox, server, open_books
):
    _, view, links = hosting(window, chromium, open_books)
    guest = window(firefox)
    guest.open(server.url)
    guest.wait_for("document.getElementById('join') || document.querySelector('#join')")
    click(guest, "#join")
    guest.wait_for("document.querySelector('.code.typed input')")
    for letter in "hfkmpj":
        guest.key(letter)
    press(guest, "Join", "dialog")
    guest.wait_for("document.getElementById('state')")
    assert text_of(guest, "#state h2") == "No room has the code HFKMPJ"
    press(guest, "Type it again")
    guest.wait_for("document.querySelector('.code.typed input')")
    for letter in links["code"]:
        guest.key(letter.lower())
    press(guest, "Join", "dialog")
    # The room is known before its first frame is shown.
    joined = f"__lectern.roomCode === '{view.room}' && __lectern.screen === 'book'"
    guest.wait_for(f"{joined} && __lectern.settled")
    assert guest.evaluate("location.pathname").startswith(f"/r/{view.room}")
    assert_same(guest.look(), view)
    assert not guest.evaluate("!!document.getElementById('state')")


def test_a_recording_plays_pauses_and_seeks_in_two_browsers(window, chromium, firefox, server):
    last = record_turns(server.url, 3)
    first, second = window(chromium), window(firefox)
    view = first.open(server.url)
    first.wait_for("document.getElementById('recordings')")
    open_beside(second, first, server.url, view)
    click(first, "#recordings")
    first.wait_for("document.querySelector('.recordings .entry')")
    click(first, ".recordings .entry")
    for reader in (first, second):
        reader.wait_for("__lectern.session.playback?.isPlaying && __lectern.screen === 'book'")
    first.wait_for("document.getElementById('playback')?.hidden === false")
    click(first, "#playback [aria-label=Pause]")
    second.wait_for("__lectern.session.playback?.isPlaying === false")
    first.evaluate(
        "(() => { const slider = document.querySelector('#playback input');"
        " slider.value = slider.max; slider.dispatchEvent(new Event('input'));"
        " slider.dispatchEvent(new Event('change')) })()"
    )
    for reader in (first, second):
        reader.wait_for(f"__lectern.caption.page === {last} && __lectern.settled")
    same(second, first)
    first.evaluate(
        "(() => { const slider = document.querySelector('#playback input');"
        " slider.value = 0; slider.dispatchEvent(new Event('change')) })()"
    )
    for reader in (first, second):
        reader.wait_for("__lectern.caption.page === 1 && __lectern.settled")
    click(first, "#playback [aria-label=Play]")
    for reader in (first, second):
        reader.wait_for("__lectern.caption.page > 1")
    click(first, "#playback [aria-label='Close the recording']")
    for reader in (first, second):
        reader.wait_for("__lectern.session.playback === null")
