"""The reading that is measured, what its presenter does in it, and the bad lines into it."""

import math
import time

from shaped_model import Shape
from wireclient import Client

FAR = Shape(delay=0.080, jitter=0.040, loss=0.02, rate=400_000)
NEAR = Shape(delay=0.040, jitter=0.020, loss=0.02, rate=400_000)
DRAG_SECONDS = 20
FLIGHTS = 14
# In which the room learns how late its members are, and comes to a delay that suits them.
WARM_SECONDS = 40
# A page of the book is under the finger, and its leaf goes to and fro.
FINGER = (760, 384)
REACH = 600


def swing(elapsed):
    """Where a finger is that swings a leaf and never holds still."""
    return FINGER[0] - REACH * (1 - math.cos(4 * elapsed)) / 2, FINGER[1]


class Reading:
    """A room whose first member has opened a book in it."""

    def __init__(self, server):
        self.server = server
        self.presenter = Client(server.url, name="Presenter", keeps=True)
        self.name = self.presenter.welcome.room
        with self.presenter.settling("shelf"):
            self.presenter.key("Enter")
        with self.presenter.settling("book"):
            self.presenter.key("Enter")
        self.address = f"{server.url}r/{self.name}"

    def join(self, url=None, **options):
        """Another client in the room."""
        return Client(url or self.server.url, room=self.name, reader=self.presenter.reader, keeps=True, **options)

    def drag(self, seconds=DRAG_SECONDS):
        """Drags; gives when it began and ended, on this machine's clock."""
        began = time.monotonic()
        self.presenter.drag(swing, seconds)
        ended = time.monotonic()
        with self.presenter.settling():
            pass
        return began, ended

    def fly(self, count=FLIGHTS):
        """Turns leaves by keys, each when the last has come to rest."""
        began = time.monotonic()
        for turn in range(count):
            with self.presenter.settling():
                self.presenter.key("ArrowRight" if turn % 4 < 2 else "ArrowLeft")
        return began, time.monotonic()

    def close(self):
        """Everybody leaves."""
        self.presenter.close()


ACTS = {"drags": Reading.drag, "flights": Reading.fly}
