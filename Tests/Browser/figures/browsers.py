"""Measurements of browsers: the distance between two, the delay after input, and the evenness."""

import statistics
import time

from figures.reading import ACTS, FINGER, NEAR, WARM_SECONDS, Reading
from figures.screens import apart, apart_when_drawn
from figures.table import MILLISECONDS, ms, note, row, said
from reader import READY
from shaped import Shaped
from shaped_model import Shape
from timing import PERIOD, percentile

RUNS = 5
PRESSES = 100
LONGEST_GAP = 0.025
# Software rendering is nearly fast enough for plain pages in a small window.
SMALL = (240, 180)
# Large enough for a leaf between the controls.
HELD = (480, 360)
# Moves a finger each time the page is at rest, and records when the leaf follows: in animation frames, which
# share one time, and in milliseconds.
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


# Records for each animation frame in which the page draws: milliseconds since 1970, the server's time, and
# the time and number of the frame that is shown.
WATCH = """await (async () => {
  const { SessionController } = await import('/js/session/controller.js')
  const { app } = await import('/js/app.js')
  const { drawn } = SessionController.prototype
  window.drawn = []
  SessionController.prototype.drawn = function (now, time, isNew) {
    const { state } = app.playout
    window.drawn.push([performance.timeOrigin + now, time, state.time, state.number])
    drawn.call(this, now, time, isNew)
  }
  window.unwatch = () => {
    SessionController.prototype.drawn = drawn
    return window.drawn
  }
})()"""


def watched(reader):
    """Returns the records of WATCH, each as (epoch seconds, server time, frame time, frame number)."""
    return [(at / MILLISECONDS, *rest) for at, *rest in reader.evaluate("unwatch()")]


def follow(browser, reading, size=SMALL, url=None):
    """Joins the room in a window and waits until its images have loaded."""
    reader = browser.reader(*size)
    reader.goto(f"{url or reading.server.url}r/{reading.name}#{reading.key}")
    reader.wait_for(READY, 60)
    reader.wait_for(
        "[...document.querySelectorAll('#stage img')].every(picture => picture.complete)", 60
    )
    return reader


def screen_of(noted, presenter):
    """Returns what a browser has shown, on this machine's clock."""
    epoch = time.time() - time.monotonic()
    settled = {frame.number: frame.settled for frame in presenter.arrivals}
    return [(at - epoch, when, settled.get(number, False)) for at, _, when, number in noted]


def watch_act(reading, readers, does):
    """Watches two readers during an act, a function of the session that returns when it began and ended.

    Returns their records, their screens, the start and the end of the time to compare, and the room's delay.
    """
    for reader in readers:
        reader.evaluate(WATCH)
    began, ended = does(reading)
    time.sleep(1)
    noted = [watched(reader) for reader in readers]
    screens = [screen_of(one, reading.presenter) for one in noted]
    delay = reading.presenter.delay.at(ended)
    ends = min(ended + delay, *(screen[-1][0] for screen in screens))
    starts = max(began, *(screen[0][0] for screen in screens))
    return noted, screens, starts, ends, delay


def figure_apart_browsers(server, chromium, firefox):
    """Measures the distance between Chromium and Firefox."""
    for shape, asked in ((None, "<= 17 ms"), (NEAR, "<= 25 ms")):
        lines = [Shaped(server.port, shape or Shape(), seed, is_clear=True) for seed in (1, 2)]
        reading = Reading(server)
        readers = [
            follow(browser, reading, url=line.url)
            for browser, line in zip((chromium, firefox), lines, strict=True)
        ]
        # Turns both ways, so that the images have loaded before the connection is bad.
        reading.fly(6)
        for line in lines:
            line.worsen()
        if shape:
            reading.drag(WARM_SECONDS)
        for act, does in ACTS.items():
            noted, screens, starts, ends, delay = watch_act(reading, readers, does)
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
    """Returns the pace of a browser's animation frames, as text."""
    gaps = [later[0] - earlier[0] for earlier, later in zip(noted, noted[1:], strict=False)]
    long = sum(gap > LONGEST_GAP for gap in gaps)
    return (
        f"gave {len(noted)} animation frames, {ms(statistics.median(gaps))} apart (median,"
        f" p95 {ms(percentile(gaps, 0.95))}), {100 * long / len(gaps):.1f} % of them late"
    )


def uneven(noted, presenter):
    """Returns the share of repeated and skipped frames in flights, and the number of frames counted.

    It compares, from one animation frame to the next during a flight, the passed frames with the passed
    time. Gaps of the browser itself do not count.
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
    """Measures a follower in Chromium during flights."""
    shares, counts = [], []
    for _ in range(RUNS):
        reading = Reading(server)
        reader = follow(chromium, reading)
        reading.fly(6)
        reader.evaluate(WATCH)
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


def figure_presenter(server, chromium):
    """Measures the time from input to the frame that shows it, in the presenter's page."""
    reading = Reading(server)
    reader = follow(chromium, reading, HELD)
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
