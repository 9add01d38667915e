"""A follower that reads elsewhere in the book, and its way back."""

from sharing import caught, echoed, is_role


def test_a_followers_drag_leads_elsewhere_and_the_way_back_is_one_flight(reading):
    host = reading.leads().host
    guest = reading.guest()
    home = guest.page
    for _ in range(2):
        guest.key("ArrowRight")
    is_role(guest, "wanderer")
    assert host.page == home and host.frame.settled
    host.key("ArrowRight")
    guest.wait(lambda: guest.page == home + 4 and guest.frame.settled, "at rest elsewhere")
    host.wait(lambda: host.page == home + 2 and host.frame.settled, "at rest")
    guest.wait(lambda: guest.place and guest.place.page == host.page, "told where the others are")
    came = len(guest.arrivals)
    guest.do("wander", 0)
    is_role(guest, "follower")
    ours, theirs = caught(guest, host)
    assert ours == theirs
    flight = [frame for frame in guest.arrivals[came:] if frame.kind == "flown"]
    assert len(flight) > 10, "the way back was no flight"


def test_a_follower_that_may_not_wander_stays(reading):
    reading.rule("hostLeads", mayWander=False)
    guest = reading.guest()
    guest.wait(lambda: not guest.role.mayWander, "told that it may not wander")
    guest.key("ArrowRight")
    guest.do("wander", 1)
    echoed(guest)
    assert guest.role.role == "follower"
    assert guest.page == reading.host.page
