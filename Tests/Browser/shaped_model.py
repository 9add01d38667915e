"""What a bad line does to the bytes of TCP connections, as a model that is told the time.

- What comes is taken in segments of at most 1400 bytes.
- With a rate, segments leave one behind the other, all connections sharing the line; each counts
  with 52 bytes of heads.
- Each segment is under way for the delay, give or take the jitter, evenly distributed; the order is
  kept, so one that is late holds up those behind it.
- A segment is lost by chance. Those behind it wait until it is sent again: when one that left a
  quarter of a round trip after it, or three that left after it, have come to the other side and the
  news of that is back (fast retransmit as on Linux), at the latest a retransmission timeout after
  it was sent, which is the round trip and 200 ms, and doubles for one that is lost again. There is
  no tail loss probe: the end of a burst fares worse here than with a modern kernel. That a sender
  slows down after a loss is left out: a reading is far from filling such a line.

Chance is seeded; so far as the timing of the sender is the same, so is the weather.
"""

import collections
import dataclasses

SEGMENT_BYTES = 1400
HEAD_BYTES = 52
RETRANSMISSION_SECONDS = 0.2
DUPLICATES = 3


@dataclasses.dataclass(frozen=True)
class Shape:
    """What a line is like, in each direction; seconds, a share from 0 to 1, bit/s."""

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
    """What a line is like at the moment."""

    shape: Shape


class Bottleneck:
    """The narrow part of a line in one direction, which all connections share."""

    def __init__(self, weather):
        self._weather = weather
        self._free = 0.0

    def leave(self, now, size):
        """When the last bit of so many bytes has left, which then occupy the line until then."""
        rate = self._weather.shape.rate
        if not rate:
            return now
        self._free = max(now, self._free) + 8 * (size + HEAD_BYTES) / rate
        return self._free


@dataclasses.dataclass
class Segment:
    """Bytes under way: they arrive, or, lost, are sent again at the deadline or before."""

    data: bytes
    sent: float
    timeout: float
    deadline: float = 0.0
    arrival: float | None = None
    behind: int = 0


class Course:
    """One direction of one connection, behind the bottleneck. Knows no clock: it is told."""

    def __init__(self, weather, chance):
        self._weather = weather
        self._chance = chance
        self._queue = collections.deque()
        self.sent = self.lost = self.held = 0

    def send(self, now, data):
        """Takes a segment whose last bit left at a time."""
        self.sent += 1
        self.held += len(data)
        for other in self._queue:
            if other.arrival is None:
                self._note_behind(other, now)
        segment = Segment(data, now, self._round_trip + RETRANSMISSION_SECONDS)
        self._queue.append(segment)
        self._fly(segment, now)

    def _fly(self, segment, now):
        """Sends, or sends again; it is lost by chance."""
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
        """When to ask again for what arrives; None while nothing is under way."""
        if not self._queue:
            return None
        head = self._queue[0]
        return head.deadline if head.arrival is None else head.arrival

    def take(self, now):
        """What has arrived, in order, as one piece of bytes."""
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
