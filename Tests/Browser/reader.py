"""What a browser is to the tests: a reader of the page with fingers, keys and eyes."""

import contextlib
import pathlib
import time

WIDTH = 1024
HEIGHT = 768
CENTRE = (WIDTH / 2, HEIGHT / 2)
FINGER_MOVE_SECONDS = 1 / 60
WAIT_SECONDS = 15
# Moves that a busy machine brings further apart than this are no swipe any more.
SWIPE_STEP_SECONDS = 1 / 30
# What stays for longer is no tap to the server, which then does nothing.
TAP_SECONDS = 0.5
TAP_ATTEMPTS = 5

# Runs in each page before its own scripts.
INSTRUMENT = pathlib.Path(__file__).with_name("instrument.js").read_text()

# Numbers are read from the style itself: the computed style has six significant digits only.
LOOK = """(() => {
  const lectern = window.__lectern
  // Pages that lie flat at rest have a matrix of the plane.
  const numbers = text => {
    const list = (/matrix(?:3d)?\\(([^)]*)\\)/.exec(text)?.[1] ?? '').split(',').map(Number)
    if (list.length !== 6) return list
    const [a, b, c, d, x, y] = list
    return [a, b, 0, 0, c, d, 0, 0, 0, 0, 1, 0, x, y, 0, 1]
  }
  const faces = []
  for (const element of document.querySelectorAll('#stage > [data-kind]')) {
    const style = getComputedStyle(element)
    if (style.display === 'none' || style.visibility !== 'visible') continue
    if (+style.opacity < 0.01) continue
    const box = element.getBoundingClientRect()
    faces.push({
      kind: element.dataset.kind,
      index: +element.dataset.index,
      matrix: numbers(element.style.transform),
      opacity: +style.opacity,
      z: +style.zIndex || 0,
      box: [box.left, box.top, box.right, box.bottom],
    })
  }
  return {
    faces,
    screen: lectern.screen,
    frame: lectern.frame,
    settled: lectern.settled,
    room: lectern.roomCode,
    applied: [...lectern.view.stage.applied].map(([id, matrix]) => [id, [...matrix]]),
  }
})()"""

# What a finger does, with its times in milliseconds, until it is lifted: here or in a frame.
WATCH_FINGER = """(() => {
  const finger = window.__finger = { stamps: [], events: [], ended: false }
  const done = new AbortController()
  const note = event => {
    finger.events.push([event.type, event.timeStamp])
    // A mouse moves before it is pressed.
    if (event.type === 'blur' || (event.type !== 'pointerdown' && !finger.stamps.length)) return
    finger.stamps.push(event.timeStamp)
    if (event.type === 'pointerdown' || event.type === 'pointermove') return
    finger.ended = true
    done.abort()
  }
  for (const view of [window, ...Array.from(frames)]) {
    for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel', 'blur']) {
      view.addEventListener(type, note, { capture: true, signal: done.signal })
    }
  }
})()"""

# For a wait that fails: what the page, or each screen of the demo, has and still does.
STATE = """await (async () => {
  const said = async (name, frame, page) => page ? {
    name, screen: page.screen, frame: page.frame, settled: page.settled, isReady: page.isReady,
    isAtRest: page.isAtRest, room: page.roomCode, people: page.session.people.size,
    role: page.session.role, finger: window.__finger?.events,
    isShown: frame.document.visibilityState, hasFocus: frame.document.hasFocus(),
    frames: await new Promise(told => {
      const began = performance.now()
      let count = 0
      const next = () => count++ < 10 && performance.now() - began < 2000
        ? frame.requestAnimationFrame(next) : told([count, performance.now() - began])
      setTimeout(() => told([count, 'none']), 3000)
      next()
    }),
  } : `${name} has no __lectern`
  const screens = document.getElementById('screens') ? [...frames] : [window]
  return Promise.all(screens.map(frame => said(frame.name || 'the page', frame, frame.__lectern)))
})()"""

# The page asks itself: to ask it from outside over and over takes more time than its frames do.
HOLDS = """await (async () => {{
  const end = performance.now() + {milliseconds}
  while (!({condition})) {{
    if (performance.now() > end) return false
    await new Promise(next => setTimeout(next, 10))
  }}
  return true
}})()"""

READY = "!!window.__lectern?.isReady && __lectern.settled"


class View:
    """What stands on the page at one moment: its visible faces and what was applied."""

    def __init__(self, answer):
        self.faces = answer["faces"]
        self.screen = answer["screen"]
        self.frame = answer["frame"]
        self.settled = answer["settled"]
        self.room = answer["room"]
        self.applied = dict(answer["applied"])

    def of(self, kind):
        """The visible faces of a kind, by index."""
        return {face["index"]: face for face in self.faces if face["kind"] == kind}

    @property
    def pages(self):
        """The numbers of the visible pages, ascending."""
        return sorted(self.of("page"))

    @property
    def spread(self):
        """The two pages that face the reader: of the fan on each side the one on top."""
        left = [page for page in self.pages if page % 2 == 1]
        right = [page for page in self.pages if page % 2 == 0]
        return [max(left, default=None), min(right, default=None)]

    @property
    def matrices(self):
        """The matrix of each visible face by kind and index."""
        return {(face["kind"], face["index"]): face["matrix"] for face in self.faces}

    def centre(self, kind, index=None):
        """Where to touch a face: its centre on the screen, in CSS pixels.

        Without an index it is the face of that kind nearest to the centre of the stage.
        """
        faces = self.of(kind)
        assert faces, f"no {kind} is visible on the screen {self.screen}"

        def point(face):
            left, top, right, bottom = face["box"]
            return ((left + right) / 2, (top + bottom) / 2)

        if index is not None:
            return point(faces[index])
        return min(
            map(point, faces.values()),
            key=lambda p: (p[0] - CENTRE[0]) ** 2 + (p[1] - CENTRE[1]) ** 2,
        )


class Reader:
    """The part of both browsers that is the same. A subclass gives:

    goto(url), evaluate(js), key(name), screenshot(path), errors, close(), and the hand:
    press(points, touch), move(points, steps), lift().
    """

    name = ""

    def wait_for(self, js, seconds=WAIT_SECONDS):
        """Waits until an expression holds in the page."""
        if not self.evaluate(HOLDS.format(condition=js, milliseconds=1000 * seconds)):
            state = self.evaluate(STATE)
            raise AssertionError(
                f"{self.name}: not within {seconds} s: {js}; the page has {state},"
                f" errors {self.errors}"
            )

    def open(self, url):
        """Opens an address and waits for the first settled frame."""
        self.goto(url)
        self.wait_for(READY)
        return self.look()

    def look(self):
        """What stands on the page now."""
        return View(self.evaluate(LOOK))

    @contextlib.contextmanager
    def settling(self, screen=None):
        """Runs a gesture and waits until a later frame is at rest."""
        frame = self.evaluate("__lectern.frame")
        yield
        wanted = f" && __lectern.screen === '{screen}'" if screen else ""
        self.wait_for(f"__lectern.frame > {frame} && __lectern.settled{wanted}")

    # Gestures, each made of press, move and lift.

    def tap(self, point, touch=True):
        """Taps with a finger, or clicks; again if the machine was too busy for one."""
        for _ in range(TAP_ATTEMPTS):
            self.evaluate(WATCH_FINGER)
            self._touch_and_go(point, touch)
            stamps = self._stamps_of_finger()
            if stamps[-1] - stamps[0] <= 1000 * TAP_SECONDS:
                return
        raise AssertionError(f"{self.name}: no tap in {TAP_ATTEMPTS} attempts, the last {stamps}")

    def _touch_and_go(self, point, touch):
        self.press([point], touch)
        self.lift()

    def _stamps_of_finger(self):
        self.wait_for("__finger.ended")
        return self.evaluate("__finger.stamps")

    def drag(self, start, end, steps=24, touch=False):
        """Drags slowly, so that the last speed decides nothing."""
        self.press([start], touch)
        self.move([end], steps)
        self.dwell([end])
        self.lift()

    def swipe(self, start, end, steps=6):
        """Flicks with a finger and lets go at speed.

        Returns whether it was one: Firefox stamps what a finger does when it comes to it.
        """
        self.evaluate(WATCH_FINGER)
        self.press([start], touch=True)
        self.move([end], steps)
        self.lift()
        stamps = self._stamps_of_finger()
        return stamps[-1] - stamps[0] <= 1000 * SWIPE_STEP_SECONDS * (len(stamps) - 1)

    def dwell(self, points, steps=12):
        """Keeps the fingers down, moving by a pixel: their speed comes to rest."""
        for step in range(steps):
            self.move([(x + (step + 1) % 2, y) for x, y in points], 1)

    def spread(self, centre, start, end, steps=30):
        """Puts two fingers down and moves them apart, or together; they stay down.

        `start` and `end` are the fingers' distances from the centre in CSS pixels.
        """
        self.press(fingers(centre, start), touch=True)
        self.move(fingers(centre, end), steps)

    def pinch(self, centre, start, end, steps=30):
        """Pinches with two fingers and lets go."""
        self.spread(centre, start, end, steps)
        self.lift()


def fingers(centre, distance):
    """Two fingers beside each other about a centre."""
    x, y = centre
    return [(x - distance, y), (x + distance, y)]


def between(starts, ends, steps):
    """The points of a straight movement, without its first."""
    for step in range(1, steps + 1):
        share = step / steps
        yield [
            (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share)
            for (x0, y0), (x1, y1) in zip(starts, ends, strict=True)
        ]
