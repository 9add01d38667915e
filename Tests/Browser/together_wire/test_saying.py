"""Messages between members: pointers, names and raised hands."""

import pytest
from websockets.sync.client import connect

import wire
from sharing import MALFORMED, echoed


def test_a_laser_is_at_the_same_point_of_the_page_in_every_window(reading):
    guest = reading.guest(size=(400, 800))
    reading.host.do("point", 700.0, 300.0)
    news = guest.wait(lambda: guest.pointers.get(reading.host.id), "pointed at")
    assert news.kind == "laser"
    page = guest.elements[news.element]
    assert page.kind == "page" and page.id == guest.caption.spread[1]
    assert 0 < news.x < 1 and 0 < news.y < 1
    reading.host.do("point")
    guest.wait(lambda: guest.pointers[reading.host.id].kind == "gone", "no longer pointed at")


def test_a_name_that_is_too_long_is_rejected_and_a_strange_one_is_only_a_name(reading, library_server):
    hello = wire.encode(
        "hello", wire.VERSION, reading.name, reading.links.follow, "", "", "n" * 300, 0, 800, 600, 1, []
    )
    with connect(
        f"ws{library_server.url[4:]}ws", subprotocols=[wire.SUBPROTOCOL], origin=library_server.url.rstrip("/"),
        proxy=None,
    ) as socket:
        socket.send(hello)
        error = wire.decode(socket.recv())
        assert error.type == "error" and "name" in error.notice["values"]["reason"]
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


def test_other_members_see_a_raised_hand(reading):
    guest = reading.guest()
    guest.do("raise", 1)
    reading.host.wait(
        lambda: guest.id in reading.host.people and reading.host.people[guest.id].isRaised, "raised"
    )


def test_the_rate_of_pointer_messages_is_limited(reading):
    guest = reading.guest()
    before = reading.host.messages
    for step in range(2000):
        guest.do("point", 600.0 + step % 100, 300.0)
    echoed(guest)
    assert guest.code is None
    assert reading.host.messages - before < 400
