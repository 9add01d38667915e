"""Prints the figures of reading together.

Usage: Scripts/python Tests/Browser/bench_together.py [headless|browsers]

A client without a browser presents; it sends what a finger does sixty times a second. What other
clients saw is worked out afterwards from when frames came, with the page's rule and its clock; what
browsers saw they note themselves, once an animation frame. All run on this machine, so one clock
tells when.
"""

import contextlib
import math
import pathlib
import random
import statistics
import sys
import tempfile
import time
import urllib.request

from chromium import Chromium
from firefox import Firefox
from fixtures import make_library
from reader import READY
from server import Server
from shaped import Shaped, has_netem
from shaped_model import HEAD_BYTES, Shape
from timing import PERIOD, percentile
from wireclient import Client

FAR = Shape(delay=0.080, jitter=0.040, loss=0.02, rate=400_000)
NEAR = Shape(delay=0.040, jitter=0.020, loss=0.02, rate=400_000)
DRAG_SECONDS = 20
FLIGHTS = 14
# In which the room learns how late its members are, and comes to a delay that suits them.
WARM_SECONDS = 40
GRID = 0.001
JOINS = 40
AGE_SECONDS = 15
PAIRS = 6
PAIR_SECONDS = 8
RUNS = 5
PRESSES = 100
LONGEST_GAP = 0.025
IMPORT_SECONDS = 60
MILLISECONDS = 1000
# Drawn in software, pages of a plain colour in a small window are drawn in time, or nearly.
SMALL = (240, 180)
# Large enough that between the controls there is a leaf to take hold of.
HELD = (480, 360)
# A page of the book is under the finger, and its leaf goes to and fro.
FINGER = (760, 384)
REACH = 600


def row(figure, asked, measured):
    """Prints a line of the table."""
    print(f"| {figure} | {asked} | {measured} |", flush=True)


def note(text):
    """Prints what limits a figure."""
    print(f"  {text}", file=sys.stderr, flush=True)


def ms(seconds):
    """Milliseconds, for people."""
    return f"{MILLISECONDS * seconds:.1f} ms"


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
        return Client(url or self.server.url, room=self.name, keeps=True, **options)

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


def steps(instants, frames):
    """What was on a screen as (since, frame time, is it at rest)."""
    return [
        (at, frame.time, frame.settled)
        for at, frame in zip(instants, frames, strict=True) if frame
    ]


def apart(one, other, began, ended):
    """How far apart in time two screens were, at each millisecond while either moved."""
    places, differences = [0, 0], []
    for step in range(round((ended - began) / GRID)):
        instant, now = began + step * GRID, []
        for side, seen in enumerate((one, other)):
            while places[side] + 1 < len(seen) and seen[places[side] + 1][0] <= instant:
                places[side] += 1
            now.append(seen[places[side]])
        if now[0][2] and now[1][2] and now[0][1] == now[1][1]:
            continue
        differences.append(abs(now[0][1] - now[1][1]))
    return differences


def apart_when_drawn(one, other):
    """How far apart two screens were whenever both had just drawn: without their own gaps."""
    differences, place = [], 0
    for at, when, settled in one:
        while place + 1 < len(other) and abs(other[place + 1][0] - at) <= abs(other[place][0] - at):
            place += 1
        since, then, is_over = other[place]
        if abs(since - at) < PERIOD / 2 and not (settled and is_over and when == then):
            differences.append(abs(when - then))
    return differences


def said(values, asked=0.95):
    """A distribution in words."""
    return (
        f"{ms(percentile(values, asked))} (p50 {ms(percentile(values, 0.5))},"
        f" p99 {ms(percentile(values, 0.99))})"
    )


def vsyncs(began, ended, phase):
    """The instants at which a screen with a phase of its own shows something new."""
    return [began + phase + k * PERIOD for k in range(round((ended - began) / PERIOD))]


def seen_by(client, began, ended, phase):
    """What a client's screen showed."""
    instants = vsyncs(began, ended, phase)
    return steps(instants, client.seen(instants))


def headless_apart(server, shape):
    """The distance of two clients without a browser, over drags and over flights."""
    lines = [Shaped(server.port, shape, seed) for seed in (1, 2)] if shape else []
    reading = Reading(server)
    urls = [line.url for line in lines] or [server.url] * 2
    chance = random.Random(5)
    followers = [reading.join(url) for url in urls]
    answer = {}
    if shape:
        reading.drag(WARM_SECONDS)
    for act, does in ACTS.items():
        began, ended = does(reading)
        delay = max(follower.delay.at(ended) for follower in followers)
        time.sleep(1)
        ended += delay
        phases = [chance.uniform(0, PERIOD) for _ in followers]
        screens = [
            seen_by(follower, began, ended, phase)
            for follower, phase in zip(followers, phases, strict=True)
        ]
        late = [
            follower.clock.server(frame.at) - frame.time
            for follower in followers for frame in follower.arrivals
            if began <= frame.at <= ended
        ]
        clocks = [follower.clock.offset.at(ended) for follower in followers]
        true = reading.presenter.clock.offset.at(ended)
        answer[act] = (apart(*screens, began, ended), delay, percentile(late, 0.95))
        note(
            f"{act}, {shape or 'loopback'}: room delay {ms(delay)}, frames come"
            f" {ms(percentile(late, 0.95))} after their time (p95), clocks are"
            f" {', '.join(ms(clock - true) for clock in clocks)} off"
        )
    for one in (*followers, reading, *lines):
        one.close()
    return answer


def figure_apart_headless(server):
    """Followers without a browser."""
    for shape, asked in ((None, "<= 17 ms"), (NEAR, "<= 25 ms"), (FAR, "<= 25 ms")):
        where = shape or "loopback"
        for act, (differences, delay, _) in headless_apart(server, shape).items():
            row(
                f"difference of two followers at the same instant, p95, {act}, {where}",
                asked, f"{said(differences)}, at a room delay of {ms(delay)}",
            )


def figure_join(server):
    """From hello to the first frame, while a leaf is in a hand and while one flies."""
    reading = Reading(server)
    presenter = reading.presenter
    chance = random.Random(9)
    for act in ("held", "flying"):
        took, away = [], []
        for _ in range(JOINS):
            if act == "held":
                presenter.drag(swing, chance.uniform(0.1, 0.4), lifts=False)
            else:
                presenter.key("ArrowRight" if presenter.page < 9 else "Home")
                time.sleep(chance.uniform(0.1, 0.3))
            with reading.join() as late:
                took.append(late.joined_after)
                first = late.arrivals[0]
                away.append(presenter.clock.server(first.at) - first.time)
                number = first.number
                presenter.wait(lambda: number in presenter.frames, "as far as who joined")  # noqa: B023
                ours = presenter.faces(presenter.frames[number])
                assert late.faces(late.frames[number]) == ours, "the first frame is another one"
            with presenter.settling():
                presenter.point("up", *FINGER) if act == "held" else None
        ticks = [one / PERIOD for one in took]
        row(
            f"join -> first correct frame, while a leaf is {act}", "<= 1 tick",
            f"{percentile(ticks, 0.95):.2f} ticks (p95 of {len(ticks)}, worst {max(ticks):.2f}),"
            f" equal to the presenter's to the last bit",
        )
        note(f"{act}: the first frame's time is {ms(-percentile(away, 0.5))} ahead (median)")
    reading.close()


def figure_narrow(server):
    """A reader whose line takes half of the stream."""
    reading = Reading(server)
    with reading.join() as wide:
        before, messages = wide.bytes, wide.messages
        reading.drag(5)
        stream = (wide.bytes - before + (wide.messages - messages) * HEAD_BYTES) * 8 / 5
    shape = Shape(rate=stream / 2)
    line = Shaped(server.port, shape, is_clear=True)
    narrow = reading.join(line.url)
    time.sleep(1)
    line.worsen()
    began, ended = reading.drag(AGE_SECONDS)
    began += 2
    instants = vsyncs(began, ended, 0.004)
    for what, delayed in (("as shown, the room's delay included", True), ("as received", False)):
        frames = narrow.seen(instants) if delayed else narrow.seen(instants, delay=False)
        ages = [
            reading.presenter.clock.server(at) - frame.time
            for at, frame in zip(instants, frames, strict=True)
        ]
        row(
            f"reader at half of the stream's {stream / 1000:.0f} kbit/s: age, p95, {what}",
            "<= 500 ms", said(ages),
        )
    frames = sum(began <= frame.at <= ended for frame in narrow.arrivals)
    note(f"it got {frames / (ended - began):.0f} frames a second")
    for one in (narrow, reading, line):
        one.close()


def lateness(server, is_stalled):
    """How long after its time each frame came to those who read, with or without one who does not."""
    reading = Reading(server)
    followers = [reading.join() for _ in range(3)]
    line = Shaped(server.port)
    stalled = reading.join(line.url)
    time.sleep(0.6)
    if is_stalled:
        line.stall()
    began, ended = reading.drag(PAIR_SECONDS)
    late = [
        follower.clock.server(frame.at) - frame.time
        for follower in followers for frame in follower.arrivals if began <= frame.at <= ended
    ]
    line.cut()
    for one in (*followers, stalled, reading, line):
        one.close()
    return late


def figure_stalled(server):
    """What one stalled member does to the others, in pairs that follow each other."""
    with_one, without = [], []
    for pair in range(PAIRS):
        for is_stalled in (True, False) if pair % 2 else (False, True):
            p99 = percentile(lateness(server, is_stalled), 0.99)
            (with_one if is_stalled else without).append(p99)
    differences = [one - other for one, other in zip(with_one, without, strict=True)]
    row(
        "one stalled member: effect on the others' p99 of arrival", "none measurable",
        f"{MILLISECONDS * statistics.median(differences):+.2f} ms (median of {PAIRS} pairs,"
        f" {', '.join(f'{MILLISECONDS * one:+.2f}' for one in differences)}; without one the p99"
        f" is {ms(min(without))} to {ms(max(without))} after the frame's time)",
    )


# What browsers show.


def watched(reader):
    """What a browser noted: (epoch seconds, server time, frame time, frame number) each."""
    rows = reader.evaluate("__lectern.watch(false)")
    return [(at / MILLISECONDS, *rest) for at, *rest in rows]


def follow(browser, address, size=SMALL):
    """A browser's window in the room, whose pictures have come."""
    reader = browser.reader(*size)
    reader.goto(address)
    reader.wait_for(f"{READY} && __lectern.isReady", 60)
    reader.wait_for(
        "[...document.querySelectorAll('#stage img')].every(picture => picture.complete)", 60
    )
    return reader


def screen_of(noted, presenter):
    """What a browser showed, on this machine's clock."""
    epoch = time.time() - time.monotonic()
    settled = {frame.number: frame.settled for frame in presenter.arrivals}
    return [(at - epoch, when, settled.get(number, False)) for at, _, when, number in noted]


@contextlib.contextmanager
def plain_library():
    """A server with two books that are quickly drawn."""
    with tempfile.TemporaryDirectory(prefix="lectern-bench-") as folder:
        server = Server("--library", str(make_library(pathlib.Path(folder) / "library")))
        try:
            until = time.monotonic() + IMPORT_SECONDS
            while ready_books(server) < 2 and time.monotonic() < until:
                time.sleep(0.1)
            yield server
        finally:
            server.stop()


def ready_books(server):
    """How many books can be read."""
    with urllib.request.urlopen(f"{server.url}api/books", timeout=5) as answer:
        return answer.read().count(b'"ready"')


def figure_apart_browsers(server, chromium, firefox):
    """Chromium beside Firefox."""
    for shape, asked in ((None, "<= 17 ms"), (NEAR, "<= 25 ms")):
        lines = [Shaped(server.port, shape or Shape(), seed, is_clear=True) for seed in (1, 2)]
        reading = Reading(server)
        addresses = [f"{line.url}r/{reading.name}" for line in lines]
        readers = [
            follow(browser, address)
            for browser, address in zip((chromium, firefox), addresses, strict=True)
        ]
        # Both ways of the book, so that its pictures have come before the line is bad.
        reading.fly(6)
        for line in lines:
            line.worsen()
        if shape:
            reading.drag(WARM_SECONDS)
        for act, does in ACTS.items():
            for reader in readers:
                reader.evaluate("__lectern.watch(true)")
            began, ended = does(reading)
            time.sleep(1)
            noted = [watched(reader) for reader in readers]
            screens = [screen_of(one, reading.presenter) for one in noted]
            delay = reading.presenter.delay.at(ended)
            ends = min(ended + delay, *(screen[-1][0] for screen in screens))
            starts = max(began, *(screen[0][0] for screen in screens))
            row(
                f"difference of Chromium and Firefox at the same instant, p95, {act},"
                f" {shape or 'loopback'}",
                asked, f"{said(apart(*screens, starts, ends))}, at a room delay of {ms(delay)}",
            )
            drawn = apart_when_drawn(*screens)
            row(
                "the same, whenever both had just drawn", asked,
                f"{said(drawn)}, {len(drawn)} times",
            )
            for reader, one in zip(readers, noted, strict=True):
                note(f"{act}: {reader.name} {pace_of(one)}")
        for one in (*readers, reading, *lines):
            one.close()


def pace_of(noted):
    """How a browser's animation frames came, in words."""
    gaps = [later[0] - earlier[0] for earlier, later in zip(noted, noted[1:], strict=False)]
    long = sum(gap > LONGEST_GAP for gap in gaps)
    return (
        f"gave {len(noted)} animation frames, {ms(statistics.median(gaps))} apart (median,"
        f" p95 {ms(percentile(gaps, 0.95))}), {100 * long / len(gaps):.1f} % of them late"
    )


def uneven(noted, presenter):
    """Repeated and skipped frames of flights, and of how many, without the browser's own gaps.

    Counted from one animation frame to the next while a flight is on the screen, from its first
    frame to its last. Of each, the frames gone by are compared with the time gone by.
    """
    frames = {frame.number: frame for frame in presenter.arrivals}
    bad = counted = 0
    was_late = True
    for (before, _, old_time, old), (now, _, new_time, new) in zip(noted, noted[1:], strict=False):
        is_late = now - before > LONGEST_GAP
        is_flight = old in frames and not frames[old].settled
        if not is_late and not was_late and is_flight:
            counted += 1
            passed = round((new_time - old_time) / PERIOD)
            bad += abs(passed - 1) if not (frames.get(new) or frames[old]).settled else 0
        was_late = is_late
    return 100 * bad / max(counted, 1), counted


def figure_even(server, chromium):
    """A follower in Chromium while leaves fly."""
    shares, counts = [], []
    for _ in range(RUNS):
        reading = Reading(server)
        reader = follow(chromium, reading.address)
        reading.fly(6)
        reader.evaluate("__lectern.watch(true)")
        reading.fly()
        time.sleep(0.5)
        noted = watched(reader)
        share, counted = uneven(noted, reading.presenter)
        shares.append(share)
        counts.append(counted)
        note(f"flights: chromium {pace_of(noted)}; {share:.2f} % of {counted} uneven")
        reader.close()
        reading.close()
    row(
        "repeated or skipped frames over flown animations, follower in Chromium", "<= 0.5 %",
        f"{statistics.median(shares):.2f} % (median of {RUNS}, of {min(counts)} to {max(counts)}"
        f" frames each; worst {max(shares):.2f} %)",
    )


# Moves a finger by itself, each time when all has come to rest, and notes when the leaf follows:
# in animation frames, whose time all that runs in one shares, and in milliseconds.
PRESS = """((x, y, count) => new Promise(done => {
  const table = document.getElementById('table'), times = [], answers = []
  let asked = null
  const tick = now => { times.push(now); if (answers.length < count) requestAnimationFrame(tick) }
  const ask = () => {
    asked = performance.now()
    table.dispatchEvent(new PointerEvent('pointermove', {
      pointerId: 1, clientX: x - 60 * (answers.length % 2), clientY: y, bubbles: true,
      cancelable: true,
    }))
  }
  const observer = new MutationObserver(() => {
    if (asked === null) return
    const frame = document.timeline.currentTime, since = asked
    asked = null
    requestAnimationFrame(() => {
      answers.push([times.filter(t => t > since && t <= frame).length, performance.now() - since])
      if (answers.length < count) return setTimeout(ask, 120 + 50 * Math.random())
      observer.disconnect()
      done(answers)
    })
  })
  observer.observe(document.getElementById('stage'), {
    subtree: true, attributes: true, attributeFilter: ['style'],
  })
  requestAnimationFrame(tick)
  setTimeout(ask, 500)
}))"""


def figure_presenter(server, chromium):
    """From what a finger does to the frame that shows it, in the presenter's own page."""
    reading = Reading(server)
    reader = follow(chromium, reading.address, HELD)
    scale = HELD[0] / 1024
    x, y = FINGER[0] * scale, FINGER[1] * scale
    reader.press([(x, y)])
    reader.move([(x - 100, y)], 10)
    reader.wait_for("!__lectern.settled")
    answers = reader.evaluate(f"{PRESS}({x - 110}, {y}, {PRESSES})")
    frames = [frames for frames, _ in answers]
    took = [spent / MILLISECONDS for _, spent in answers]
    reader.lift()
    row(
        "presenter: input -> own frame applied, p95, Chromium on loopback", "<= 2 frames",
        f"{percentile(frames, 0.95)} frames ({frames.count(2)} of {len(frames)} in 2,"
        f" {frames.count(1)} in 1; {ms(percentile(took, 0.95))} p95)",
    )
    reader.close()
    reading.close()


def main():
    """Measures and prints, one line a figure."""
    asked = sys.argv[1] if len(sys.argv) > 1 else "all"
    sys.setswitchinterval(0.0005)
    kernel = "this kernel has netem too" if has_netem() else "this kernel has no netem"
    print(f"Lines are shaped by Tests/Browser/shaped.py; {kernel}.\n", file=sys.stderr)
    server = Server()
    headless = [figure_apart_headless, figure_join, figure_narrow, figure_stalled]
    try:
        if asked in ("all", "headless"):
            for figure in headless:
                figure(server)
        if asked in ("all", "browsers"):
            chromium, firefox = Chromium(), Firefox()
            try:
                with plain_library() as plain:
                    figure_apart_browsers(plain, chromium, firefox)
                    figure_presenter(plain, chromium)
                    figure_even(plain, chromium)
            finally:
                chromium.close()
                firefox.close()
    finally:
        server.stop()


if __name__ == "__main__":
    main()
