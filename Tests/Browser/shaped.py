"""A line to a server that is as bad as asked: late, uneven, lossy, narrow, silent or cut.

A relay of TCP connections with a model of what a bad network does to them as TCP shows it:

- what comes is taken in segments of at most 1400 bytes;
- with a rate, segments leave one behind the other, all connections sharing the line; each counts
  with 52 bytes of heads. What waits for its turn waits in the sockets, which hold about a tenth of
  a second, so that a server sees the back-pressure of a narrow line and not the buffers of a relay;
- each segment is under way for the delay, give or take the jitter, evenly distributed; the order is
  kept, so one that is late holds up those behind it;
- a segment is lost by chance. Those behind it wait until it is sent again: when one that left a
  quarter of a round trip after it, or three that left after it, have come to the other side and the
  news of that is back (fast retransmit as on Linux), at the latest a retransmission timeout after
  it was sent, which is the round trip and 200 ms, and doubles for one that is lost again. There is
  no tail loss probe: the end of a burst fares worse here than with a modern kernel. That a sender
  slows down after a loss is left out: a reading is far from filling such a line.

Chance is seeded; so far as the timing of the sender is the same, so is the weather. A line is clear
until it is told to be bad, if it is told so: pages and pictures load at their leisure then.

Usage: Scripts/python Tests/Browser/shaped.py --to PORT [--delay MS] [--jitter MS] [--loss PERCENT]
                                              [--rate KBIT] [--seed N] [--clear]

prints its own port and obeys the words cut, mend, stall, flow, clear and worsen on its standard
input.
"""

import argparse
import asyncio
import collections
import dataclasses
import json
import pathlib
import random
import socket
import subprocess
import sys

SEGMENT_BYTES = 1400
HEAD_BYTES = 52
RETRANSMISSION_SECONDS = 0.2
DUPLICATES = 3
# What the relay's own sockets hold, at least and in seconds of the rate; the kernel doubles it for
# its own bookkeeping.
SOCKET_BYTES = 2048
SOCKET_SECONDS = 0.1
# What may be under way: the receive window of the far end.
WINDOW_BYTES = 65_536


@dataclasses.dataclass(frozen=True)
class Shape:
    """What a line is like, in each direction; seconds, a share from 0 to 1, bit/s."""

    delay: float = 0.0
    jitter: float = 0.0
    loss: float = 0.0
    rate: float | None = None

    def __str__(self):
        words = [f"{1000 * self.delay:.0f} +- {1000 * self.jitter:.0f} ms each way"]
        if self.loss:
            words.append(f"{100 * self.loss:g} % loss")
        if self.rate:
            words.append(f"{self.rate / 1000:.0f} kbit/s")
        return ", ".join(words)


@dataclasses.dataclass
class Weather:
    """What a line is like at the moment."""

    shape: Shape


class Bottleneck:
    """The narrow part of a line in one direction, which all connections share."""

    def __init__(self, weather):
        self._weather = weather
        self._free = 0.0

    def leave(self, now, size):
        """When the last bit of so many bytes has left, which then occupy the line until then."""
        rate = self._weather.shape.rate
        if not rate:
            return now
        self._free = max(now, self._free) + 8 * (size + HEAD_BYTES) / rate
        return self._free


@dataclasses.dataclass
class Segment:
    """Bytes under way: they arrive, or, lost, are sent again at the deadline or before."""

    data: bytes
    sent: float
    timeout: float
    deadline: float = 0.0
    arrival: float | None = None
    behind: int = 0


class Course:
    """One direction of one connection, behind the bottleneck. Knows no clock: it is told."""

    def __init__(self, weather, chance):
        self._weather = weather
        self._chance = chance
        self._queue = collections.deque()
        self.sent = self.lost = self.held = 0

    def send(self, now, data):
        """Takes a segment whose last bit left at a time."""
        self.sent += 1
        self.held += len(data)
        for other in self._queue:
            if other.arrival is None:
                self._note_behind(other, now)
        segment = Segment(data, now, self._round_trip + RETRANSMISSION_SECONDS)
        self._queue.append(segment)
        self._fly(segment, now)

    def _fly(self, segment, now):
        """Sends, or sends again; it is lost by chance."""
        if self._chance.random() < self._weather.shape.loss:
            self.lost += 1
            segment.arrival = None
            segment.sent, segment.behind = now, 0
            segment.deadline = now + segment.timeout
            segment.timeout *= 2
        else:
            segment.arrival = now + self._trip()

    def _note_behind(self, lost, now):
        lost.behind += 1
        if lost.behind == DUPLICATES or now - lost.sent >= self._round_trip / 4:
            lost.deadline = min(lost.deadline, now + self._trip() + self._trip())

    @property
    def _round_trip(self):
        return 2 * self._weather.shape.delay

    def _trip(self):
        shape = self._weather.shape
        return max(0.0, shape.delay + self._chance.uniform(-shape.jitter, shape.jitter))

    def due(self):
        """When to ask again for what arrives; None while nothing is under way."""
        if not self._queue:
            return None
        head = self._queue[0]
        return head.deadline if head.arrival is None else head.arrival

    def take(self, now):
        """What has arrived, in order, as one piece of bytes."""
        taken = []
        while self._queue:
            for segment in self._queue:
                if segment.arrival is None and segment.deadline <= now:
                    self._fly(segment, segment.deadline)
            head = self._queue[0]
            if head.arrival is None or head.arrival > now:
                break
            taken.append(self._queue.popleft().data)
        data = b"".join(taken)
        self.held -= len(data)
        return data


class Pipe:
    """Carries one direction of one connection."""

    def __init__(self, source, sink, course, bottleneck, flowing):
        self._source, self._sink = source, sink
        self._course, self._bottleneck, self._flowing = course, bottleneck, flowing
        self._changed = asyncio.Event()
        self._room = asyncio.Event()
        self._is_over = False

    async def run(self):
        """Carries until the source has ended and all has arrived."""
        try:
            await asyncio.gather(self._take_in(), self._give_out())
        except OSError:
            pass

    async def _take_in(self):
        loop = asyncio.get_running_loop()
        try:
            while True:
                await self._flowing.wait()
                while self._course.held >= WINDOW_BYTES:
                    self._room.clear()
                    await self._room.wait()
                data = await loop.sock_recv(self._source, SEGMENT_BYTES)
                if not data:
                    break
                left = self._bottleneck.leave(loop.time(), len(data))
                await asyncio.sleep(left - loop.time())
                self._course.send(left, data)
                self._changed.set()
        finally:
            self._is_over = True
            self._changed.set()

    async def _give_out(self):
        loop = asyncio.get_running_loop()
        while True:
            self._changed.clear()
            if data := self._course.take(loop.time()):
                await self._flowing.wait()
                await loop.sock_sendall(self._sink, data)
                self._room.set()
                continue
            due = self._course.due()
            if due is None and self._is_over:
                break
            try:
                wait = None if due is None else max(0.0, due - loop.time())
                await asyncio.wait_for(self._changed.wait(), wait)
            except TimeoutError:
                pass
        self._sink.shutdown(socket.SHUT_WR)


class Relay:
    """Accepts connections and carries them to a port of this machine."""

    def __init__(self, target, shape, seed, is_clear=False):
        self._target = ("127.0.0.1", target)
        self._shape = shape
        self._weather = Weather(Shape() if is_clear else shape)
        self._chance = random.Random(seed)
        self._bottlenecks = (Bottleneck(self._weather), Bottleneck(self._weather))
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._is_open = True
        self._tasks = set()
        self._ends = set()
        self._courses = []
        self._socket_bytes = max(SOCKET_BYTES, round((shape.rate or 0) / 8 * SOCKET_SECONDS))
        self._listener = self._socket()
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen(64)
        self.port = self._listener.getsockname()[1]

    def _socket(self):
        end = socket.socket()
        end.setblocking(False)
        # Before the handshake, in which both are told to the other side.
        end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self._socket_bytes)
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SEGMENT_BYTES)
        return end

    async def accept(self):
        """Accepts for ever."""
        loop = asyncio.get_running_loop()
        while True:
            near, _ = await loop.sock_accept(self._listener)
            if not self._is_open:
                near.close()
                continue
            self._begin(self._carry(near))

    def _begin(self, work):
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry(self, near):
        far = self._socket()
        ends = {near, far}
        self._ends |= ends
        try:
            await asyncio.get_running_loop().sock_connect(far, self._target)
            for end in ends:
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._socket_bytes)
            ways = ((near, far), (far, near))
            pipes = []
            for (source, sink), bottleneck in zip(ways, self._bottlenecks, strict=True):
                course = Course(self._weather, random.Random(self._chance.random()))
                self._courses.append(course)
                pipes.append(Pipe(source, sink, course, bottleneck, self._flowing).run())
            await asyncio.gather(*pipes)
        except OSError:
            pass
        finally:
            self._ends -= ends
            for end in ends:
                end.close()

    def cut(self):
        """Ends every connection and takes no new one: what a lost network is to both sides."""
        self._is_open = False
        for end in self._ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        for task in self._tasks:
            task.cancel()

    def mend(self):
        """Takes connections again."""
        self._is_open = True

    def stall(self):
        """Carries nothing, and closes nothing: what a reader that stopped reading is."""
        self._flowing.clear()

    def flow(self):
        """Carries again."""
        self._flowing.set()

    def clear(self):
        """Carries at once all that comes."""
        self._weather.shape = Shape()

    def worsen(self):
        """Is from now on as bad as asked."""
        self._weather.shape = self._shape

    def count(self):
        """How many segments were sent and lost so far."""
        return {
            "sent": sum(course.sent for course in self._courses),
            "lost": sum(course.lost for course in self._courses),
        }


async def obey(relay):
    """Does what the standard input says, a word a line, until it ends."""
    loop = asyncio.get_running_loop()
    while word := (await loop.run_in_executor(None, sys.stdin.readline)).strip():
        answer = getattr(relay, word)()
        print(json.dumps(answer), flush=True)


async def relaying(options):
    """Relays until the standard input ends."""
    shape = Shape(
        options.delay / 1000,
        options.jitter / 1000,
        options.loss / 100,
        options.rate * 1000 if options.rate else None,
    )
    relay = Relay(options.to, shape, options.seed, options.clear)
    print(relay.port, flush=True)
    accepting = asyncio.get_running_loop().create_task(relay.accept())
    await obey(relay)
    accepting.cancel()
    relay.cut()


class Shaped:
    """A shaped line to a port of this machine, in a process of its own.

    A process: what a test or a benchmark computes meanwhile must not make the line worse.
    """

    def __init__(self, port, shape=Shape(), seed=1, is_clear=False):
        self.shape = shape
        self._process = subprocess.Popen(
            [
                sys.executable, pathlib.Path(__file__).resolve(), "--to", str(port),
                "--delay", str(1000 * shape.delay), "--jitter", str(1000 * shape.jitter),
                "--loss", str(100 * shape.loss), "--rate", str((shape.rate or 0) / 1000),
                "--seed", str(seed), *(["--clear"] if is_clear else []),
            ],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        self.port = int(self._process.stdout.readline())
        self.url = f"http://127.0.0.1:{self.port}/"

    def _say(self, word):
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def cut(self):
        """See `Relay.cut`."""
        self._say("cut")

    def mend(self):
        """See `Relay.mend`."""
        self._say("mend")

    def stall(self):
        """See `Relay.stall`."""
        self._say("stall")

    def flow(self):
        """See `Relay.flow`."""
        self._say("flow")

    def clear(self):
        """See `Relay.clear`."""
        self._say("clear")

    def worsen(self):
        """See `Relay.worsen`."""
        self._say("worsen")

    def count(self):
        """See `Relay.count`."""
        return self._say("count")

    def close(self):
        """Ends the line for good."""
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def has_netem():
    """Whether this kernel could shape a line itself; then a namespace of the network may too."""
    try:
        probe = "ip link set lo up && tc qdisc add dev lo root netem delay 1ms"
        asked = subprocess.run(["unshare", "--net", "sh", "-c", probe], capture_output=True)
    except OSError:
        return False
    return asked.returncode == 0


def main():
    """The relay by itself."""
    parser = argparse.ArgumentParser(description="A line that is as bad as asked.")
    parser.add_argument("--to", type=int, required=True, metavar="PORT")
    parser.add_argument("--delay", type=float, default=0, metavar="MS")
    parser.add_argument("--jitter", type=float, default=0, metavar="MS")
    parser.add_argument("--loss", type=float, default=0, metavar="PERCENT")
    parser.add_argument("--rate", type=float, default=0, metavar="KBIT")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clear", action="store_true")
    asyncio.run(relaying(parser.parse_args()))


if __name__ == "__main__":
    main()
