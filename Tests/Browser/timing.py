"""The server's clock as a client sees it, and which frame it would show at any instant.

Both remember, so that what a reader saw can be worked out when all is over, at as many instants as
one likes, and the working out makes nothing late. Times are seconds; `now` is this machine's
monotonic clock, `server` times are those of the server's.
"""

import bisect
import collections

BURST = 8
BURST_GAP = 0.06
SOON_SECONDS, SOON_GAP = 20.0, 2.0
LATER_GAP = 10.0
WINDOW = 16
CLOCK_SLEW = 0.002
CLOCK_STEP = 0.05
CLOCK_DRIFT = 1e-4
DELAY_SLEW = 0.005
PERIOD = 1 / 60


class Slewed:
    """A value that follows its aim at a limited pace, and remembers where it was."""

    def __init__(self, pace):
        self._pace = pace
        self._starts, self._moves = [], []

    def aim(self, now, value, steps=False):
        """Goes to a value from now on; at once if it steps, or has none yet."""
        start = value if steps or not self._starts else self.at(now)
        self._starts.append(now)
        self._moves.append((start, value))

    def at(self, now):
        """What it is, or was, at an instant; before the first aim the first value."""
        place = max(0, bisect.bisect_right(self._starts, now) - 1)
        since, (start, aim) = max(0.0, now - self._starts[place]), self._moves[place]
        way = self._pace * since
        return start + max(-way, min(way, aim - start))

    @property
    def is_set(self):
        """Whether it has a value."""
        return bool(self._starts)


class Clock:
    """Probes the server's clock, and believes the middle of what the last sixteen answers agree in.

    An answer was written after it was asked for and before it came.
    """

    def __init__(self):
        self.offset = Slewed(CLOCK_SLEW)
        self._answers = collections.deque(maxlen=WINDOW)
        self._asked = 0
        self._began = None
        self._last = None
        self._count = 0

    def due(self):
        """When the next probe is to be sent; None before the welcome."""
        if self._began is None:
            return None
        if self._asked < BURST:
            return self._began + self._asked * BURST_GAP
        gap = SOON_GAP if self._last - self._began < SOON_SECONDS else LATER_GAP
        return self._last + gap

    def begin(self, now):
        """The connection is welcome."""
        self._began = now

    def note_asked(self, now):
        """A probe was sent."""
        self._asked += 1
        self._last = now

    def add(self, sent, received, server):
        """An answer came. In the first exchange a better one is taken at once, later slewed to."""
        self._count += 1
        self._answers.append((sent, received, server))
        least = max(told - came - CLOCK_DRIFT * (received - came) for _, came, told in self._answers)
        most = min(told - asked + CLOCK_DRIFT * (received - came) for asked, came, told in self._answers)
        best = (least + most) / 2
        is_far = self.offset.is_set and abs(best - self.offset.at(received)) > CLOCK_STEP
        self.offset.aim(received, best, steps=is_far or self._count <= BURST)

    @property
    def is_compared(self):
        """Whether the first exchange is over."""
        return self._count >= BURST

    @property
    def round_trip(self):
        """The quickest of the recent round trips."""
        return min((came - asked for asked, came, _ in self._answers), default=0.0)

    def server(self, now):
        """The server's time at an instant of this machine."""
        return now + self.offset.at(now)


# A frame that came: when, its number, its time, and whether alone or whole it was sent
# ("snapshot", "delta") or ahead of its time ("flown").
Arrival = collections.namedtuple("Arrival", "at number time kind settled")


def shown(arrivals, instants, due):
    """The frame on the screen at each of some ascending instants: an `Arrival`, None before any.

    The page's rule: the newest frame whose time is nearer to `due(instant)`, the server's time less
    the room's delay, than half a frame. A snapshot takes the place of those that wait for later than
    itself; the first one is shown at once. With `due` None all is shown as it comes, as a presenter's
    own page does with driven frames. That the page draws the times to its vsync is left out.
    """
    waiting, on_screen, place, seen = collections.deque(), None, 0, []
    for instant in instants:
        while place < len(arrivals) and arrivals[place].at <= instant:
            frame = arrivals[place]
            place += 1
            if frame.kind == "snapshot":
                while waiting and waiting[-1].time >= frame.time:
                    waiting.pop()
                if on_screen is None:
                    waiting.clear()
                    on_screen = frame
                    continue
            waiting.append(frame)
        limit = due(instant) + PERIOD / 2 if due else float("inf")
        while waiting and waiting[0].time <= limit:
            on_screen = waiting.popleft()
        seen.append(on_screen)
    return seen


def percentile(values, share):
    """The value below which a share of them lies; the nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, round(share * len(ordered) + 0.5) - 1))]
