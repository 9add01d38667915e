"""The server's clock as a client sees it, and the frame that it would show at any time.

Both keep their history, so that what a reader saw can be computed afterwards for any number of times, and the
computation delays nothing. Times are in seconds: `now` is this machine's monotonic clock, and `server` times are on
the server's clock.
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
    """A value that follows its aim at a limited rate, with its history."""

    def __init__(self, pace):
        self._pace = pace
        self._starts, self._moves = [], []

    def aim(self, now, value, steps=False):
        """Follows a value from now on; adopts it at once if `steps` is true or if there is no value yet."""
        start = value if steps or not self._starts else self.at(now)
        self._starts.append(now)
        self._moves.append((start, value))

    def at(self, now):
        """Returns the value at a given time; before the first aim it is the first value."""
        place = max(0, bisect.bisect_right(self._starts, now) - 1)
        since, (start, aim) = max(0.0, now - self._starts[place]), self._moves[place]
        way = self._pace * since
        return start + max(-way, min(way, aim - start))

    @property
    def is_set(self):
        """Whether it has a value."""
        return bool(self._starts)


class Clock:
    """Estimates the server's clock as the middle of the overlap of the last sixteen answers.

    The server writes an answer after the probe was sent and before the answer arrives.
    """

    def __init__(self):
        self.offset = Slewed(CLOCK_SLEW)
        self._answers = collections.deque(maxlen=WINDOW)
        self._asked = 0
        self._began = None
        self._last = None
        self._count = 0

    def due(self):
        """Returns the time of the next probe; None before the welcome."""
        if self._began is None:
            return None
        if self._asked < BURST:
            return self._began + self._asked * BURST_GAP
        gap = SOON_GAP if self._last - self._began < SOON_SECONDS else LATER_GAP
        return self._last + gap

    def begin(self, now):
        """Starts the probes, after the welcome."""
        self._began = now

    def note_asked(self, now):
        """Records that a probe was sent."""
        self._asked += 1
        self._last = now

    def add(self, sent, received, server):
        """Adds an answer. In the first burst the clock steps to a better estimate, later it slews."""
        self._count += 1
        self._answers.append((sent, received, server))
        least = max(told - came - CLOCK_DRIFT * (received - came) for _, came, told in self._answers)
        most = min(told - asked + CLOCK_DRIFT * (received - came) for asked, came, told in self._answers)
        best = (least + most) / 2
        is_far = self.offset.is_set and abs(best - self.offset.at(received)) > CLOCK_STEP
        self.offset.aim(received, best, steps=is_far or self._count <= BURST)

    @property
    def is_compared(self):
        """Whether the first burst is over."""
        return self._count >= BURST

    @property
    def round_trip(self):
        """The shortest of the recent round trips."""
        return min((came - asked for asked, came, _ in self._answers), default=0.0)

    def server(self, now):
        """Returns the server's time at a given time of this machine."""
        return now + self.offset.at(now)


# A frame that has arrived: the time of arrival, its number, its own time, the way it was sent ("snapshot", "delta", or
# "flown" for ahead of its time), and whether it is at rest.
Arrival = collections.namedtuple("Arrival", "at number time kind settled")


def shown(arrivals, instants, due):
    """Returns the frame on the screen at each of some ascending times: an `Arrival`, or None before the first.

    The page's rule: the newest frame whose time is at most half a frame after `due(instant)`, the server's
    time less the room's delay. A snapshot replaces the frames that wait for a later time; the first one is
    shown at once. With `due` None each frame is shown on arrival, as a presenter's page shows driven
    frames. The page's adjustment to its vsync is left out.
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
    """Returns the percentile of values for a share, by the nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, round(share * len(ordered) + 0.5) - 1))]
