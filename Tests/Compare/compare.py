"""Compares the broadcast of a room with a bare C loop and with other libraries; see Scripts/bench.

Usage: Scripts/python Tests/Compare/compare.py BENCHMARKS [MEMBERS...]

BENCHMARKS is the program that has the bare loop. All servers send messages of the size of Lectern's driven frames
sixty times a second. They run on one processor, in turn, each at rest while another one is measured, and the
members on another. CPU times are those of the kernel's accounting.
"""

import contextlib
import os
import pathlib
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "Browser"), str(TESTS / "ClusterFailures")]

import wire  # noqa: E402  The paths are set above.
from crowd import Crowd  # noqa: E402
from machines import make_library, until  # noqa: E402
from members import Member  # noqa: E402
from server import Server  # noqa: E402

HZ = 60
ROUNDS = 5
SECONDS, WARM_SECONDS = 2.0, 0.5
# Members of Lectern that read nothing for some seconds would lose their connections.
PUMP_SECONDS = 0.2
COUNTS = (10, 200, 1000)
SERVERS_ON, MEMBERS_ON = {0}, {1}


def run_time(pid):
    """Returns the seconds that all threads of a process have run."""
    spent = 0
    for thread in pathlib.Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):
            spent += int((thread / "schedstat").read_text().split()[0])
    return spent / 1e9


class Contender:
    """A server, its members, and its CPU time for each message to a member."""

    def __init__(self, name, pid, crowd, size, host=None):
        self.name, self.pid, self.crowd, self.size, self._host = name, pid, crowd, size, host
        self.costs, self.rates = [], []
        self.hello = None

    @contextlib.contextmanager
    def _running(self):
        """Lets the server send during the block, by its presenter if it has one."""
        if self._host:
            with self._host.swinging():
                yield
            return
        os.kill(self.pid, signal.SIGCONT)
        try:
            yield
        finally:
            os.kill(self.pid, signal.SIGSTOP)

    def measure(self, members):
        """Lets the server run for a while, and measures it."""
        with self._running():
            self.crowd.run(WARM_SECONDS)
            before = run_time(self.pid)
            counts = self.crowd.run(SECONDS)
            # The clients of the bare loop count bytes only.
            messages = counts.driven or counts.bytes / self.size
            self.costs.append((run_time(self.pid) - before) / messages)
            self.rates.append(messages / members / SECONDS)
        # What is under way is discarded.
        self.crowd.run(WARM_SECONDS)


def started(arguments, end):
    """Starts a server that prints its port, and returns the process and the port."""
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, preexec_fn=on_servers)
    end.callback(process.wait)
    end.callback(process.kill)
    return process, int(process.stdout.readline())


def on_servers():
    """Binds a process to the processor of the servers."""
    os.sched_setaffinity(0, SERVERS_ON)


def lectern(count, end):
    """Starts Lectern with a room in which a leaf is dragged, and its members."""
    folder = end.enter_context(tempfile.TemporaryDirectory(prefix="lectern-compare-"))
    os.sched_setaffinity(0, SERVERS_ON)
    server = Server("--library", str(make_library(folder)), "--threads", "1", "--max-per-address", "2000")
    os.sched_setaffinity(0, MEMBERS_ON)
    end.callback(server.stop)
    host = end.enter_context(Member([server.url], 0))
    until(lambda: host.frame, "a frame")
    for screen in ("shelf", "book"):
        with host.settling(screen):
            host.key("Enter")
    host.do("share")
    links = host.wait(lambda: host.links, "shared")
    hello = wire.encode(
        "hello", wire.VERSION, host.welcome.room, links.follow, "", "", "", wire.NO_COLOUR, 1024, 768, 1.0,
        wire.numbers(wire.CLIENT_SETTINGS),
    )
    crowd = Crowd(server.port, count - 1, hello)
    end.callback(crowd.close)
    crowd.run(WARM_SECONDS)
    name = "Lectern, driven frames with all that goes with them"
    contender = Contender(name, server.process.pid, crowd, 1, host)
    with host.swinging():
        crowd.run(2)
        counts = crowd.run(SECONDS)
        contender.size = counts.bytes / max(1, counts.driven)
    crowd.run(WARM_SECONDS)
    contender.hello = hello
    return contender


def compare(benchmarks, count):
    """Measures all servers with a number of members, and prints a row."""
    with contextlib.ExitStack() as end:
        ours = lectern(count, end)
        contenders = [ours]
        payload = round(ours.size)
        for name, arguments, is_bare in (
            ("bare C loop", [benchmarks, "floor", str(round(ours.size)), str(HZ)], True),
            ("websockets", [sys.executable, str(TESTS / "Compare" / "peers.py"), "websockets", str(payload),
                            str(HZ)], False),
            ("picows", [sys.executable, str(TESTS / "Compare" / "peers.py"), "picows", str(payload), str(HZ)], False),
        ):
            process, port = started(arguments, end)
            crowd = Crowd(port, count - 1, None if is_bare else ours.hello)
            end.callback(crowd.close)
            ours.crowd.run(PUMP_SECONDS)
            contenders.append(Contender(name, process.pid, crowd, round(ours.size)))
            os.kill(process.pid, signal.SIGSTOP)
        for _ in range(ROUNDS):
            for one in contenders:
                one.measure(count - 1)
                ours.crowd.run(PUMP_SECONDS)
        floor = contenders[1]
        for one in contenders:
            ratios = [cost / least for cost, least in zip(one.costs, floor.costs, strict=True)]
            print(
                f"| {count} | {one.name} | {statistics.median(ratios):.2f} |"
                f" {1e6 * statistics.median(one.costs):.2f} µs | {statistics.median(one.rates):.1f} Hz |"
                f" {one.size:.0f} |", flush=True,
            )


def main():
    """Compares with each number of members."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    os.sched_setaffinity(0, MEMBERS_ON)
    print("| members | server | CPU of a message, ratio to the bare loop | CPU of a message | rate | bytes |")
    print("| --- | --- | --- | --- | --- | --- |")
    for count in [int(one) for one in sys.argv[2:]] or COUNTS:
        compare(sys.argv[1], count)


if __name__ == "__main__":
    main()
