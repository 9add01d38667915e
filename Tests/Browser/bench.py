"""Prints the measurements that need a browser or a socket.

Usage: Scripts/python Tests/Browser/bench.py
"""

import json
import statistics
import time
import urllib.request

from websockets.sync.client import connect

import wire
from chromium import Chromium
from figures.table import row
from server import Server
from steps import RIGHT, to_book

OPENINGS = 7
DRAGS = 5
DRAG_SECONDS = 10
REST_SECONDS = 10
QUIET_SECONDS = 2
REACH = 640
# Moves a finger without a pause. A driver outside the browser could move it only some 36 times a second,
# and a frame that repeats because the finger is still does not count.
FINGER = """((x, y, reach) => {
  const began = performance.now()
  window.finger = setInterval(() => {
    const way = (1 - Math.cos((performance.now() - began) / 240)) / 2
    document.getElementById('table').dispatchEvent(new PointerEvent('pointermove', {
      pointerId: 1, clientX: x - reach * way, clientY: y, bubbles: true, cancelable: true,
    }))
  }, 4)
})"""

# Records which frame is on the screen in each animation frame.
WATCH = """(() => {
  window.watched = []
  const watch = now => {
    window.watched?.push([now, __lectern.frame])
    if (window.watched) requestAnimationFrame(watch)
  }
  requestAnimationFrame(watch)
})()"""
LONGEST_GAP_MILLISECONDS = 25

# Records when the stage gets its first element, which the first frame creates.
FIRST_FRAME = """new MutationObserver((changes, observer) => {
  if (!changes.some(({ target }) => target.id === 'stage')) return
  window.firstFrameAt = performance.now()
  observer.disconnect()
}).observe(document, { childList: true, subtree: true })"""


def first_frames(chromium, url):
    """Returns the milliseconds from the start of the navigation to the first frame applied."""
    times = []
    for _ in range(OPENINGS):
        reader = chromium.reader()
        reader.before(FIRST_FRAME)
        reader.open(url)
        times.append(reader.evaluate("firstFrameAt"))
        reader.close()
    return times


def uneven_share(watched):
    """Returns the share of animation frames that repeated a frame or skipped one, in percent.

    An animation frame that the browser itself has delayed does not count, and neither does the one
    after it, which catches up.
    """
    uneven = counted = 0
    was_late = True
    for (before, old), (now, new) in zip(watched, watched[1:], strict=False):
        is_late = now - before > LONGEST_GAP_MILLISECONDS
        if not is_late and not was_late:
            counted += 1
            uneven += 1 if new == old else new - old - 1
        was_late = is_late
    return 100 * uneven / max(counted, 1), counted


def drag(reader):
    """Drags a leaf to and fro; returns the share of uneven frames and the number of frames."""
    reader.press([RIGHT])
    reader.move([(RIGHT[0] - 20, RIGHT[1])], 5)
    reader.evaluate(f"{FINGER}({RIGHT[0] - 20}, {RIGHT[1]}, {REACH})")
    reader.wait_for("!__lectern.settled")
    reader.evaluate(WATCH)
    time.sleep(DRAG_SECONDS)
    watched = reader.evaluate("(() => { const all = watched; watched = null; return all })()")
    reader.evaluate("clearInterval(finger)")
    with reader.settling("book"):
        reader.lift()
    return uneven_share(watched)


def messages_at_rest(server):
    """Returns the number of messages that a member gets in a room at rest."""
    # A new room, no key, token or name, and any colour.
    hello = wire.encode("hello", wire.VERSION, "", "", "", "", "", 255, 1024, 768, 1.0, [])
    address = f"ws://127.0.0.1:{server.port}/ws"
    with connect(
        address, subprotocols=["lectern.v1"], origin=server.url.rstrip("/"), proxy=None,
        compression=None,
    ) as socket:
        socket.send(hello)
        first = wire.decode(socket.recv(timeout=QUIET_SECONDS))
        assert first.type == "welcome", f"the server answered the hello with {first}"
        received(socket, QUIET_SECONDS)
        return received(socket, REST_SECONDS)


def received(socket, seconds):
    """Returns the number of messages that arrive within a time."""
    count = 0
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        try:
            socket.recv(timeout=left)
            count += 1
        except TimeoutError:
            break
    return count


def health(server):
    """Returns the server's report about its health."""
    with urllib.request.urlopen(f"{server.admin_url}healthz", timeout=5) as answer:
        return json.load(answer)


def main():
    """Measures, and prints a line for each measurement."""
    server = Server()
    chromium = Chromium()
    try:
        row("messages sent in 10 s at rest", "0", messages_at_rest(server))
        times = first_frames(chromium, server.url)
        row(
            "page opened -> first frame applied in Chromium",
            "<= 300 ms",
            f"{statistics.median(times):.0f} ms (median of {len(times)}, worst {max(times):.0f})",
        )
        shares, notes = [], []
        for _ in range(DRAGS):
            reader = chromium.reader()
            to_book(reader, server.url)
            share, counted = drag(reader)
            reader.close()
            shares.append(share)
            notes.append(f"{share:.2f} % of {counted} frames")
        row(
            "repeated or skipped frames over a 10 s drag in Chromium",
            "<= 1 %",
            f"{statistics.median(shares):.2f} % (median of {len(shares)})",
        )
        delay = health(server).get("inputToFrameMilliseconds", {})
        row(
            "input received -> frame written, p99",
            "<= 2 ms",
            f"{delay.get('p99')} ms (p50 {delay.get('p50')} ms, {delay.get('count')} inputs)",
        )
        for note in notes:
            print(f"drag: {note}")
    finally:
        chromium.close()
        server.stop()


if __name__ == "__main__":
    main()
