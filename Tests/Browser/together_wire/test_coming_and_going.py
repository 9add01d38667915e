"""Members that join late, or lose the connection and rejoin, and a server that restarts."""

import wire
from server import Server
from sharing import GOING_AWAY, REPLACED, RIGHT, Y, both_at_rest, caught, echoed, is_role, swing
from wireclient import Client


def test_a_member_that_joins_in_mid_turn_has_the_exact_frame(reading):
    host = reading.host
    host.drag(swing, 0.5, lifts=False)
    held = reading.guest()
    # The host has received all frames of its drag.
    echoed(host)
    assert held.faces() == host.faces()
    assert not held.frame.settled
    with host.settling("book"):
        host.point("up", *swing(0.5))
    host.key("ArrowRight")
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
    host.drag(lambda t: (RIGHT - 900 * t, Y), 0.5, lifts=False)
    assert not guest.frame.settled
    number = guest.frame.number
    host.lose()
    guest.wait(lambda: guest.frame.number > number and guest.frame.settled, "at rest")
    assert guest.page in (1, 3)


def test_a_server_that_stops_says_when_to_reconnect(tmp_path):
    server = Server("--data", str(tmp_path))
    with Client(server.url) as reader:
        assert server.stop() == 0
        assert reader.wait_closed() == GOING_AWAY
        assert 0 <= reader.goodbye.seconds <= 5


def test_after_a_restart_the_host_gets_the_book_from_a_guest_that_was_back_first(tmp_path):
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
