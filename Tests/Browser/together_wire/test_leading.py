"""The roles of presenter and host."""

import wire
from sharing import ENDED, KEY_NEEDED, RIGHT, SHOWN_OUT, Y, echoed, elsewhere, is_role


def test_the_book_is_requested_handed_over_and_taken_back(reading):
    reading.leads()
    host, guest = reading.host, reading.guest(name="Theo")
    guest.do("handover", "ask")
    host.wait(lambda: guest.id in host.people and host.people[guest.id].asks, "asked for the book")
    host.do("handover", "offer", guest.id)
    is_role(guest, "presenter")
    is_role(host, "copresenter")
    page = host.page
    guest.key("ArrowRight")
    host.wait(lambda: host.page == page + 2, "a page further")
    host.do("handover", "take")
    is_role(host, "presenter")
    is_role(guest, "follower")


def test_input_from_an_earlier_role_moves_nothing(reading):
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


def test_the_host_removes_a_member_for_good(reading):
    guest = reading.guest()
    reading.host.do("showOut", guest.id)
    assert guest.wait_closed() == SHOWN_OUT
    reading.host.wait(lambda: guest.id not in reading.host.people, "without the guest")
    again = reading.guest(resume=guest.welcome.resume)
    assert again.id != guest.id


def test_a_follower_may_not_remove_others_nor_change_or_end_the_reading(reading):
    reading.leads()
    guest, other = reading.guest(), reading.guest()
    for order in (("showOut", other.id), ("settings", 0, [0, 1]), ("endReading",), ("renewLinks",)):
        guest.do(*order)
    echoed(guest)
    echoed(other)
    assert other.code is None and guest.code is None
    assert reading.host.room.policy == "hostLeads"
    reading.guest()


def test_the_end_of_a_reading_closes_it_for_all_others(reading):
    guests = [reading.guest(), reading.guest(reading.links.present)]
    reading.host.do("endReading")
    assert [guest.wait_closed() for guest in guests] == [ENDED, ENDED]
    reading.host.wait(lambda: not reading.host.room.isShared, "no longer shared")
    refused = reading.guest(waits=False, address=next(elsewhere))
    assert refused.wait_closed() == KEY_NEEDED
