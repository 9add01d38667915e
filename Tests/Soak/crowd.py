"""Readers who join rooms, turn, drag, leave and come back, as a seed decides; some of them stay."""

import contextlib

from sharing import RIGHT, Y, swing
from websockets.exceptions import WebSocketException
from wireclient import Client

READERS = 5
KEYS = ("ArrowRight", "ArrowRight", "ArrowLeft", "PageDown", "Home", "End")


class Seat:
    """A reader who repeatedly leaves a room and returns as the same reader."""

    def __init__(self, room, name, key, url):
        self._room, self._key, self._url, self._name = room, key, url, name
        self.client, self._reader, self._resume = None, "", ""

    def sit(self, url=None):
        """Joins, or rejoins as the same member if that is still possible."""
        self.client = Client(url or self._url, room=self._room, key=self._key, resume=self._resume,
                             reader=self._reader, name=self._name)

    def leave(self, way="close"):
        """Leaves, or loses the connection."""
        client, self.client = self.client, None
        self._reader, self._resume = client.reader, client.welcome.resume
        getattr(client, way)()


class Room:
    """A room with an open book, a host and guests. The last guest stays in it if that is asked for."""

    def __init__(self, url, slow, has_stayer):
        self._url, self._slow = url, slow
        with Client(url, name="Maren") as host:
            self.name = host.welcome.room
            for screen in ("shelf", "book"):
                with host.settling(screen):
                    host.key("Enter")
            host.do("share")
            self.links = host.wait(lambda: host.links, "shared")
            keys = [self.links.host, self.links.present, *[self.links.follow] * (READERS - 2)]
            self._seats = [Seat(self.name, f"Reader {number}", key, url) for number, key in enumerate(keys)]
            self.stayer = self._seats.pop() if has_stayer else None
            for seat in self.everybody:
                seat.sit()

    @property
    def everybody(self):
        """The seats of all readers."""
        return [*self._seats, *([self.stayer] if self.stayer else [])]

    def live(self, chance, over):
        """Lets the readers act until it is over."""
        acts = [self._turn] * 6 + [self._drag] * 3 + [self._leave] * 2 + [self._come_back] * 3 + [
            self._jump, self._point, self._zoom, self._lay, self._wander, self._look_round]
        while not over.wait(chance.uniform(0.02, 0.4)):
            present = [seat for seat in self._seats if seat.client]
            if present:
                chance.choice(acts)(chance, chance.choice(present))
            else:
                self._come_back(chance, None)

    def _turn(self, chance, seat):
        seat.client.key(chance.choice(KEYS))

    def _drag(self, chance, seat):
        way = chance.choice((swing, lambda elapsed: (RIGHT - 2000 * elapsed, Y)))
        seat.client.drag(way, chance.uniform(0.2, 1.0), lifts=chance.random() < 0.8)

    def _leave(self, chance, seat):
        seat.leave(chance.choice(("close", "lose")))

    def _come_back(self, chance, _):
        away = [seat for seat in self._seats if not seat.client]
        if away and chance.random() < 0.8:
            chance.choice(away).sit()
        elif away:
            # A connection that loses packets may be given up; then the reader tries again some time.
            with contextlib.suppress(OSError, WebSocketException, AssertionError):
                chance.choice(away).sit(self._slow)

    def _jump(self, chance, seat):
        seat.client.do("jump", chance.randrange(40))

    def _point(self, chance, seat):
        seat.client.do("point", chance.uniform(200, 800), chance.uniform(100, 600))

    def _zoom(self, chance, seat):
        seat.client.do("zoomStep", chance.choice((0.5, 2.0)), 512, 384)

    def _lay(self, chance, seat):
        seat.client.key("f")

    def _wander(self, chance, seat):
        seat.client.do("wander", chance.randrange(2))

    def _look_round(self, chance, seat):
        """Closes the book, and opens it or another one."""
        for key in ("Escape", chance.choice(("ArrowRight", "ArrowLeft")), "Enter"):
            seat.client.key(key)

    def rest(self):
        """Lets everybody leave who does not stay."""
        for seat in self._seats:
            if seat.client:
                seat.leave()

    def agrees(self):
        """Whether the reader that stayed sees what a new one sees: returns both."""
        stayer = self.stayer.client
        with Client(self._url, room=self.name, key=self.links.follow) as fresh:
            fresh.wait(
                lambda: fresh.frame.settled and stayer.frame.settled and fresh.frame.number == stayer.frame.number,
                f"at the frame of the reader that stayed, {stayer.frame.number}",
            )
            return [(one.faces(), one.page, one.caption.book, one.frame.screen) for one in (stayer, fresh)]

    def close(self):
        """Ends all readers."""
        for seat in self.everybody:
            with contextlib.suppress(Exception):
                seat.leave()
