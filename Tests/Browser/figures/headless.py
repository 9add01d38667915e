"""Measurements of clients without a browser that follow, join, are slow, or stall."""

import random
import statistics
import time

from figures.reading import ACTS, FAR, FINGER, NEAR, WARM_SECONDS, Reading, swing
from figures.screens import apart, steps, vsyncs
from figures.table import MILLISECONDS, ms, note, row, said
from shaped import Shaped
from shaped_model import HEAD_BYTES, Shape
from timing import PERIOD, percentile

JOINS = 40
AGE_SECONDS = 15
PAIRS = 6
PAIR_SECONDS = 8


def seen_by(client, began, ended, phase):
    """Returns what a client's screen has shown."""
    instants = vsyncs(began, ended, phase)
    return steps(instants, client.seen(instants))


def headless_apart(server, shape):
    """Measures the distance between two clients, during drags and during flights."""
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
    """Measures the distance between followers."""
    for shape, asked in ((None, "<= 17 ms"), (NEAR, "<= 25 ms"), (FAR, "<= 25 ms")):
        where = shape or "loopback"
        for act, (differences, delay, _) in headless_apart(server, shape).items():
            row(
                f"difference of two followers at the same instant, p95, {act}, {where}",
                asked, f"{said(differences)}, at a room delay of {ms(delay)}",
            )


def figure_join(server):
    """Measures the time from hello to the first frame, during a drag and during a flight."""
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
                presenter.wait(lambda: number in presenter.frames, "at the frame of the new member")  # noqa: B023
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
    """Measures a member whose connection is half as fast as the stream."""
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
    """Measures how late each frame reaches the members, with or without one that does not read."""
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
    """Measures the effect of a stalled member on the others, in pairs of runs."""
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
