"""The measured reading, what its presenter does, and the bad connections to it."""

import math
import time

from shaped_model import Shape
from wireclient import Client

FAR = Shape(delay=0.080, jitter=0.040, loss=0.02, rate=400_000)
NEAR = Shape(delay=0.040, jitter=0.020, loss=0.02, rate=400_000)
DRAG_SECONDS = 20
FLIGHTS = 14
# The time in which the room measures its members' lateness and adjusts its delay.
WARM_SECONDS = 40
# The finger is on a page of the book, and swings its leaf to and fro.
FINGER = (760, 384)
REACH = 600


def swing(elapsed):
    """Returns the position of a finger that swings a leaf without a pause."""
    return FINGER[0] - REACH * (1 - math.cos(4 * elapsed)) / 2, FINGER[1]


class Reading:
    """A shared room whose host has opened a book in it."""

    def __init__(self, server):
        self.server = server
        self.presenter = Client(server.url, name="Presenter", keeps=True)
        self.name = self.presenter.welcome.room
        with self.presenter.settling("shelf"):
            self.presenter.key("Enter")
        with self.presenter.settling("book"):
            self.presenter.key("Enter")
        self.presenter.do("share")
        self.presenter.wait(lambda: self.presenter.links, "shared")
        # With it, a member may also present.
        self.key = self.presenter.links.present
        self.address = f"{server.url}r/{self.name}"

    def join(self, url=None, **options):
        """Joins the room with another client."""
        return Client(url or self.server.url, room=self.name, key=self.key, keeps=True, **options)

    def drag(self, seconds=DRAG_SECONDS):
        """Drags; returns when it began and ended, on this machine's clock."""
        began = time.monotonic()
        self.presenter.drag(swing, seconds)
        ended = time.monotonic()
        with self.presenter.settling():
            pass
        return began, ended

    def fly(self, count=FLIGHTS):
        """Turns leaves by keys, each after the last one has come to rest."""
        began = time.monotonic()
        for turn in range(count):
            with self.presenter.settling():
                self.presenter.key("ArrowRight" if turn % 4 < 2 else "ArrowLeft")
        return began, time.monotonic()

    def close(self):
        """Closes the presenter's connection."""
        self.presenter.close()


ACTS = {"drags": Reading.drag, "flights": Reading.fly}
