"""Reading together as the protocol has it, between clients without a browser."""

import json
import math
import time
import urllib.error
import urllib.request

import pytest
from websockets.sync.client import connect

import wire
from server import Server
from shaped import Shaped
from shaped_model import Shape
from wireclient import Client

KEY = "a-key-for-the-tests-of-rooms"
KEY_NEEDED, LOCKED, SHOWN_OUT, ENDED, TOO_MANY_TRIES, REPLACED = 4005, 4006, 4007, 4009, 4010, 4011
MALFORMED, GOING_AWAY = 4000, 1001
RIGHT, LEFT, Y = 760, 160, 384
ROOMS = 26
# Whoever shows wrong keys has to wait; each does it from an address of its own.
elsewhere = (f"127.0.0.{number}" for number in range(2, 250))


@pytest.fixture(scope="module")
def house():
    """A server whose library opens to its key."""
    server = Server("--library-key", KEY)
    yield server
    assert server.stop() == 0, server.output


@pytest.fixture(scope="module")
def hosts(house):
    """Hosts of rooms of their own, with a book open: made together, since a book opens slowly."""
    hosts = [Client(house.url, key=KEY, name="Maren", keeps=True) for _ in range(ROOMS)]
    for host in hosts:
        host.key("Enter")
        host.key("Enter")
    for host in hosts:
        host.wait(lambda host=host: host.frame.screen == "book" and host.frame.settled, "open")
        host.do("share")
    for host in hosts:
        host.wait(lambda host=host: host.links and host.server_now() > host.frame.time, "shared")
    waiting = iter(hosts)
    yield waiting
    for host in hosts:
        host.close()
        assert host.fault is None


@pytest.fixture
def join(house):
    """Makes clients, which leave after the test."""
    clients = []

    def make(url=house.url, **options):
        clients.append(Client(url, keeps=True, **options))
        return clients[-1]

    yield make
    for client in clients:
        client.close()
        assert client.fault is None


class Reading:
    """A shared room with a book open in it, and ways into it."""

    def __init__(self, host, join):
        self._join = join
        self.host = host
        self.name = host.welcome.room
        self.links = host.links

    def guest(self, secret=None, **options):
        """Somebody who came by a link, to follow unless told otherwise."""
        return self._join(room=self.name, key=secret or self.links.follow, **options)

    def leads(self):
        """From now on the host leads."""
        self.rule("hostLeads")
        return self

    def rule(self, policy, **changes):
        """Sets the policy and what else is to be the case in the room."""
        now = {name: getattr(self.host.room, name) for name in wire.SETTINGS} | changes
        bits = sum(now[name] << place for place, name in enumerate(wire.SETTINGS))
        self.host.do("settings", wire.POLICY[policy], bits)
        self.host.wait(
            lambda: self.host.room.policy == policy
            and all(getattr(self.host.room, name) == value for name, value in now.items()),
            f"a room of {policy}",
        )


@pytest.fixture
def reading(hosts, join):
    """A shared room with a book open in it."""
    return Reading(next(hosts), join)


def status(url, key=None):
    """The status of an answer, and its body."""
    fields = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=fields)) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as problem:
        return problem.code, problem.read()


def is_role(client, role):
    """Waits until a client has a role."""
    client.wait(lambda: client.role.role == role, role)


def swing(elapsed):
    """A finger on the leaf, going to and fro."""
    return RIGHT - (RIGHT - LEFT) * (1 - math.cos(4 * elapsed)) / 2, Y


def echoed(client):
    """Waits until the server has heard all that a client said."""
    asked = time.monotonic()
    client.do("clock", asked)
    client.wait(lambda: client.heard >= asked, "echoed")


def caught(one, other):
    """Waits until a client has the frame that another has, at rest, and gives both pictures."""
    one.wait(
        lambda: one.frame.settled and one.frame.number == other.frame.number,
        f"at frame {other.frame.number}",
    )
    return one.faces(), other.faces()


# Coming in.


def test_a_link_leads_to_the_very_frame_with_the_rights_it_was_given(reading):
    guest, helper = reading.guest(), reading.guest(reading.links.present)
    assert not guest.role.isHost and not guest.role.mayShare
    assert not guest.me.isHidden and not reading.host.me.isHidden
    ours, theirs = caught(guest, reading.host)
    assert ours == theirs
    reading.leads()
    guest.wait(lambda: guest.role.mayAsk, "told that it may ask")
    helper.wait(lambda: helper.role.mayTake, "told that it may take the book")
    assert [one.role.role for one in (guest, helper, reading.host)] == [
        "follower", "copresenter", "presenter"
    ]
    assert not guest.role.mayTurn and not guest.role.mayTake
    second = reading.guest(reading.links.host)
    assert second.role.isHost and second.role.mayShare


def test_six_letters_let_in_to_follow_and_give_a_secret_to_come_back_with(reading, join):
    guest = join(key=reading.links.code.lower())
    assert guest.welcome.room == reading.name
    assert guest.welcome.key
    assert not guest.role.isHost
    again = reading.guest(guest.welcome.key)
    assert again.welcome.room == reading.name


def test_who_shows_nothing_or_something_wrong_is_not_let_in(reading, join):
    wrong = reading.links.follow[::-1]
    for shown in (
        {"room": reading.name}, {"room": reading.name, "key": wrong}, {"key": "ZZZZZZ"}, {},
        {"room": "never-shared"}, {"room": "never-shared", "key": reading.links.host},
    ):
        refused = join(waits=False, address=next(elsewhere), **shown)
        assert refused.wait_closed() == KEY_NEEDED, shown


def test_a_guest_s_link_opens_that_book_and_nothing_else(reading, house):
    guest = reading.leads().guest()
    book = guest.caption.book
    pictures = [one.imageURL for one in guest.elements.values()]
    assert pictures and all(f"/b/{book}/" in picture for picture in pictures)
    for path in ("api/books", "api/search?q=the", "api/uploads", "api/recordings"):
        assert status(house.url + path)[0] in (401, 403), path
        assert status(house.url + path, reading.links.host)[0] in (401, 403), path
    assert status(house.url + "api/books", KEY)[0] == 200
    assert status(f"{house.url}api/books/{book}/outline")[0] == 200
    # Out of the book, in a reading of its own: the shelf has that book alone, the list that shelf.
    with guest.settling("shelf"):
        guest.key("Escape")
    assert guest.role.role == "wanderer"
    assert [kind for kind, _, _ in guest.faces()] == ["cover"]
    with guest.settling("collections"):
        guest.key("Escape")
    assert len(guest.faces()) == 1
    for one in guest.elements.values():
        assert status(house.url + one.imageURL[1:])[0] == 200, one.imageURL
    titles = {book["title"] for book in books(house)}
    shown = {one.title for one in guest.elements.values()}
    others = {title for title in titles if title != reading.host.caption.title}
    assert others and not shown & others
    guest.do("go", next(one["id"] for one in books(house) if one["id"] != book), 1, wire.NO_PAGE)
    echoed(guest)
    assert guest.caption.book in ("", book)
    assert not {one.title for one in guest.elements.values()} & others


def books(house):
    """All books, by the library's key."""
    answer = json.loads(status(house.url + "api/books", KEY)[1])
    return answer if isinstance(answer, list) else answer["books"]


def test_a_locked_room_lets_nobody_else_in_but_those_who_were_inside(reading):
    inside = reading.guest()
    reading.rule("anyoneTurns", isLocked=True)
    assert reading.guest(waits=False).wait_closed() == LOCKED
    inside.lose()
    back = reading.guest(resume=inside.welcome.resume)
    assert back.id == inside.id
    assert not reading.guest(reading.links.host).code


def test_new_links_close_the_old_ones(reading):
    old = reading.links
    reading.host.do("renewLinks")
    new = reading.host.wait(
        lambda: reading.host.links.follow not in ("", old.follow) and reading.host.links, "renewed"
    )
    for secret in (old.follow, old.present, old.host):
        refused = reading.guest(secret, waits=False, address=next(elsewhere))
        assert refused.wait_closed() == KEY_NEEDED
    reading.guest(new.follow)


def test_too_many_wrong_keys_close_the_door_to_where_they_came_from(reading, join):
    address = next(elsewhere)
    codes = [
        join(key="ZZZZZ" + letter, waits=False, address=address).wait_closed()
        for letter in "ABCDEFG"
    ]
    assert codes[0] == KEY_NEEDED
    assert codes[-1] == TOO_MANY_TRIES
    assert join(key=reading.links.code).welcome.room == reading.name


# Late, lost, back.


def test_who_comes_in_mid_turn_has_the_exact_frame(reading):
    host = reading.host
    host.drag(swing, 0.5, lifts=False)
    held = reading.guest()
    assert held.faces() == host.faces()
    assert not held.frame.settled
    with host.settling("book"):
        host.point("up", *swing(0.5))
    host.key("ArrowRight")
    late = reading.guest()
    number = late.arrivals[0].number
    host.wait(lambda: number in host.frames, "as far")
    assert late.faces(late.frames[number]) == host.faces(host.frames[number])
    ours, theirs = caught(late, host)
    assert ours == theirs


def test_who_comes_back_is_who_it_was(reading):
    reading.leads()
    guest = reading.guest(name="Theo")
    before = reading.host
    before.lose()
    guest.wait(lambda: guest.people[before.id].isAway, "told that the host is away")
    assert guest.room.isPresenterAway
    back = reading.guest(resume=before.welcome.resume)
    assert back.id == before.id
    assert back.role.role == "presenter" and back.role.isHost
    assert back.welcome.resume != before.welcome.resume
    guest.wait(lambda: not guest.people[before.id].isAway, "told that the host is back")
    with back.settling("book"):
        back.key("ArrowRight")
    ours, theirs = caught(guest, back)
    assert ours == theirs


def test_a_token_works_once_and_takes_over_a_connection_that_seems_to_stand(reading):
    guest = reading.guest()
    token = guest.welcome.resume
    again = reading.guest(resume=token)
    assert again.id == guest.id
    assert guest.wait_closed() == REPLACED
    third = reading.guest(resume=token)
    assert third.id != again.id
    assert again.code is None


def test_what_was_held_is_finished_when_the_line_breaks(reading):
    host, guest = reading.host, reading.guest()
    host.drag(lambda t: (RIGHT - 900 * t, Y), 0.5, lifts=False)
    assert not guest.frame.settled
    number = guest.frame.number
    host.lose()
    guest.wait(lambda: guest.frame.number > number and guest.frame.settled, "at rest")
    assert guest.page in (1, 3)


def test_a_server_that_goes_says_when_to_come_back(tmp_path):
    server = Server("--data", str(tmp_path))
    with Client(server.url) as reader:
        assert server.stop() == 0
        assert reader.wait_closed() == GOING_AWAY
        assert 0 <= reader.goodbye.seconds <= 5


def test_after_a_restart_the_host_gets_the_book_from_a_guest_who_was_back_first(tmp_path):
    server = Server("--data", str(tmp_path))
    try:
        with Client(server.url) as host:
            host.key("Enter")
            host.key("Enter")
            host.wait(lambda: host.frame.screen == "book" and host.frame.settled, "in a book")
            host.do("share")
            links = host.wait(lambda: host.links, "shared")
            host.do("settings", wire.POLICY["hostLeads"], 2)
            host.wait(lambda: host.room.policy == "hostLeads", "leading")
            room = host.welcome.room
        assert server.stop() == 0
        server = Server("--data", str(tmp_path), port=server.port)
        with Client(server.url, room=room, key=links.follow) as guest:
            assert guest.room.policy == "hostLeads"
            is_role(guest, "presenter")
            with Client(server.url, room=room, key=links.host) as host:
                is_role(host, "presenter")
                is_role(guest, "follower")
                with host.settling("book"):
                    host.key("ArrowRight")
                ours, theirs = both_at_rest(guest, host)
                assert ours == theirs
    finally:
        server.stop()


# Who turns.


def test_the_book_is_asked_for_and_handed_over_and_taken_back(reading):
    reading.leads()
    host, guest = reading.host, reading.guest(name="Theo")
    guest.do("handover", "ask")
    host.wait(lambda: guest.id in host.people and host.people[guest.id].asks, "asked")
    host.do("handover", "offer", guest.id)
    is_role(guest, "presenter")
    is_role(host, "copresenter")
    with guest.settling("book"):
        guest.key("ArrowRight")
    ours, theirs = caught(host, guest)
    assert ours == theirs
    host.do("handover", "take")
    is_role(host, "presenter")
    is_role(guest, "follower")


def test_what_was_sent_in_an_earlier_role_moves_nothing(reading):
    host = reading.leads().host
    helper = reading.guest(reading.links.present)
    former, page = host.role.number, host.page
    helper.do("handover", "take")
    is_role(helper, "presenter")
    host.wait(lambda: host.role.number != former, "told its new role")
    host.do("key", wire.KEY["ArrowRight"], role=former)
    host.do("pointers", 0.0, (1, "down", 0, RIGHT, Y), role=former)
    echoed(host)
    echoed(helper)
    assert host.role.role == "copresenter"
    assert (host.page, helper.page) == (page, page)
    assert helper.frame.settled


def test_the_host_shows_somebody_out_for_good(reading):
    guest = reading.guest()
    reading.host.do("showOut", guest.id)
    assert guest.wait_closed() == SHOWN_OUT
    reading.host.wait(lambda: guest.id not in reading.host.people, "rid of the guest")
    again = reading.guest(resume=guest.welcome.resume)
    assert again.id != guest.id


def test_a_follower_may_not_show_out_nor_rule_nor_end(reading):
    reading.leads()
    guest, other = reading.guest(), reading.guest()
    for order in (("showOut", other.id), ("settings", 0, 3), ("endReading",), ("renewLinks",)):
        guest.do(*order)
    echoed(guest)
    echoed(other)
    assert other.code is None and guest.code is None
    assert reading.host.room.policy == "hostLeads"
    reading.guest()


def test_the_end_of_a_reading_ends_it_for_all_others(reading):
    guests = [reading.guest(), reading.guest(reading.links.present)]
    reading.host.do("endReading")
    assert [guest.wait_closed() for guest in guests] == [ENDED, ENDED]
    reading.host.wait(lambda: not reading.host.room.isShared, "no longer shared")
    refused = reading.guest(waits=False, address=next(elsewhere))
    assert refused.wait_closed() == KEY_NEEDED


# Elsewhere, and back.


def test_a_follower_s_hand_leads_elsewhere_and_the_way_back_is_one_flight(reading):
    host = reading.leads().host
    guest = reading.guest()
    home = guest.page
    for _ in range(2):
        with guest.settling("book"):
            guest.key("ArrowRight")
    assert guest.role.role == "wanderer"
    assert guest.page == home + 4
    assert host.page == home and host.frame.settled
    with host.settling("book"):
        host.key("ArrowRight")
    guest.wait(lambda: guest.place and guest.place.page == host.page, "told where the others are")
    came = len(guest.arrivals)
    guest.do("wander", 0)
    is_role(guest, "follower")
    ours, theirs = caught(guest, host)
    assert ours == theirs
    flight = [frame for frame in guest.arrivals[came:] if frame.kind == "flown"]
    assert len(flight) > 10, "the way back was no flight"


def test_who_may_not_wander_stays(reading):
    reading.rule("hostLeads", mayWander=False)
    guest = reading.guest()
    guest.wait(lambda: not guest.role.mayWander, "told to stay")
    guest.key("ArrowRight")
    guest.do("wander", 1)
    echoed(guest)
    assert guest.role.role == "follower"
    assert guest.page == reading.host.page


# What is said.


def test_a_laser_is_at_the_same_spot_of_the_paper_for_every_window(reading):
    guest = reading.guest(size=(400, 800))
    reading.host.do("point", 700.0, 300.0)
    news = guest.wait(lambda: guest.pointers.get(reading.host.id), "pointed at")
    assert news.kind == "laser"
    page = guest.elements[news.element]
    assert page.kind == "page" and page.index == guest.page + 1
    assert 0 < news.x < 1 and 0 < news.y < 1
    reading.host.do("point")
    guest.wait(lambda: guest.pointers[reading.host.id].kind == "gone", "no longer pointed at")


def test_a_name_that_is_too_long_is_refused_and_a_strange_one_is_only_a_name(reading, house):
    hello = wire.encode(
        "hello", wire.VERSION, reading.name, reading.links.follow, "", "n" * 300, 0, 800, 600, 1, 0
    )
    with connect(
        f"ws{house.url[4:]}ws", subprotocols=[wire.SUBPROTOCOL], origin=house.url.rstrip("/"),
        proxy=None,
    ) as socket:
        socket.send(hello)
        error = wire.decode(socket.recv())
        assert error.type == "error" and "name" in error.message
        with pytest.raises(Exception, match=str(MALFORMED)):
            socket.recv()
    guest = reading.guest(name="<b>Theo</b>\u202e & Söhne")
    reading.host.wait(
        lambda: guest.id in reading.host.people
        and "<b>Theo</b>" in reading.host.people[guest.id].name, "named",
    )
    guest.do("persona", "x" * 64, 5)
    reading.host.wait(lambda: reading.host.people[guest.id].name.startswith("xxx"), "renamed")
    guest.do("persona", "x" * 65, 5)
    guest.wait(lambda: guest.errors, "told of its error")
    assert guest.code is None


def test_a_raised_hand_is_seen(reading):
    guest = reading.guest()
    guest.do("raise", 1)
    reading.host.wait(
        lambda: guest.id in reading.host.people and reading.host.people[guest.id].isRaised, "raised"
    )


def test_who_flashes_a_laser_like_mad_is_slowed_down(reading):
    guest = reading.guest()
    before = reading.host.messages
    for step in range(2000):
        guest.do("point", 600.0 + step % 100, 300.0)
    echoed(guest)
    assert guest.code is None
    assert reading.host.messages - before < 400


# Bad lines.


def test_a_reader_that_stopped_reading_and_is_gone_holds_up_nobody(reading, house, join):
    line = Shaped(house.port)
    try:
        stalled = reading.guest()
        slow = join(line.url, room=reading.name, key=reading.links.follow)
        line.stall()
        reading.host.drag(swing, 1.5)
        assert stalled.frame.number > slow.frame.number
        line.cut()
        slow.wait_closed()
        with reading.host.settling("book"):
            reading.host.key("ArrowRight")
        ours, theirs = caught(stalled, reading.host)
        assert ours == theirs
    finally:
        line.close()


def test_a_far_narrow_lossy_line_ends_on_the_same_frame(reading, house, join):
    line = Shaped(house.port, Shape(delay=0.04, jitter=0.02, loss=0.02, rate=400_000), is_clear=True)
    try:
        far = join(line.url, room=reading.name, key=reading.links.follow)
        line.worsen()
        reading.host.drag(swing, 1)
        far.wait(lambda: far.frame.settled and far.frame.number == reading.host.frame.number, "there")
        assert far.faces() == reading.host.faces()
        assert far.code is None
    finally:
        line.close()


# Recorded.


def test_a_recording_plays_alike_for_all_and_halts_and_goes_where_it_is_told(reading, house, join):
    host = reading.host
    host.do("record", 1)
    host.wait(lambda: host.room.isRecorded, "recorded")
    pages = [host.page]
    for _ in range(3):
        with host.settling("book"):
            host.key("ArrowRight")
        pages.append(host.page)
    host.do("record", 0)
    host.wait(lambda: not host.room.isRecorded, "no longer recorded")
    [made] = json.loads(status(house.url + "api/recordings", KEY)[1])
    player = join(key=KEY)
    second = join(room=player.welcome.room, key=KEY)
    player.do("open", made["id"])
    for one in (player, second):
        one.wait(lambda one=one: one.playback and one.playback.isOpen, "playing")
        one.wait(lambda one=one: one.frame.screen == "book", "in the book")
    length = player.playback.length
    assert length == pytest.approx(made["seconds"], abs=0.5)
    player.do("play", "pause")
    second.wait(lambda: not second.playback.isPlaying, "halted")
    player.do("play", "seek", length)
    for one in (player, second):
        one.wait(lambda one=one: one.page == pages[-1] and one.frame.settled, "at the end")
    player.do("play", "seek", 0.0)
    player.do("play", "play")
    second.wait(lambda: second.page == pages[1] and second.playback.isPlaying, "under way")
    ours, theirs = both_at_rest(player, second)
    assert ours == theirs
    second.do("play", "close")
    player.wait(lambda: not player.playback.isOpen, "put away")
    assert status(f"{house.url}api/recordings/{made['id']}")[0] in (401, 403, 404, 405)


def both_at_rest(one, other):
    """Waits until two show the same frame at rest."""
    one.wait(
        lambda: one.frame.settled and other.frame.settled
        and one.frame.number == other.frame.number, "both at rest",
    )
    return one.faces(), other.faces()
