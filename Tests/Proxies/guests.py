"""Members of rooms of which one thread plays hundreds: what they hear is kept, and is read afterwards.

They say hello, acknowledge frames and reconnect as a page does, and each has an address of its own, as at home. Times
are those of this machine's monotonic clock.
"""

import asyncio
import random
import re
import socket
import time

import picows

import wire
from server import ROOT

ADDRESSES = "127.1.{}.{}"
ACK_SECONDS, PROBE_SECONDS = 1.0, 4.0
# What a page with a good connection reports.
LATE_SECONDS, ROUND_TRIP = 0.002, 0.003
# Those of Web/js/connection.js and Web/js/session/reconnection.js.
PATIENCE_SECONDS, STEADY_SECONDS = 8.0, 5.0


def page_waits():
    """Returns the page's waits before each attempt to reconnect, in seconds, and the random share of each."""
    script = (ROOT / "Web" / "js" / "session" / "reconnection.js").read_text()
    waits, jitter = (re.search(rf"const {name} = (.*);", script)[1] for name in ("WAITS", "JITTER"))
    return [int(wait) / 1000 for wait in waits.strip("[]").split(",")], float(jitter)


WAITS, JITTER = page_waits()


class Guest(picows.WSListener):
    """A member of a room.

    `heard` has the messages of the newest connection, and `driven` those frames that a finger drives, which it keeps no
    more of than their numbers; both with the times of arrival. Over HTTPS it needs the context of TLS.
    """

    def __init__(self, number, address, room, key="", reader="", trust=None):
        self._number, self._address, self._trust = number, address, trust
        self._hello = {"room": room, "key": key, "resume": "", "reader": reader}
        self._port = int(address.rstrip("/").rsplit(":", 1)[1])
        self._transport = self._task = self._farewell = None
        self._attempt, self._welcomed, self._has_left = 0, 0.0, False
        self.heard, self.driven = [], []
        self.losses = 0

    def join(self):
        """Makes an attempt to connect, and further ones if it fails."""
        self._task = asyncio.get_running_loop().create_task(self._connect())

    def leave(self):
        """Leaves for good."""
        self._has_left = True
        if self._transport:
            self._transport.disconnect()

    async def _connect(self):
        self._farewell = None
        self._attempt += 1
        try:
            _, listener = await picows.ws_connect(
                lambda: self, f"ws{self._address.rstrip('/')[4:]}/ws", ssl_context=self._trust,
                socket_factory=self._line, extra_headers={"Sec-WebSocket-Protocol": wire.SUBPROTOCOL},
                websocket_handshake_timeout=PATIENCE_SECONDS,
            )
        except (OSError, TimeoutError, picows.WSError):
            listener = None
        # A connection that ends before the server's response has no listener.
        if listener is None:
            self._lost()

    async def _line(self, _):
        """Connects from the guest's address."""
        line = socket.socket()
        try:
            line.setblocking(False)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            line.bind((ADDRESSES.format(self._number // 250, self._number % 250 + 1), 0))
            await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", self._port))
        except BaseException:
            line.close()
            raise
        return line

    def _lost(self):
        """Reconnects when a page would."""
        if self._has_left:
            return
        if self._welcomed and time.monotonic() - self._welcomed > STEADY_SECONDS:
            self._attempt = 0
        self._welcomed = 0.0
        wait = WAITS[min(self._attempt, len(WAITS) - 1)] * random.uniform(1 - JITTER, 1 + JITTER)
        asyncio.get_running_loop().call_later(wait if self._farewell is None else self._farewell, self.join)

    # Called by picows.

    def on_ws_connected(self, transport):
        """Says hello."""
        self._transport = transport
        self.heard, self.driven = [], []
        window = (wire.NO_COLOUR, 1024, 768, 1.0, wire.numbers(wire.CLIENT_SETTINGS))
        self._send("hello", wire.VERSION, *self._hello.values(), "", *window)

    def on_ws_disconnected(self, _):
        """Reconnects."""
        self._transport = None
        self.losses += 1
        self._lost()

    def on_ws_frame(self, transport, frame):
        """Keeps a message, and reads it now only if it concerns the connection."""
        at = time.monotonic()
        if frame.msg_type == picows.WSMsgType.CLOSE:
            transport.send_close(frame.get_close_code())
            transport.disconnect()
        if frame.msg_type != picows.WSMsgType.BINARY:
            return
        data = frame.get_payload_as_bytes()
        if data[0] == wire.SERVER["delta"]:
            self.driven.append((int.from_bytes(data[1:5], "little"), at))
            return
        self.heard.append((at, data))
        if data[0] == wire.SERVER["welcome"]:
            welcome = wire.decode(data)
            self._hello |= {"room": welcome.room, "resume": welcome.resume}
            self._hello["reader"] = welcome.reader or self._hello["reader"]
            self._welcomed, self._farewell = at, None
        elif data[0] == wire.SERVER["goodbye"]:
            self._farewell = wire.decode(data).seconds

    # What a page sends.

    def _send(self, name, *values):
        self._transport.send(picows.WSMsgType.BINARY, wire.encode(name, *values))

    def acknowledge(self):
        """Reports the newest frame."""
        if self._transport and self.driven:
            self._send("ack", self.driven[-1][0], LATE_SECONDS, LATE_SECONDS, ROUND_TRIP)

    def probe(self):
        """Asks for the server's time."""
        if self._transport:
            self._send("clock", time.monotonic())

    # What it sees.

    @property
    def is_shown(self):
        """Whether it is welcome and has a whole frame."""
        return self._welcomed > 0 and any(data[0] == wire.SERVER["snapshot"] for _, data in self.heard)

    def sights(self):
        """Yields what the newest connection has shown, by the time: the book, its page, and what lies where."""
        elements, caption, frame = {}, None, None
        for at, data in self.heard:
            heard = wire.decode(data)
            if heard.type == "elements":
                elements |= {one.id: one for one in heard.elements}
            elif heard.type == "caption":
                caption = heard
            elif heard.type == "snapshot":
                frame = wire.folded(frame, heard)
            if caption and frame and heard.type in ("caption", "snapshot"):
                yield at, (caption.book, caption.page, placed(frame, elements))


def placed(frame, elements):
    """Returns where a frame has its elements, which are numbered anew by each process."""
    places = {}
    for id, place in frame.shown.items():
        whole, part = (id, 0) if isinstance(id, int) else id
        one = elements[whole]
        places[one.kind, one.index, one.side, part] = place
    return places


async def tend(guests):
    """Sends what pages send while something moves, each guest at its own time."""
    steps = round(PROBE_SECONDS * 20)
    while True:
        for step in range(steps):
            for number, guest in enumerate(guests):
                if number % 20 == step % 20:
                    guest.acknowledge()
                if number % steps == step:
                    guest.probe()
            await asyncio.sleep(ACK_SECONDS / 20)


async def until(condition, what, seconds=120):
    """Waits until a condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not {what} within {seconds} s"
        await asyncio.sleep(0.05)
