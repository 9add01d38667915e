"""A client without a browser, which joins a room, keeps time as the page does, acts, and records a history.

A thread reads the socket, probes the clock and reports how frames have arrived. The user of the client
reads its state, or waits for a condition.
"""

import contextlib
import socket as sockets
import threading
import time

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import wire
from timing import DELAY_SLEW, PERIOD, Arrival, Clock, Slewed, percentile, shown

WAIT_SECONDS = 15
ACK_SECONDS = 1.0
FIRST_DELAY = 0.05


class Client:
    """A member of a room; a still one prefers reduced motion.

    `code` is the close code of the connection, None while it is open.
    """

    def __init__(
        self, url, room="", key="", resume="", reader="", name="", colour=wire.NO_COLOUR,
        size=(1024, 768), reports=False, still=False, keeps=False, waits=True, address="127.0.0.1",
    ):
        self._base = url.rstrip("/")
        self.keeps = keeps
        self.reader = reader
        self.welcome = self.role = self.room = self.caption = self.links = None
        self.place = self.playback = self.camera = self.frame = self.goodbye = None
        self.people, self.elements, self.pointers, self.sync = {}, {}, {}, {}
        self.errors, self.arrivals, self.frames, self.roles = [], [], {}, []
        self.joined_after = self.code = self.fault = None
        self.heard = 0.0
        self.bytes = self.messages = 0
        self.clock = Clock()
        self.delay = Slewed(DELAY_SLEW)
        self.delay.aim(0.0, FIRST_DELAY)
        self._news = threading.Condition()
        self._late, self._acked_at, self._acked = [], 0.0, None
        settings = wire.numbers(
            wire.CLIENT_SETTINGS, reducesMotion=still, reportsImages=reports
        )
        self._hello = {
            "room": room, "key": key, "resume": resume, "reader": reader, "name": name, "colour": colour,
            "width": size[0], "height": size[1], "ratio": 1.0, "settings": settings,
        }
        self._address = address
        self._connect()
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()
        if waits:
            self.wait(lambda: self.frame and self.role and self.room and self.caption, "joined")

    @property
    def _host(self):
        """The host and the port of the server."""
        return self._base.removeprefix("http://").split("/")[0]

    def _connect(self):
        """Connects and says hello."""
        self._open = contextlib.ExitStack()
        self._socket = self._open.enter_context(
            connect(
                f"ws{self._base[4:]}/ws", subprotocols=[wire.SUBPROTOCOL], origin=f"http://{self._host}",
                proxy=None, compression=None, max_size=None, ping_interval=None, sock=self._line(),
            )
        )
        self._greeted = time.monotonic()
        self._socket.send(wire.encode("hello", wire.VERSION, *self._hello.values()))

    def _line(self):
        """Connects to the server from one of this machine's addresses."""
        host, port = self._host.split(":")
        line = sockets.create_connection((host, int(port)), source_address=(self._address, 0))
        line.setsockopt(sockets.IPPROTO_TCP, sockets.TCP_NODELAY, 1)
        line.settimeout(None)
        return line

    # Received messages.

    def _live(self):
        try:
            code = self._listen()
            with self._news:
                self.code = code
                self._news.notify_all()
        except Exception as fault:  # noqa: BLE001  The error is raised in the waiting thread.
            with self._news:
                self.fault = fault
                self._news.notify_all()
            raise

    def _listen(self):
        """Takes messages until the connection has ended, and returns its code."""
        try:
            while True:
                now = time.monotonic()
                self._keep_time(now)
                wait = max(0.0, min(self._next_duty(), now + 1) - now)
                with contextlib.suppress(TimeoutError):
                    data = self._socket.recv(timeout=wait)
                    self._take(data, time.monotonic())
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006

    def _next_duty(self):
        probe = self.clock.due()
        ack = self._acked_at + ACK_SECONDS
        return min(ack, float("inf") if probe is None else probe)

    def _keep_time(self, now):
        probe = self.clock.due()
        if probe is not None and probe <= now:
            self.clock.note_asked(now)
            self._send("clock", now)
        if self._acked_at + ACK_SECONDS <= now:
            self._acked_at = now
            self._ack(now)

    def _ack(self, now):
        late, self._late = self._late, []
        if not late or not self.clock.is_compared or self.frame.number == self._acked:
            return
        self._acked = self.frame.number
        delay = self.delay.at(now)
        error = percentile([max(0.0, one - delay) for one in late], 0.95)
        self._send("ack", self.frame.number, max(late), error, self.clock.round_trip)

    def _take(self, data, at):
        heard = wire.decode(data)
        with self._news:
            self.bytes += len(data)
            self.messages += 1
            getattr(self, f"_take_{heard.type}", self._take_plain)(heard, at)
            self._news.notify_all()

    def _take_plain(self, heard, _):
        setattr(self, heard.type, heard)

    def _take_welcome(self, heard, at):
        if self.welcome and self.welcome.numbering != heard.numbering:
            # The numbers of elements mean something else from now on.
            self.elements.clear()
        self.welcome = heard
        self.reader = heard.reader or self.reader
        self.clock.begin(at)

    def _take_clock(self, heard, at):
        self.heard = heard.clientTime
        self.clock.add(heard.clientTime, at, heard.serverTime)

    def _take_role(self, heard, _):
        self.role = heard
        self.roles.append(heard)

    def _take_room(self, heard, at):
        self.room = heard
        self.delay.aim(at, heard.delay)

    def _take_people(self, heard, _):
        if heard.isWhole:
            self.people.clear()
        self.people.update({one.id: one for one in heard.people})
        for id in heard.gone:
            self.people.pop(id, None)

    def _take_pointer(self, heard, _):
        self.pointers[heard.member] = heard

    def _take_sync(self, heard, _):
        self.sync = {one["member"]: one for one in heard.members}

    def _take_error(self, heard, _):
        self.errors.append(heard)

    def _take_elements(self, heard, _):
        self.elements.update({one.id: one for one in heard.elements})

    def _take_retired(self, heard, _):
        for id in heard.ids:
            del self.elements[id]

    def _take_snapshot(self, heard, at):
        if self.joined_after is None:
            self.joined_after = at - self._greeted
        self._fold(heard, at, "snapshot")

    def _take_delta(self, heard, at):
        if self.clock.is_compared:
            self._late.append(self.clock.server(at) - heard.time)
        self._fold(heard, at, "delta")

    def _take_batch(self, heard, at):
        for update in heard.frames:
            self._fold(update, at, "flown")

    def _fold(self, update, at, kind):
        frame = wire.folded(self.frame, update)
        if frame is None:
            self._send("visibility", 1)
            return
        missing = {key if isinstance(key, int) else key[0] for key in frame.shown}
        missing -= self.elements.keys()
        if missing:
            raise wire.Malformed(f"frame {frame.number} shows {missing} without introduction")
        self.frame = frame
        if self.keeps:
            self.arrivals.append(Arrival(at, frame.number, frame.time, kind, frame.settled))
            self.frames[frame.number] = frame

    # Sent messages.

    def _send(self, name, *values, role=0):
        with contextlib.suppress(ConnectionClosed):
            self._socket.send(wire.encode(name, *values, role=role))

    def do(self, name, *values, role=None):
        """Sends a message, with the number of the current role unless another one is given."""
        number = self.role.number if role is None and self.role else role or 0
        self._send(name, *values, role=number)

    def key(self, name):
        """Presses a key."""
        self.do("key", wire.KEY[name])

    def point(self, phase, x, y, id=0, age=0.0, vsync=None):
        """Puts a finger down, moves, lifts or cancels it, in CSS px of the window.

        The frame that shows it is for a time of this machine's clock, or else for a period from now.
        """
        vsync = time.monotonic() + PERIOD if vsync is None else vsync
        target = self.clock.server(vsync) if self.clock.is_compared else 0.0
        self.do("pointers", target, (id, phase, age, x, y))

    def drag(self, path, seconds, lifts=True):
        """Drags along a path, a function of the elapsed seconds, sixty times a second.

        As a page does, it asks for frames at the exact times of its screen, although it may wake up late.
        """
        began = time.monotonic()
        self.point("down", *path(0.0))
        for step in range(1, round(seconds / PERIOD) + 1):
            time.sleep(max(0.0, began + step * PERIOD - time.monotonic()))
            self.point("move", *path(step * PERIOD), vsync=began + (step + 1) * PERIOD)
        if lifts:
            self.point("up", *path(seconds))

    # Conditions and state.

    def wait(self, condition, what, seconds=WAIT_SECONDS):
        """Waits for a condition and returns its value; `what` names it in the error."""
        until = time.monotonic() + seconds
        with self._news:
            while not (answer := condition()):
                if self.fault:
                    raise AssertionError(f"not {what}: {self.fault}") from self.fault
                left = until - time.monotonic()
                if left <= 0 or (self.code is not None and not condition()):
                    raise AssertionError(
                        f"not {what}: role {self.role}, room {self.room}, code {self.code},"
                        f" errors {self.errors}, frame {self.frame and self.frame.number},"
                        f" people {self.people}"
                    )
                self._news.wait(min(left, 0.2))
            return answer

    def wait_closed(self):
        """Waits until the connection has ended, and returns its code."""
        until = time.monotonic() + WAIT_SECONDS
        with self._news:
            while self.code is None:
                assert time.monotonic() < until, "the connection is not closed"
                self._news.wait(0.2)
            return self.code

    @contextlib.contextmanager
    def settling(self, screen=None):
        """Runs the block, and waits until a later frame is at rest and its time has come."""
        number = self.frame.number
        yield
        self.wait(
            lambda: self.frame.number > number and self.frame.settled
            and (screen is None or self.frame.screen == screen),
            f"at rest after frame {number}",
        )
        self.wait(lambda: self.server_now() >= self.frame.time, "at its time")

    def server_now(self):
        """Returns the server's time now, by this client's clock."""
        return self.clock.server(time.monotonic())

    @property
    def id(self):
        """The member's number."""
        return self.welcome.memberId

    @property
    def me(self):
        """This member as the list of members describes it."""
        return self.people.get(self.id)

    @property
    def page(self):
        """The first page of the open spread."""
        return self.caption.page

    def faces(self, frame=None):
        """Returns the content of a frame, by default the newest: (kind, index, side, part) -> placement.

        Members can compare it, whereas their ids differ.
        """
        frame = frame or self.frame
        parts = {id: (id, 0) if isinstance(id, int) else id for id in frame.shown}
        elements = {id: self.elements[whole] for id, (whole, _) in parts.items()}
        return {
            (elements[id].kind, elements[id].index, elements[id].side, parts[id][1]): placed
            for id, placed in frame.shown.items()
        }

    def seen(self, instants, delay=True):
        """Returns the frame on the screen at each of some times; needs `keeps`."""
        def due(now):
            return self.clock.server(now) - (self.delay.at(now) if delay else 0.0)

        return shown(self.arrivals, instants, due)

    # Closing.

    def close(self):
        """Leaves the room."""
        self._open.close()
        self._thread.join()

    def lose(self):
        """Drops the connection without a close frame."""
        self._socket.socket.shutdown(sockets.SHUT_RDWR)
        self._thread.join()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
