"""Members of a room that is shared over a cluster. They do what pages do: they rejoin by themselves."""

import contextlib
import itertools
import math
import socket
import threading
import time

from websockets.exceptions import WebSocketException

import machines  # noqa: F401  It adds the folder of the client to the path.
from timing import PERIOD
from wireclient import Client

REJOIN_PAUSE = 0.1
RIGHT, LEFT, Y = 760, 160, 384
FLICK_SECONDS = 0.3
SETTLED_SECONDS = 20
# A key that is pressed while a room moves has no effect, and is pressed again.
KEY_SECONDS = 2
# The turns in one direction, before all pages of the book are turned, and the pages of a turn.
TURNS, TURNED_PAGES = 12, 2


class Member(Client):
    """A member that keeps to one node, and rejoins at the next one that answers if it loses it.

    `losses` has the time and the close code of each connection that ended, and `owners` the time and the
    numbering of each welcome: the numbering is that of the process which computes the room.
    """

    def __init__(self, urls, place, **options):
        self._urls = [url.rstrip("/") for url in urls]
        self._place = place
        self._has_left = False
        self.losses, self.owners, self.unfit = [], [], []
        super().__init__(self._urls[place], keeps=True, **options)

    def _listen(self):
        while True:
            code = super()._listen()
            self.losses.append((time.monotonic(), code))
            if self._has_left or self.welcome is None or not self._rejoin():
                return code

    def _rejoin(self):
        self._hello |= {
            "room": self.welcome.room, "resume": self.welcome.resume, "reader": self.reader,
        }
        if self.links:
            # A server that was restarted knows a host by the link alone.
            self._hello["key"] = self.links.host
        while not self._has_left:
            with contextlib.suppress(OSError, WebSocketException):
                self._base = self._urls[self._place]
                self._connect()
                return True
            self._place = (self._place + 1) % len(self._urls)
            time.sleep(REJOIN_PAUSE)
        return False

    def _take_welcome(self, heard, at):
        self.owners.append((at, heard.numbering))
        super()._take_welcome(heard, at)

    def _fold(self, update, at, kind):
        before = self.frame
        super()._fold(update, at, kind)
        if self.frame is before:
            self.unfit.append((at, update.number))

    @property
    def owner(self):
        """The numbering of the process that computes the room."""
        return self.owners[-1][1]

    @property
    def ownerships(self):
        """The numberings in order, without repetitions in a row."""
        numbers = [number for _, number in self.owners]
        return [one for place, one in enumerate(numbers) if place == 0 or numbers[place - 1] != one]

    def move(self, place):
        """Loses the connection, and rejoins at another node."""
        before = len(self.owners)
        self._place = place
        self._socket.socket.shutdown(socket.SHUT_RDWR)
        self.wait(lambda: len(self.owners) > before and self.role and self.frame, "moved")

    def gap(self, began, ended=None):
        """Returns the longest time without a frame between two times, in seconds."""
        times = [one.at for one in list(self.arrivals) if began <= one.at and one.at <= (ended or one.at)]
        times = [began, *times, ended or time.monotonic()]
        return max(later - sooner for sooner, later in zip(times, times[1:]))

    def wait_frame_after(self, number_of_arrivals, what, seconds=SETTLED_SECONDS):
        """Waits until more frames have arrived than a number."""
        self.wait(lambda: len(self.arrivals) > number_of_arrivals, what, seconds)

    def turn(self, act=None):
        """Turns a page by a key or another act, and waits until it is at rest."""
        before, count = self.page, len(self.arrivals)
        if act:
            act()
        else:
            self.key("ArrowRight")
        self.wait(
            lambda: self.page != before and len(self.arrivals) > count and self.is_at_rest,
            "turned", SETTLED_SECONDS,
        )

    @property
    def is_at_rest(self):
        """Whether the newest frame is at rest, and its time has come: flown frames arrive before theirs."""
        return self.frame.settled and self.server_now() >= self.frame.time

    def flick(self):
        """Turns a page by a finger, which is still fast when it lifts."""
        self.drag(lambda elapsed: (RIGHT - (RIGHT - LEFT) * elapsed / FLICK_SECONDS, Y), FLICK_SECONDS)

    @contextlib.contextmanager
    def turning(self):
        """Turns page after page during the block, and yields the list of those at which it was at rest.

        Asserts that no page is lost: when another process continues the room, it is at the last page, or at
        the one to which it was turning.
        """
        over, pages, faults = threading.Event(), [self.page], []

        def turn():
            steps = [("ArrowRight", TURNED_PAGES)] * TURNS + [("ArrowLeft", -TURNED_PAGES)] * TURNS
            try:
                for key, step in itertools.cycle(steps):
                    if over.is_set():
                        return
                    self._turn_to(pages[-1] + step, key, pages[-1])
                    pages.append(self.page)
            except AssertionError as fault:
                faults.append(fault)

        thread = threading.Thread(target=turn)
        thread.start()
        try:
            yield pages
        finally:
            over.set()
            thread.join()
        if faults:
            raise faults[0]

    def _turn_to(self, page, key, before):
        end = time.monotonic() + SETTLED_SECONDS
        while True:
            count, owners = len(self.arrivals), len(self.owners)
            self.key(key)
            with contextlib.suppress(AssertionError):
                self.wait(
                    lambda: len(self.owners) > owners or self.page == page
                    and len(self.arrivals) > count and self.is_at_rest,
                    f"at page {page}", KEY_SECONDS,
                )
            if len(self.owners) > owners:
                self.wait(
                    lambda: self.arrivals[-1].at > self.owners[-1][0] and self.is_at_rest,
                    "at rest at another owner", SETTLED_SECONDS,
                )
            assert self.page in (before, page), f"page {before} was lost; {self.page} is open"
            if self.page == page and self.is_at_rest:
                return
            assert time.monotonic() < end, f"page {page} cannot be turned to"

    @contextlib.contextmanager
    def swinging(self):
        """Moves a leaf to and fro during the block; takes it again when another process computes the room."""
        over = threading.Event()

        def move():
            began, held, step = time.monotonic(), None, 0
            while not over.wait(max(0.0, began + step * PERIOD - time.monotonic())):
                x, y = swing(step * PERIOD)
                if held != len(self.owners):
                    held = len(self.owners)
                    self.point("down", RIGHT, y)
                self.point("move", x, y)
                step += 1
            self.point("up", RIGHT, Y)

        thread = threading.Thread(target=move)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def close(self):
        """Leaves the room."""
        self._has_left = True
        super().close()


def swing(elapsed):
    """Returns the position of a finger that moves a leaf to and fro."""
    return RIGHT - (RIGHT - LEFT) * (1 - math.cos(4 * elapsed)) / 2, Y


class Audience:
    """A room with an open book: a host who presents, and a guest at each other node.

    Use it in a `with` statement.
    """

    def __init__(self, cluster, host_at=0, guests_at=(1, 2)):
        self._members = []
        urls = [node.url for node in cluster.nodes]
        self.urls = urls
        machines.until(
            lambda: all(node.books for node in cluster.nodes), "the book can be read at each node", 60
        )
        self.host = self._add(Member(urls, host_at, name="Host"))
        for screen in ("shelf", "book"):
            with self.host.settling(screen):
                self.host.key("Enter")
        self._first = self.host.owner
        self.host.do("share")
        self.links = self.host.wait(lambda: self.host.links, "shared")
        self.guests = [self.join(place) for place in guests_at]

    def _add(self, member):
        self._members.append(member)
        return member

    def join(self, place, **options):
        """Adds a guest at a node."""
        return self._add(
            Member(self.urls, place, room=self.host.welcome.room, key=self.links.follow, **options)
        )

    @property
    def everybody(self):
        """All members."""
        return tuple(self._members)

    def agree(self, seconds=SETTLED_SECONDS):
        """Waits until all show the same page at rest, and returns it."""
        for one in self._members:
            one.wait(
                lambda one=one: one.frame.settled and one.page == self.host.page
                and one.owner == self.host.owner and self.host.frame.settled,
                f"at the host's page {self.host.page} (its own {one.page})", seconds,
            )
        return self.host.page

    def wait_for_new_owner(self, members=None, seconds=SETTLED_SECONDS):
        """Waits until members, by default all, have a frame of another process than the first."""
        for one in members or self._members:
            one.wait(
                lambda one=one: one.owner != self._first and one.arrivals[-1].at > one.owners[-1][0],
                "at a new owner", seconds,
            )

    def assert_one_owner_at_a_time(self):
        """Asserts that no member has returned to a process that had lost the room."""
        for one in self._members:
            assert len(set(one.ownerships)) == len(one.ownerships), one.owners

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in self._members:
            one.close()
