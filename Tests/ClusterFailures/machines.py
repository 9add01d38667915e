"""A cluster on this machine: three NATS servers and some Lectern servers, each of which can be killed or paused.

It needs nothing but Python's own library, so that Scripts/cluster can use it.
"""

import contextlib
import json
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Browser"))

from gates import Gate  # noqa: E402
from server import ROOT, Server  # noqa: E402

NATS_SERVER = shutil.which("nats-server") or "/usr/sbin/nats-server"
START_SECONDS = 20
PORTS = (20_000, 32_000)
SIZE = 3
# An address at which nobody listens: servers must not tell each other ways around the gates.
NOWHERE = "127.0.0.1:1"
LEASES = "KV_lectern_v1_leases"
PAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="362" height="568"></svg>'
PAGES = 40
CONNECTED = re.compile(r"cluster\.connected: .* node=\"?([0-9a-f]{16})")


def free_ports(count):
    """Returns ports of the loopback interface that are free, and that no outgoing connection will use."""
    found = []
    while len(found) < count:
        port = random.randrange(*PORTS)
        with socket.socket() as one, contextlib.suppress(OSError):
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            one.bind(("127.0.0.1", port))
            found += [port] if port not in found else []
    return found


def until(condition, what, seconds=START_SECONDS):
    """Waits until a condition holds, and returns its value."""
    end = time.monotonic() + seconds
    while not (answer := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"not {what} within {seconds} s")
        time.sleep(0.02)
    return answer


def request(url):
    """Returns the body of a response; None if there is no good one."""
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return answer.read()
    except OSError:
        return None


def make_library(folder):
    """Writes a library of one book that is quick to read, and returns its folder."""
    book = pathlib.Path(folder) / "Shelf" / "Book"
    book.mkdir(parents=True)
    for page in range(PAGES):
        (book / f"{page:02}.svg").write_text(PAGE)
    return pathlib.Path(folder)


class NATS:
    """A NATS server with storage, whose ports stay the same when it is started again."""

    def __init__(self, number, folder, ports):
        self.number = number
        self.name = f"nats-{number + 1}"
        self.port, self.route_port, self.monitor_port = ports
        self._folder = pathlib.Path(folder)
        self.process = None

    def configure(self, routes):
        """Writes the configuration, with the ports of the other servers' routes."""
        addresses = ", ".join(f'"nats://127.0.0.1:{port}"' for port in routes)
        cluster = (
            f'cluster {{ name: lectern, listen: "127.0.0.1:{self.route_port}", routes: [{addresses}],'
            f' no_advertise: true, advertise: "{NOWHERE}" }}\n'
        )
        self._folder.mkdir(parents=True)
        (self._folder / "nats.conf").write_text(
            f'server_name: {self.name}\nlisten: "127.0.0.1:{self.port}"\n'
            f'http: "127.0.0.1:{self.monitor_port}"\n'
            f'log_file: "{self._folder}/log"\n'
            f'jetstream {{ store_dir: "{self._folder}/store" }}\n'
            + (cluster if routes else "")
        )

    def start(self):
        """Starts the server, and waits until it answers."""
        self.process = subprocess.Popen(
            [NATS_SERVER, "--config", self._folder / "nats.conf"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            # Ctrl-C reaches all processes of a terminal; the nodes need NATS until they have ended.
            process_group=0,
        )
        until(lambda: self.look("varz") or not self.is_running, f"{self.name} has started")
        if not self.is_running:
            raise RuntimeError(f"{self.name} ended with {self.process.poll()}; see {self._folder}")

    def look(self, what):
        """Returns one of the documents of the server's monitoring; None if it does not answer."""
        body = request(f"http://127.0.0.1:{self.monitor_port}/{what}")
        return json.loads(body) if body else None

    @property
    def address(self):
        """The address for clients."""
        return f"nats://127.0.0.1:{self.port}"

    @property
    def is_running(self):
        """Whether the process runs."""
        return self.process is not None and self.process.poll() is None

    def put(self, bucket, key, value):
        """Writes a record, whatever it was before."""
        with socket.create_connection(("127.0.0.1", self.port), START_SECONDS) as one:
            subject = f"$KV.{bucket}.{key}"
            one.sendall(
                b'CONNECT {"verbose": false}\r\n'
                + f"PUB {subject} {len(value)}\r\n".encode() + value + b"\r\nPING\r\n"
            )
            answer = b""
            while not answer.endswith(b"PONG\r\n"):
                answer += one.recv(4096) or b"-ERR\r\n"
                assert b"-ERR" not in answer, answer

    def send_signal(self, number):
        """Sends a signal to the process."""
        if self.is_running:
            self.process.send_signal(number)

    @property
    def output(self):
        """The log of the server so far."""
        return (self._folder / "log").read_text()

    def wait(self):
        """Waits until the server has ended, and returns its exit status."""
        return self.process.wait()

    def end(self, number=signal.SIGKILL):
        """Ends the server by a signal."""
        self.send_signal(number)
        if self.process is not None:
            self.process.wait()


class Node:
    """A Lectern server of the cluster, which keeps its folder when it is started again."""

    def __init__(self, number, folder, addresses, store, options):
        self.number = number
        self.data = pathlib.Path(folder)
        self.data.mkdir(mode=0o700, parents=True)
        self._options = [
            "--data", str(self.data), "--nats", ",".join(addresses), "--store", str(store), *options
        ]
        self.server = None

    def start(self, port=0):
        """Starts the server."""
        self.server = Server(*self._options, port=port)

    def restart(self):
        """Starts the server again after it has ended, at the same port."""
        self.start(self.server.port)

    @property
    def url(self):
        """The address of the pages."""
        return self.server.url

    @property
    def is_running(self):
        """Whether the process runs."""
        return self.server is not None and self.server.process.poll() is None

    def send_signal(self, number):
        """Sends a signal to the process."""
        if self.is_running:
            self.server.process.send_signal(number)

    def kill(self):
        """Ends the process as a crash does."""
        self.send_signal(signal.SIGKILL)
        self.server.process.wait()

    def stop(self):
        """Asks the process to end, and returns its exit status."""
        return self.server.stop()

    @property
    def id(self):
        """The identity of the process in the cluster, as bytes in little-endian order."""
        return bytes.fromhex(CONNECTED.search(self.server.output)[1])[::-1]

    def maps(self, name):
        """Returns whether the process has a library mapped."""
        return name in pathlib.Path(f"/proc/{self.server.process.pid}/maps").read_text()

    def metric(self, name):
        """Returns the value of a metric, with its labels in braces if it has any."""
        return self.server.metric(name)

    @property
    def owned(self):
        """The number of rooms that the node owns."""
        return int(self.metric("lectern_leases_owned"))

    @property
    def books(self):
        """The number of books that can be read."""
        return (request(f"{self.url}api/books") or b"").count(b'"ready"')


class Cluster:
    """NATS servers and nodes, with a gate in front of each NATS server for each node and each other server.

    Use it in a `with` statement, which ends all processes and removes the folders.
    """

    def __init__(self, library=None, size=SIZE, servers=SIZE, has_gates=True, ports=(), options=(), uses=()):
        """Starts them; `uses` gives the NATS server of each node, and without it, each chooses any of them."""
        self._end = contextlib.ExitStack()
        try:
            self._build(library, size, servers, has_gates, ports, options, uses)
        except BaseException:
            self._end.close()
            raise

    def _build(self, library, size, servers, has_gates, ports, options, uses):
        folder = pathlib.Path(
            self._end.enter_context(tempfile.TemporaryDirectory(prefix="lectern-cluster-"))
        )
        library = library or make_library(folder / "library")
        numbers = free_ports(3 * servers)
        self.nats = [
            NATS(number, folder / f"nats-{number + 1}", numbers[3 * number:3 * number + 3])
            for number in range(servers)
        ]
        # The gates by what is behind them and who uses them: ("nats" or "node", number, NATS server).
        self.gates = {}
        for one in self.nats:
            others = [other for other in self.nats if other is not one]
            one.configure([self._way("nats", one.number, other, has_gates) for other in others])
        for one in self.nats:
            self._end.callback(one.end)
            one.start()
        if servers > 1:
            until(self.leader, "a leader of JetStream")
        self.nodes = []
        store = folder / "store"
        store.mkdir(mode=0o700)
        for number in range(size):
            addresses = [
                f"nats://127.0.0.1:{self._way('node', number, one, has_gates)}"
                for one in ([self.nats[uses[number]]] if uses else self.nats)
            ]
            node = Node(
                number, folder / f"data-{number + 1}", addresses, store,
                ["--library", str(library), *options],
            )
            self.nodes.append(node)
            self._end.callback(self._end_node, node)
            node.start(ports[number] if ports else 0)

    @staticmethod
    def _end_node(node):
        if node.server is None:
            return
        node.send_signal(signal.SIGCONT)
        node.server.stop()

    def _way(self, kind, number, server, has_gates):
        port = server.route_port if kind == "nats" else server.port
        if not has_gates:
            return port
        gate = Gate(port)
        self._end.callback(gate.close)
        self.gates[kind, number, server.number] = gate
        return gate.port

    def leader(self, stream=None):
        """Returns the NATS server that leads a stream, or all of JetStream; None if there is none."""
        for one in self.nats:
            if not one.is_running:
                continue
            if stream is None:
                name = self._state(one).get("meta_cluster", {}).get("leader")
            else:
                name = self._group(one, stream).get("leader")
            for other in self.nats:
                if other.name == name and other.is_running:
                    return other
        return None

    def is_replicated(self, stream):
        """Returns whether all servers have all records of a stream: a further one may fail."""
        leader = self.leader(stream)
        replicas = self._group(leader, stream).get("replicas", []) if leader else []
        return len(replicas) == len(self.nats) - 1 and all(
            one.get("current") and not one.get("offline") for one in replicas
        )

    def last_sequence(self, stream):
        """Returns the number of the last record of a stream at its leader; 0 without a leader."""
        leader = self.leader(stream)
        return self._stream(leader, stream).get("state", {}).get("last_seq", 0) if leader else 0

    @staticmethod
    def _state(server):
        return server.look("jsz?streams=true&accounts=true") or {}

    def _stream(self, server, stream):
        """Returns what a server knows of a stream."""
        found = (
            one for account in self._state(server).get("account_details", [])
            for one in account.get("stream_detail", []) if one["name"] == stream
        )
        return next(found, {})

    def _group(self, server, stream):
        """Returns what a server knows of the servers of a stream."""
        return self._stream(server, stream).get("cluster", {})

    def used_by(self, node):
        """Returns the NATS server to which a node is connected."""
        def found():
            for one in self.nats:
                for connection in (one.look("connz") if one.is_running else {}).get("connections", []):
                    gate = self.gates["node", node.number, one.number]
                    if gate.is_behind(connection["port"]):
                        return one
            return None

        return until(found, f"node {node.number} is connected")

    def isolate(self, number):
        """Cuts off the node and the NATS server of a number: nothing passes, and nothing is closed."""
        for gate in self._between(number):
            gate.stall()

    def join(self, number):
        """Ends `isolate`; what has waited passes."""
        for gate in self._between(number):
            gate.flow()

    def _between(self, number):
        return [
            gate for (_, user, server), gate in self.gates.items()
            if (user == number) != (server == number)
        ]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._end.close()
