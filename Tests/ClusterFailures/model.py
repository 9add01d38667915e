"""Holds the model of the Scaling article against a room on three edges; see Scripts/bench.

Usage: Scripts/python Tests/ClusterFailures/model.py

A leaf is dragged in a room that has no edge, one, two and three, each with as many members. What a frame costs the
owner, the NATS servers and each edge is fitted to the first three and predicts the fourth. CPU times are those of the
kernel's accounting, less what the same processes take at rest.
"""

import concurrent.futures
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Compare"))

from machines import Cluster  # noqa: E402  The path is set above.
from members import Audience  # noqa: E402

import wire  # noqa: E402
from compare import run_time  # noqa: E402
from crowd import Crowd  # noqa: E402
from figures.table import row  # noqa: E402

OWNER, EDGES, MEMBERS, ROUNDS = 0, 3, 100, 5
WARM_SECONDS, REST_SECONDS, DRIVE_SECONDS = 1.0, 2.0, 6.0
# Each node has a NATS server of its own, so each edge costs NATS the same.
USES = (0, 1, 2, 3)
SENT = 'lectern_fabric_messages_total{direction="sent"}'
LAYERS = ("owner's messages", "owner's bytes", "owner's CPU", "NATS's CPU", "edges' CPU")


class Room:
    """A room whose members are at some edges."""

    def __init__(self, cluster, audience, edges):
        self._cluster, self._host, self._edges = cluster, audience.host, cluster.nodes[1:1 + edges]
        hello = wire.encode(
            "hello", wire.VERSION, audience.host.welcome.room, audience.links.follow, "", "", "", wire.NO_COLOUR,
            1024, 768, 1.0, wire.numbers(wire.CLIENT_SETTINGS),
        )
        self._crowds = [Crowd(node.server.port, MEMBERS, hello) for node in self._edges]

    def _run(self, seconds):
        if not self._crowds:
            time.sleep(seconds)
            return
        # The C code waits without the lock of the interpreter.
        with concurrent.futures.ThreadPoolExecutor(len(self._crowds)) as pool:
            list(pool.map(lambda crowd: crowd.run(seconds), self._crowds))

    def _totals(self):
        return [
            self._cluster.nodes[OWNER].metric(SENT),
            self._sent_bytes(),
            run_time(self._cluster.nodes[OWNER].server.process.pid),
            sum(run_time(one.process.pid) for one in self._cluster.nats),
            sum(run_time(node.server.process.pid) for node in self._edges),
        ]

    def _sent_bytes(self):
        """Returns what the owner has sent to NATS, as the server counts it."""
        name = f"lectern {self._cluster.nodes[OWNER].id[::-1].hex()}"
        connections = (one for server in self._cluster.nats for one in server.look("connz")["connections"])
        return next(one["in_bytes"] for one in connections if one["name"] == name)

    def _spend(self, seconds):
        """Returns what each layer spends in a second, and the frames of a second."""
        before, number, began = self._totals(), self._host.frame.number, time.monotonic()
        self._run(seconds)
        elapsed = time.monotonic() - began
        frames = (self._host.frame.number - number) / elapsed
        return [(now - then) / elapsed for now, then in zip(self._totals(), before, strict=True)], frames

    def measure(self):
        """Returns what a driven frame costs each layer."""
        self._run(WARM_SECONDS)
        rest, _ = self._spend(REST_SECONDS)
        with self._host.swinging():
            self._run(WARM_SECONDS)
            driven, frames = self._spend(DRIVE_SECONDS)
        self._run(WARM_SECONDS)
        return [(busy - idle) / frames for busy, idle in zip(driven, rest, strict=True)]

    def close(self):
        """Lets the members leave."""
        for crowd in self._crowds:
            crowd.close()


def fit(costs):
    """Returns the constant and the slope of the line through costs at 0, 1, ... edges, by least squares."""
    middle = (len(costs) - 1) / 2
    mean = statistics.mean(costs)
    slope = sum((place - middle) * cost for place, cost in enumerate(costs)) / sum(
        (place - middle) ** 2 for place in range(len(costs))
    )
    return mean - slope * middle, slope


def figure_model():
    """Measures, fits and compares."""
    costs = {edges: [] for edges in range(EDGES + 1)}
    options = ("--max-per-address", "1000")
    with (
        Cluster(size=EDGES + 1, servers=len(USES), has_gates=False, options=options, uses=USES) as cluster,
        Audience(cluster, OWNER, ()) as audience,
    ):
        for _ in range(ROUNDS):
            for edges, found in costs.items():
                room = Room(cluster, audience, edges)
                found.append(room.measure())
                room.close()
    medians = [[statistics.median(one) for one in zip(*costs[edges], strict=True)] for edges in costs]
    answers, slopes = [], {}
    for place, layer in enumerate(LAYERS):
        constant, slope = fit([medians[edges][place] for edges in range(EDGES)])
        slopes[layer] = slope
        predicted, measured = constant + slope * EDGES, medians[EDGES][place]
        answers.append(f"{layer} {predicted / measured:.2f}")
    row(
        f"a driven frame with {MEMBERS} members at each edge: what each edge adds", "",
        f"owner {1e6 * slopes[LAYERS[2]]:.0f} µs, NATS {1e6 * slopes[LAYERS[3]]:.0f} µs and"
        f" {slopes[LAYERS[1]]:.0f} bytes, the edge {1e6 * slopes[LAYERS[4]]:.0f} µs,"
        f" that is {1e6 * slopes[LAYERS[4]] / MEMBERS:.2f} µs a member",
    )
    row("three edges, as up to two predict them: predicted / measured", "0.8 to 1.2", ", ".join(answers))


if __name__ == "__main__":
    figure_model()
