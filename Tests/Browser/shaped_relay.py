"""The process of a shaped connection: a relay of TCP connections that applies the model.

Bytes that wait for the rate stay in the sockets, which hold about a tenth of a second, so that a server
sees the back-pressure of a slow connection and not the buffers of a relay.

Usage: Scripts/python Tests/Browser/shaped_relay.py --to PORT [--delay MS] [--jitter MS]
                                                    [--loss PERCENT] [--rate KBIT] [--seed N]
                                                    [--clear]

It prints its own port, and takes the commands cut, mend, stall, flow, clear, worsen and count on its
standard input.
"""

import argparse
import asyncio
import json
import random
import socket
import sys

from shaped_model import SEGMENT_BYTES, Bottleneck, Course, Shape, Weather

# The buffers of the relay's sockets, at least and in seconds of the rate. The kernel doubles the size for
# its own bookkeeping.
SOCKET_BYTES = 2048
SOCKET_SECONDS = 0.1
# The receive window of the far end, which limits the bytes in flight.
WINDOW_BYTES = 65_536


class Pipe:
    """Carries one direction of one connection."""

    def __init__(self, source, sink, course, bottleneck, flowing):
        self._source, self._sink = source, sink
        self._course, self._bottleneck, self._flowing = course, bottleneck, flowing
        self._changed = asyncio.Event()
        self._room = asyncio.Event()
        self._is_over = False

    async def run(self):
        """Carries bytes until the source has ended and everything has arrived."""
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
        # This is set before the handshake, which announces it to the other side.
        end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self._socket_bytes)
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SEGMENT_BYTES)
        return end

    async def accept(self):
        """Accepts connections until the process ends."""
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
        """Ends every connection and accepts no new one, like a lost network."""
        self._is_open = False
        for end in self._ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        for task in self._tasks:
            task.cancel()

    def mend(self):
        """Accepts connections again."""
        self._is_open = True

    def stall(self):
        """Carries nothing and closes nothing, like a client that has stopped reading."""
        self._flowing.clear()

    def flow(self):
        """Carries bytes again."""
        self._flowing.set()

    def clear(self):
        """Carries all waiting bytes at once."""
        self._weather.shape = Shape()

    def worsen(self):
        """Applies the faults from now on."""
        self._weather.shape = self._shape

    def count(self):
        """Returns the numbers of segments sent and lost so far."""
        return {
            "sent": sum(course.sent for course in self._courses),
            "lost": sum(course.lost for course in self._courses),
        }


async def obey(relay):
    """Runs the commands of the standard input, one per line, until it ends."""
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


def main():
    """Runs the relay."""
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
