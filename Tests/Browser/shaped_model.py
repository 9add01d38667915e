"""A model of what a bad connection does to the bytes of TCP. Time is an argument.

- Bytes are cut into segments of at most 1400 bytes.
- With a rate, segments leave one after another, and all connections share the rate. Each segment has
  headers of 52 bytes.
- Each segment takes the delay plus a jitter, which is evenly distributed around zero. The order is kept,
  so a late segment holds up the later ones.
- A segment is lost at random. Later ones wait until it is sent again. That happens when a segment that
  left a quarter of a round trip after it, or three later segments, have arrived and the acknowledgement
  is back (fast retransmit as on Linux), or else after a retransmission timeout. The timeout is the round
  trip and 200 ms, and doubles with each loss. There is no tail loss probe, so the end of a burst takes
  longer than with a modern kernel. Congestion control is left out, since a session needs far less than
  the rate.

The random numbers are seeded, so the faults are the same for the same timing of the sender.
"""

import collections
import dataclasses

SEGMENT_BYTES = 1400
HEAD_BYTES = 52
RETRANSMISSION_SECONDS = 0.2
DUPLICATES = 3


@dataclasses.dataclass(frozen=True)
class Shape:
    """The faults of a connection in each direction, in seconds, shares from 0 to 1, and bit/s."""

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
    """The current faults of a connection."""

    shape: Shape


class Bottleneck:
    """The limit of the rate in one direction, which all connections share."""

    def __init__(self, weather):
        self._weather = weather
        self._free = 0.0

    def leave(self, now, size):
        """Returns the time at which the last bit of this many bytes leaves; they occupy the connection until then."""
        rate = self._weather.shape.rate
        if not rate:
            return now
        self._free = max(now, self._free) + 8 * (size + HEAD_BYTES) / rate
        return self._free


@dataclasses.dataclass
class Segment:
    """Bytes under way: they arrive, or they are lost and sent again at the deadline or earlier."""

    data: bytes
    sent: float
    timeout: float
    deadline: float = 0.0
    arrival: float | None = None
    behind: int = 0


class Course:
    """One direction of one connection, behind the bottleneck. It has no clock: callers pass the time."""

    def __init__(self, weather, chance):
        self._weather = weather
        self._chance = chance
        self._queue = collections.deque()
        self.sent = self.lost = self.held = 0

    def send(self, now, data):
        """Sends a segment whose last bit left at a given time."""
        self.sent += 1
        self.held += len(data)
        for other in self._queue:
            if other.arrival is None:
                self._note_behind(other, now)
        segment = Segment(data, now, self._round_trip + RETRANSMISSION_SECONDS)
        self._queue.append(segment)
        self._fly(segment, now)

    def _fly(self, segment, now):
        """Sends a segment for the first time or again; it is lost at random."""
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
        """Returns the time at which bytes may arrive next; None while nothing is under way."""
        if not self._queue:
            return None
        head = self._queue[0]
        return head.deadline if head.arrival is None else head.arrival

    def take(self, now):
        """Returns the bytes that have arrived, in order, as one piece."""
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
