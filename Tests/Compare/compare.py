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
import select
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "Browser"), str(TESTS / "ClusterFailures")]

import wire  # noqa: E402
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
HANDSHAKE = (
    "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s\r\n"
)
# A pong that nobody has asked for also tells a server that its client is there.
PONG = bytes([0x8A, 0x80]) + bytes(4)
PROTOCOL = f"Sec-WebSocket-Protocol: {wire.SUBPROTOCOL}\r\n"


def masked(payload):
    """Returns a short binary message of a client, with a mask of zeros."""
    size = len(payload)
    head = bytes([0x82, 0x80 | size]) if size < 126 else bytes([0x82, 0x80 | 126]) + size.to_bytes(2, "big")
    return head + bytes(4) + payload


class Crowd:
    """Many members that count the bytes that they receive, and never decode them."""

    def __init__(self, port, count, hello=None, is_bare=False):
        self._poll = select.epoll()
        self._sockets = {}
        self.port = port
        self._speaks = hello is not None
        for place in range(count):
            line = socket.create_connection(
                ("127.0.0.1", port), source_address=(f"127.0.{1 + place // 250}.{1 + place % 250}", 0)
            )
            if not is_bare:
                line.sendall((HANDSHAKE % (port, port, PROTOCOL if hello else "")).encode())
                head = b""
                while b"\r\n\r\n" not in head:
                    head += line.recv(1)
                assert b" 101 " in head, head
            if hello:
                line.sendall(masked(hello))
            line.setblocking(False)
            self._sockets[line.fileno()] = line
            self._poll.register(line, select.EPOLLIN)
            self.run(0)

    def run(self, seconds):
        """Receives for a while, and returns the number of bytes."""
        received, end = 0, time.monotonic() + seconds
        if self._speaks and seconds:
            probe = masked(wire.encode("clock", time.monotonic()))
            for one in self._sockets.values():
                one.sendall(PONG + probe)
        while True:
            for one, _ in self._poll.poll(0.005 if seconds else 0):
                data = len(self._sockets[one].recv(1 << 16))
                assert data, f"a member of {self.port} lost its connection"
                received += data
            if time.monotonic() >= end:
                return received

    def close(self):
        """Closes all connections."""
        for one in self._sockets.values():
            one.close()
        self._poll.close()


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
            messages = self.crowd.run(SECONDS) / self.size
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
        number, received = host.frame.number, crowd.run(SECONDS)
        contender.size = received / (count - 1) / max(1, host.frame.number - number)
    crowd.run(WARM_SECONDS)
    return contender


def compare(benchmarks, count):
    """Measures all servers with a number of members, and prints a row."""
    with contextlib.ExitStack() as end:
        ours = lectern(count, end)
        contenders = [ours]
        payload = max(1, round(ours.size) - (2 if ours.size < 128 else 4))
        for name, arguments, is_bare in (
            ("bare C loop", [benchmarks, "floor", str(round(ours.size)), str(HZ)], True),
            ("websockets", [sys.executable, str(TESTS / "Compare" / "peers.py"), "websockets", str(payload),
                            str(HZ)], False),
            ("picows", [sys.executable, str(TESTS / "Compare" / "peers.py"), "picows", str(payload), str(HZ)], False),
        ):
            process, port = started(arguments, end)
            crowd = Crowd(port, count - 1, is_bare=is_bare)
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
