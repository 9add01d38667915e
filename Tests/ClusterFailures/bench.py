"""Prints the measurements of a cluster on this machine as rows of a table; see Scripts/bench.

Usage: Scripts/python Tests/ClusterFailures/bench.py [KILLS]
"""

import http.client
import json
import signal
import statistics
import sys
import time

from machines import LEASES, Cluster, request, until
from members import Audience
from model import figure_model

from figures.table import ms, note, row
from timing import percentile

OWNER = 0
KILLS, DRAINS, LEADERS = 20, 10, 5
# A server that starts again asks for what it missed.
REPLICATED_SECONDS = 60
IMAGES, TURN = 1000, 10
WARM_SECONDS, DRIVE_SECONDS, AFTER_SECONDS = 0.5, 6.0, 0.5
SENT = 'lectern_fabric_messages_total{direction="sent"}'


def at_rates(values):
    """Returns the median and the 95th percentile of times as text."""
    return f"p50 {ms(statistics.median(values))}, p95 {ms(percentile(values, 0.95))}"


def gap_at_end(cluster, end):
    """Ends the owner of a room by a function, and returns the longest time without frames at a follower.

    The presenter is at another node than the owner, and the follower at the third.
    """
    with Audience(cluster, OWNER, (2,)) as room:
        room.host.move(1)
        (guest,) = room.guests
        with room.host.swinging():
            time.sleep(WARM_SECONDS)
            began = time.monotonic()
            end(cluster.nodes[OWNER])
            room.wait_for_new_owner()
            seen = len(guest.arrivals)
            guest.wait_frame_after(seen + 10, "new frames")
            gap = guest.gap(began - 0.1, guest.arrivals[-1].at)
        assert not guest.losses, "the follower lost its connection"
    cluster.nodes[OWNER].restart()
    return gap


def figure_ended_owners(cluster, kills):
    """Measures how long followers see no frames when the owner of their room ends."""
    gaps = [gap_at_end(cluster, lambda node: node.kill()) for _ in range(kills)]
    row(f"owner killed: gap in frames at a follower, {kills} kills", "p95 ≤ 2.5 s", at_rates(gaps))
    gaps = [gap_at_end(cluster, lambda node: node.stop()) for _ in range(DRAINS)]
    row(
        f"owner drained: gap in frames at a follower, {DRAINS} drains", "≤ 200 ms",
        f"p50 {ms(statistics.median(gaps))}, longest {ms(max(gaps))}",
    )


def figure_leader(cluster):
    """Measures the gap when the NATS server that leads the stream of leases is killed."""
    used, unused = [], []
    with Audience(cluster, OWNER, (1, 2)) as room:
        for _ in range(LEADERS):
            until(lambda: cluster.is_replicated(LEASES), "the leases are at all servers", REPLICATED_SECONDS)
            # If no lease were renewed between two kills, the room would freeze during the second one.
            before = cluster.last_sequence(LEASES)
            until(lambda: cluster.last_sequence(LEASES) > before, "a lease is renewed", REPLICATED_SECONDS)
            leader = until(lambda: cluster.leader(LEASES), "a leader of the leases")
            users = {cluster.used_by(cluster.nodes[place]).number for place in range(3)}
            with room.host.swinging():
                time.sleep(WARM_SECONDS)
                began = time.monotonic()
                leader.end()
                until(lambda: cluster.leader(LEASES), "a new leader of the leases")
                time.sleep(AFTER_SECONDS)
                gap = max(guest.gap(began) for guest in room.guests)
            (used if leader.number in users else unused).append(gap)
            leader.start()
            room.agree()
        assert all(len(one.ownerships) == 1 for one in room.everybody), "the room has moved"
    said = [
        f"longest {ms(max(gaps))} where {where}" for gaps, where in
        ((unused, "no node uses it"), (used, "a node uses it")) if gaps
    ]
    row(f"NATS leader killed: time between frames, {LEADERS} kills", "no gap", "; ".join(said))


def arrivals(member, began, ended):
    """Returns the times of arrival by the frames' numbers."""
    return {
        one.number: one.at for one in list(member.arrivals)
        if began <= one.at <= ended and one.kind == "delta"
    }


def drive(room):
    """Moves a leaf for a while, and returns the beginning and the end."""
    with room.host.swinging():
        time.sleep(WARM_SECONDS)
        began = time.monotonic()
        time.sleep(DRIVE_SECONDS)
        ended = time.monotonic()
    return began, ended


def figure_relay(cluster):
    """Measures how much later a frame reaches a member of an edge than a member of the owner."""
    with Audience(cluster, OWNER, (OWNER, 1)) as room:
        began, ended = drive(room)
        near, far = (arrivals(guest, began, ended) for guest in room.guests)
        added = [far[number] - near[number] for number in near.keys() & far.keys()]
    row(
        f"added delay of a relayed frame, {len(added)} frames", "p99 ≤ 5 ms",
        f"p50 {ms(statistics.median(added))}, p99 {ms(percentile(added, 0.99))}",
    )


def figure_edges(cluster):
    """Measures messages per frame at the owner with a number of edges, and how far apart three are."""
    answers = []
    for count in (1, 2, 3):
        with Audience(cluster, OWNER, range(1, count + 1)) as room:
            with room.host.swinging():
                time.sleep(WARM_SECONDS)
                sent, number = cluster.nodes[OWNER].metric(SENT), room.host.frame.number
                began = time.monotonic()
                time.sleep(DRIVE_SECONDS)
                ended = time.monotonic()
                sent = cluster.nodes[OWNER].metric(SENT) - sent
                frames = room.host.frame.number - number
            answers.append(f"{sent / frames:.2f}")
            times = [arrivals(guest, began, ended) for guest in room.guests]
    shared = set.intersection(*(set(one) for one in times))
    apart = [max(one[number] for one in times) - min(one[number] for one in times) for number in shared]
    row("publishes per frame at the owner, 1, 2, 3 edges", "1, 2, 3", ", ".join(answers))
    row(
        f"one room, members on 3 edges: arrival of a frame apart, {len(apart)} frames", "p95 ≤ 25 ms",
        at_rates(apart),
    )


def image_seconds(cluster, paths):
    """Returns how long each of some answers takes."""
    connection = http.client.HTTPConnection("127.0.0.1", cluster.nodes[OWNER].server.port, timeout=10)
    taken = []
    for path in paths:
        began = time.monotonic()
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.read() and answer.status == 404, path
        taken.append(time.monotonic() - began)
    connection.close()
    return taken


def figure_images(cluster):
    """Measures the delay before an image is rendered, while all nodes run and while one is stopped.

    The pages do not exist, so that the times of a press do not hide that.
    """
    until(lambda: all(node.books for node in cluster.nodes), "the book can be read at each node", 60)
    owner = cluster.nodes[OWNER]
    until(lambda: owner.metric("lectern_cluster_nodes") == len(cluster.nodes), "all nodes are known")
    (book,) = json.loads(request(f"{owner.url}api/books"))
    paths = [f"/b/{book['id']}/p/{1000 + page}/screen?now=1" for page in range(2 * IMAGES)]
    times = {False: [], True: []}
    # In turns, so that whatever else the machine does meets both.
    for first in range(0, 2 * IMAGES, 2 * TURN):
        times[False] += image_seconds(cluster, paths[first:first + TURN])
        cluster.nodes[2].send_signal(signal.SIGSTOP)
        times[True] += image_seconds(cluster, paths[first + TURN:first + 2 * TURN])
        cluster.nodes[2].send_signal(signal.SIGCONT)
    running, stopped = (
        (statistics.median(one), percentile(one, 0.99)) for one in (times[False], times[True])
    )
    row(
        f"image that is not cached, one of three nodes stopped: added delay, {IMAGES} requests", "p99 ≤ 1 ms",
        f"p50 {ms(stopped[0] - running[0])}, p99 {ms(stopped[1] - running[1])}"
        f" (p50 {ms(running[0])}, p99 {ms(running[1])} while all run)",
    )


def main():
    """Measures, and prints a row for each measurement."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else KILLS
    sys.setswitchinterval(0.0005)
    # The gates, which only failures need, would delay each message.
    with Cluster(size=4, has_gates=False) as cluster:
        figure_relay(cluster)
        figure_edges(cluster)
    figure_model()
    with Cluster() as cluster:
        figure_images(cluster)
        figure_leader(cluster)
        figure_ended_owners(cluster, kills)
    note("The members and all processes share this machine, and each member is a thread of one process.")


if __name__ == "__main__":
    main()
