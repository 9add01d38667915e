"""Members that join late, or lose the connection and rejoin, and a server that restarts."""

import wire
from fixtures import make_library
from server import Server
from sharing import GOING_AWAY, KEY, REPLACED, RIGHT, Y, caught, echoed, is_role, swing
from wireclient import Client


def test_a_member_that_joins_in_mid_turn_has_the_exact_frame(reading):
    host = reading.host
    host.drag(swing, 0.2, lifts=False)
    held = reading.guest()
    # The host has received all frames of its drag.
    echoed(host)
    number = host.frame.number
    held.wait(lambda: held.frame.number >= number, "at the host's frame")
    assert held.faces(held.frames[number]) == host.faces(host.frames[number])
    assert not held.frame.settled
    host.point("up", *swing(0.2))
    late = reading.guest()
    number = late.arrivals[0].number
    host.wait(lambda: number in host.frames, "at the frame")
    assert late.faces(late.frames[number]) == host.faces(host.frames[number])
    ours, theirs = caught(late, host)
    assert ours == theirs


def test_a_member_rejoins_as_the_same_member(reading):
    reading.leads()
    guest = reading.guest(name="Theo")
    before = reading.host
    before.lose()
    guest.wait(lambda: guest.people[before.id].isAway, "told that the host is away")
    assert guest.room.turner == "away"
    back = reading.guest(resume=before.welcome.resume)
    assert back.id == before.id
    assert back.role.role == "presenter" and back.role.isHost
    assert back.welcome.resume != before.welcome.resume
    guest.wait(lambda: not guest.people[before.id].isAway, "told that the host is back")
    page = guest.page
    back.key("ArrowRight")
    guest.wait(lambda: guest.page == page + 2, "a page further")


def test_a_token_works_once_and_replaces_a_connection_that_seems_alive(reading):
    guest = reading.guest()
    token = guest.welcome.resume
    again = reading.guest(resume=token)
    assert again.id == guest.id
    assert guest.wait_closed() == REPLACED
    third = reading.guest(resume=token)
    assert third.id != again.id
    assert again.code is None


def test_a_held_leaf_falls_when_the_connection_breaks(reading):
    host, guest = reading.host, reading.guest()
    host.drag(lambda t: (RIGHT - 2000 * t, Y), 0.2, lifts=False)
    assert not guest.frame.settled
    number = guest.frame.number
    host.lose()
    guest.wait(lambda: guest.frame.number > number and guest.frame.settled, "at rest")
    assert guest.page in (1, 3)


def test_two_rooms_are_independent(join):
    ours, theirs = join(key=KEY), join(key=KEY)
    assert ours.welcome.room != theirs.welcome.room
    number = theirs.frame.number
    ours.key("Enter")
    ours.wait(lambda: ours.caption.screen == wire.SCREEN.index("shelf"), "at a shelf")
    echoed(theirs)
    assert (theirs.frame.number, theirs.frame.screen) == (number, "collections")


def test_a_server_that_stops_says_when_to_reconnect_and_its_rooms_continue_after_a_restart(tmp_path):
    server = Server("--data", str(tmp_path))
    try:
        with Client(server.url) as host:
            host.key("Enter")
            host.key("Enter")
            host.wait(lambda: host.frame.screen == "book" and host.frame.settled, "in a book")
            host.do("share")
            links = host.wait(lambda: host.links, "shared")
            host.do("settings", wire.POLICY["hostLeads"], [1])
            host.wait(lambda: host.room.policy == "hostLeads", "leading")
            room = host.welcome.room
            assert server.stop() == 0
            assert host.wait_closed() == GOING_AWAY
            assert 0 <= host.goodbye.seconds <= 5
        server = Server("--data", str(tmp_path), port=server.port)
        # The host gets the book from a guest that was back first.
        with Client(server.url, room=room, key=links.follow) as guest:
            assert guest.room.policy == "hostLeads"
            is_role(guest, "presenter")
            with Client(server.url, room=room, key=links.host) as host:
                is_role(host, "presenter")
                is_role(guest, "follower")
                page = guest.page
                host.key("ArrowRight")
                guest.wait(lambda: guest.page == page + 2, "a page further")
    finally:
        server.stop()


def test_a_reader_who_is_back_before_the_folder_is_scanned_sees_what_came_and_went_meanwhile(tmp_path):
    library, data = make_library(tmp_path / "library"), str(tmp_path / "data")
    server = Server("--data", data, "--library", str(library))
    try:
        with Client(server.url) as reader:
            reader.wait(lambda: shelves(reader) == ["Wet places"], "at the only shelf")
        assert server.stop() == 0
        (library / "Wet places").rename(library / "Dry places")
        server = Server("--data", data, "--library", str(library), port=server.port)
        with Client(server.url, reader=reader.reader) as reader:
            reader.wait(lambda: shelves(reader) == ["Dry places"], "at the new shelf")
    finally:
        server.stop()


def shelves(reader):
    """Returns the titles of the collections that a reader sees."""
    shown = {key if isinstance(key, int) else key[0] for key in reader.frame.shown}
    return [reader.elements[one].title for one in shown if reader.elements[one].kind == "collection"]
