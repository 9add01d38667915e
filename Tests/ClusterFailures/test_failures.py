"""Failures of a cluster of three NATS servers and three Lectern servers, each a process of its own."""

import signal
import time

import pytest

from machines import LEASES, Cluster, until
from members import Audience

OWNER, EDGE, OTHER = range(3)
FRAMES = 120
KILLS = 3
PAUSE_SECONDS = 5.0
FROZEN = "lectern_lease_frozen_total"
LOST = "lectern_lease_lost_total"


@pytest.fixture
def cluster():
    """A cluster without rooms."""
    with Cluster() as cluster:
        yield cluster


@pytest.fixture
def room(cluster):
    """A room that the first node owns, on a page within the book, with a guest at each other node."""
    with Audience(cluster) as room:
        room.host.turn()
        room.agree()
        assert [node.owned for node in cluster.nodes] == [1, 0, 0]
        yield room


def receive(members, count=FRAMES):
    """Waits until each member has received more frames."""
    before = {one: len(one.arrivals) for one in members}
    for one in members:
        one.wait_frame_after(before[one] + count, f"{count} more frames", 30)


def test_owner_killed(cluster, room):
    page = room.agree()
    cluster.nodes[OWNER].kill()
    room.wait_for_new_owner()
    assert room.agree() == page
    assert [guest.losses for guest in room.guests] == [[], []]
    room.host.turn()
    assert room.agree() != page
    assert sum(cluster.nodes[place].owned for place in (EDGE, OTHER)) == 1
    room.assert_one_owner_at_a_time()


@pytest.mark.parametrize("act", ["a key", "a finger"])
def test_owner_killed_when_a_page_has_come_to_rest(cluster, act):
    # Nobody at another node has seen the page, so that the next owner knows it from the record only.
    for _ in range(KILLS):
        with Audience(cluster, OWNER, (OWNER,)) as room:
            room.host.turn()
            room.host.turn(room.host.flick if act == "a finger" else None)
            cluster.nodes[OWNER].kill()
            page = room.host.page
            room.wait_for_new_owner()
            assert room.agree() == page
        cluster.nodes[OWNER].restart()


def test_owner_killed_when_an_edge_has_seen_the_page(cluster, room):
    room.host.turn(room.host.flick)
    page = room.agree()
    cluster.nodes[OWNER].kill()
    room.wait_for_new_owner()
    assert room.agree() == page
    assert [guest.losses for guest in room.guests] == [[], []]


def test_lease_that_names_a_node_which_does_not_know_the_room(cluster):
    with Audience(cluster, OWNER, (EDGE,)) as room:
        room.host.turn()
        page = room.agree()
        # A write without an answer leaves such a lease behind if it is made when nobody waits for it any more.
        stray = b"\x01" + cluster.nodes[OTHER].id + bytes(9)
        cluster.nats[0].put("lectern_v1_leases", room.host.welcome.room, stray)
        for one in room.everybody:
            one.wait(lambda one=one: len(one.owners) > 1, "with another owner")
        assert room.agree() == page
        room.host.turn()
        assert room.agree() != page
        assert [one.losses for one in room.everybody] == [[], []]
        until(lambda: [node.owned for node in cluster.nodes] == [0, 0, 1], "the node that the lease names as the owner")


def test_edge_killed(cluster, room):
    moved, stayed = room.guests
    member = moved.id
    with room.host.swinging():
        receive(room.guests)
        cluster.nodes[EDGE].kill()
        moved.wait(lambda: len(moved.owners) > 1, "rejoined")
        receive(room.guests)
    room.agree()
    assert moved.id == member
    for one in (room.host, stayed):
        assert (one.losses, len(one.owners), one.unfit) == ([], 1, [])
    assert cluster.nodes[OWNER].owned == 1


def test_leader_of_the_leases_killed(cluster, room):
    leader = until(lambda: cluster.leader(LEASES), "a leader of the leases")
    with room.host.swinging():
        receive(room.guests)
        leader.end()
        receive(room.guests)
        until(lambda: cluster.leader(LEASES), "a new leader of the leases")
        receive(room.guests)
    room.agree()
    assert [len(one.ownerships) for one in room.everybody] == [1, 1, 1]
    assert [node.metric(FROZEN) for node in cluster.nodes] == [0, 0, 0]
    assert [one.losses for one in room.everybody] == [[], [], []]


def turns(host):
    """Presses a key that turns, and returns whether another page shows within two seconds."""
    page = host.page
    host.key("ArrowRight")
    try:
        host.wait(lambda: host.page != page, "turned", 2)
    except AssertionError:
        return False
    return True


def test_quorum_of_nats_lost(cluster, room):
    page = room.agree()
    lost = cluster.nats[1:]
    for one in lost:
        one.end()
    until(lambda: cluster.nodes[OWNER].metric(FROZEN) > 0, "frozen", 30)
    before = room.host.frame.number
    room.host.key("ArrowRight")
    assert (room.host.frame.number, room.host.page) == (before, page)
    for one in lost:
        one.start()
    # What was pressed meanwhile counts only if the same process continues the room.
    until(lambda: turns(room.host), "thawed", 60)
    assert room.agree(60) != page
    assert [one.losses for one in room.everybody] == [[], [], []]
    room.assert_one_owner_at_a_time()


def test_owner_paused(cluster, room):
    page = room.agree()
    paused = time.monotonic()
    cluster.nodes[OWNER].send_signal(signal.SIGSTOP)
    room.wait_for_new_owner(room.guests)
    until(lambda: time.monotonic() > paused + PAUSE_SECONDS, "paused for long enough")
    cluster.nodes[OWNER].send_signal(signal.SIGCONT)
    room.wait_for_new_owner()
    assert room.agree() == page
    room.host.turn()
    assert room.agree() != page
    room.assert_one_owner_at_a_time()
    assert [guest.losses for guest in room.guests] == [[], []]
    until(lambda: sum(node.owned for node in cluster.nodes) == 1, "a single owner")


def test_owner_drained(cluster):
    with Audience(cluster, OWNER, (EDGE, OTHER)) as room:
        room.host.turn()
        page = room.agree()
        assert cluster.nodes[OWNER].stop() == 0, cluster.nodes[OWNER].server.output
        room.wait_for_new_owner()
        assert room.agree() == page
        assert [guest.losses for guest in room.guests] == [[], []]
        room.host.turn()
        assert room.agree() != page
        room.assert_one_owner_at_a_time()


def test_rolling_restart_under_load(cluster, record_testsuite_property):
    with Audience(cluster, OWNER, (OWNER, EDGE, OTHER)) as room:
        room.host.turn()
        room.agree()
        with room.host.turning() as pages:
            for place, node in enumerate(cluster.nodes):
                done = len(pages)
                until(lambda done=done: len(pages) > done + 1, "turned before")
                stayed = [guest for guest in room.guests if guest is not room.guests[place]]
                losses = [len(one.losses) for one in stayed]
                began = time.monotonic()
                assert node.stop() == 0, node.server.output
                receive(room.guests, 10)
                gap = max(one.gap(began, one.arrivals[-1].at) for one in stayed)
                # The frames of a flying leaf arrive in batches of 0.3 seconds; Scripts/bench moves one by a finger.
                record_testsuite_property(f"longest time between frames, drain {place + 1}", f"{gap:.3f} s")
                assert [len(one.losses) for one in stayed] == losses
                node.restart()
                until(lambda node=node: node.books, "the book can be read again", 60)
                room.guests[place].move(place)
                done = len(pages)
                until(lambda done=done: len(pages) > done + 1, "turned afterwards")
        assert room.agree() == pages[-1]
        room.assert_one_owner_at_a_time()
        until(lambda: sum(node.owned for node in cluster.nodes) == 1, "a single owner")


def test_partition(cluster, room):
    page = room.agree()
    cluster.isolate(OWNER)
    room.wait_for_new_owner(room.guests, 60)
    assert all(guest.page == page for guest in room.guests)
    cluster.join(OWNER)
    room.wait_for_new_owner(seconds=60)
    assert room.agree() == page
    room.host.turn()
    assert room.agree() != page
    assert [one.losses for one in room.everybody] == [[], [], []]
    room.assert_one_owner_at_a_time()
    until(lambda: sum(node.owned for node in cluster.nodes) == 1, "a single owner")
