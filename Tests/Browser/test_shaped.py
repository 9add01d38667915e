"""The shaped connection and its model, which is tested without a clock."""

import random
import socket
import threading

import pytest

from shaped import Shaped
from shaped_model import HEAD_BYTES, SEGMENT_BYTES, Bottleneck, Course, Shape, Weather

FAR = Shape(delay=0.08, jitter=0.04)
TICK = 1 / 60


def arrivals(shape, count, seed=1, gap=TICK):
    """Sends numbered segments evenly and returns (number, sent, arrived) for each."""
    course = Course(Weather(shape), random.Random(seed))
    came, now = [], 0.0
    for number in range(count):
        came += taken(course, until=number * gap)
        course.send(number * gap, bytes([number % 256]))
    while (now := course.due()) is not None:
        came += [(now, byte) for byte in course.take(now)]
    return [(number, number * gap, at) for number, (at, _) in enumerate(came)], came, course


def taken(course, until):
    """Returns the segments that arrive until a time, each with its time."""
    came = []
    while (due := course.due()) is not None and due <= until:
        came += [(due, byte) for byte in course.take(due)]
    return came


def test_without_loss_segments_are_late_by_the_delay_and_the_jitter():
    flights, _, _ = arrivals(FAR, 2000)
    lateness = [at - sent for _, sent, at in flights]
    assert min(lateness) >= 0.04
    assert max(lateness) <= 0.12 + 1e-9
    assert max(lateness) - min(lateness) > 0.05, "there is no jitter"


def test_segments_stay_in_order_and_all_arrive():
    for seed in range(20):
        flights, came, course = arrivals(Shape(0.08, 0.04, loss=0.1), 500, seed)
        assert [byte for _, byte in came] == [n % 256 for n in range(500)], f"seed {seed}"
        times = [at for _, _, at in flights]
        assert times == sorted(times), f"seed {seed}"
        assert course.held == 0


def test_the_share_of_lost_segments_is_the_given_one():
    _, _, course = arrivals(Shape(0.08, 0.04, loss=0.02), 20_000)
    assert course.sent == 20_000
    assert 0.015 < course.lost / course.sent < 0.025


def test_a_loss_in_a_stream_costs_a_round_trip_and_delays_later_segments():
    course = Course(Weather(Shape(delay=0.08)), Rigged([0]))
    for number in range(10):
        course.send(number * TICK, bytes([number]))
    # The third later segment leaves at 3 ticks; after a round trip the lost one is sent again.
    assert taken(course, until=0.2) == []
    again = 3 * TICK + 0.16 + 0.08
    came = taken(course, until=again + 1e-6)
    assert [byte for _, byte in came] == list(range(10))
    assert came[0][0] == pytest.approx(again)


def test_a_far_connection_detects_a_loss_by_the_third_later_segment_and_a_near_one_by_the_first():
    near = Course(Weather(Shape(delay=0.02)), Rigged([0]))
    for number in range(10):
        near.send(number * TICK, bytes([number]))
    came = taken(near, until=TICK + 0.04 + 0.02 + 1e-6)
    assert [byte for _, byte in came] == list(range(4))


def test_a_loss_at_the_end_costs_the_timeout_and_a_second_one_doubles_it():
    course = Course(Weather(Shape(delay=0.08)), Rigged([0]))
    course.send(0.0, b"a")
    assert course.take(0.43) == b""
    assert course.take(0.16 + 0.2 + 0.08 + 1e-6) == b"a"
    course = Course(Weather(Shape(delay=0.08)), Rigged([0, 1]))
    course.send(0.0, b"a")
    assert course.take(0.36 + 0.72 + 0.07) == b""
    assert course.take(0.36 + 0.72 + 0.08 + 1e-6) == b"a"


class Rigged(random.Random):
    """Random numbers that lose only the segments of the given turns."""

    def __init__(self, losses):
        super().__init__(1)
        self._losses, self._turn = losses, -1

    def random(self):
        """Returns a number below every share for a loss, and above every share otherwise."""
        self._turn += 1
        return -1.0 if self._turn in self._losses else 1.0


def test_the_faults_depend_on_the_seed():
    bad = Shape(0.08, 0.04, loss=0.05)
    assert arrivals(bad, 200, seed=3)[0] == arrivals(bad, 200, seed=3)[0]
    assert arrivals(bad, 200, seed=3)[0] != arrivals(bad, 200, seed=4)[0]


def test_a_bottleneck_limits_the_rate():
    line = Bottleneck(Weather(Shape(rate=400_000)))
    left = 0.0
    for _ in range(100):
        left = line.leave(0.0, SEGMENT_BYTES)
    assert left == pytest.approx(100 * 8 * (SEGMENT_BYTES + HEAD_BYTES) / 400_000)
    assert line.leave(left + 5, 0) == pytest.approx(left + 5 + 8 * HEAD_BYTES / 400_000)
    assert Bottleneck(Weather(Shape())).leave(3.0, 10**9) == 3.0


class Echo:
    """An echo server."""

    def __init__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                peer, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(peer,), daemon=True).start()

    @staticmethod
    def _answer(peer):
        with peer:
            try:
                while data := peer.recv(65536):
                    peer.sendall(data)
            except OSError:
                pass

    def close(self):
        """Accepts no more connections."""
        self._listener.close()


@pytest.fixture
def echo():
    """An echo server."""
    server = Echo()
    yield server
    server.close()


@pytest.fixture
def line(echo):
    """A short and lossy connection to it."""
    line = Shaped(echo.port, Shape(delay=0.002, jitter=0.001, loss=0.02))
    yield line
    line.close()


def read(peer, count):
    """Reads a number of bytes from a socket."""
    data = b""
    while len(data) < count and (more := peer.recv(count - len(data))):
        data += more
    return data


def connected(line):
    """Connects a socket to the relay."""
    return socket.create_connection(("127.0.0.1", line.port), timeout=15)


def test_all_bytes_arrive(line):
    words = random.Random(1).randbytes(100_000)
    with connected(line) as peer:
        threading.Thread(target=peer.sendall, args=(words,), daemon=True).start()
        assert read(peer, len(words)) == words
        peer.shutdown(socket.SHUT_WR)
        assert peer.recv(1) == b"", "the end does not come through"
    assert line.count()["lost"] > 0


def test_a_stalled_connection_blocks_the_sender_and_continues(line):
    with connected(line) as peer:
        peer.sendall(b"before")
        assert read(peer, 6) == b"before"
        line.stall()
        peer.setblocking(False)
        sent = 0
        try:
            while sent < 50_000_000:
                sent += peer.send(bytes(65536))
        except BlockingIOError:
            pass
        assert 0 < sent < 50_000_000, "the sender is not held"
        line.flow()
        peer.settimeout(15)
        assert read(peer, 1000) == bytes(1000)


def test_a_cut_ends_connections_and_rejects_new_ones_until_mended(line):
    with connected(line) as peer:
        peer.sendall(b"a")
        assert read(peer, 1) == b"a"
        line.cut()
        assert peer.recv(1) == b""
    with connected(line) as peer:
        assert_refused(peer)
    line.mend()
    with connected(line) as peer:
        peer.sendall(b"b")
        assert read(peer, 1) == b"b"


def assert_refused(peer):
    """Asserts that nothing arrives on a connection."""
    try:
        peer.sendall(b"c")
        assert peer.recv(1) == b""
    except ConnectionError:
        pass
