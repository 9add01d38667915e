"""What the tests use of a browser: fingers, keys, and the view of the page."""

import contextlib
import pathlib
import sys

WIDTH = 1024
HEIGHT = 768
CENTRE = (WIDTH / 2, HEIGHT / 2)
FINGER_MOVE_SECONDS = 1 / 60
WAIT_SECONDS = 20
# Both browsers find this machine by this name, which is no secure context without HTTPS.
INSECURE_HOST = "lectern.test"

# The script that runs in each page before the page's own.
INSTRUMENT = pathlib.Path(__file__).with_name("instrument.js").read_text()

# Matrices come from the style attribute, since the computed style has only six significant digits.
LOOK = """(() => {
  const lectern = window.__lectern
  // Flat pages at rest have a matrix in the plane.
  const numbers = text => {
    const list = (/matrix(?:3d)?\\(([^)]*)\\)/.exec(text)?.[1] ?? '').split(',').map(Number)
    if (list.length !== 6) return list
    const [a, b, c, d, x, y] = list
    return [a, b, 0, 0, c, d, 0, 0, 0, 0, 1, 0, x, y, 0, 1]
  }
  const faces = []
  const elements = [...document.querySelectorAll('#stage .el[data-kind]')]
  for (const element of elements) {
    const style = getComputedStyle(element)
    if (style.display === 'none' || style.visibility !== 'visible' || element.dataset.part === '2') continue
    if (+style.opacity < 0.01) continue
    const box = element.getBoundingClientRect()
    faces.push({
      kind: element.dataset.kind,
      index: +element.dataset.index,
      matrix: numbers(element.style.transform),
      opacity: +style.opacity,
      z: +getComputedStyle(element.parentNode).zIndex || 0,
      box: [box.left, box.top, box.right, box.bottom],
    })
  }
  return {
    faces,
    screen: lectern.screen,
    frame: lectern.frame,
    settled: lectern.settled,
    room: lectern.roomCode,
    applied: [...lectern.stage.applied].map(([id, matrix]) => [id, [...matrix]]),
  }
})()"""

# The page polls itself, since polling from outside takes more time than its frames.
HOLDS = """await (async () => {{
  const end = performance.now() + {milliseconds}
  while (!({condition})) {{
    if (performance.now() > end) return false
    await new Promise(next => setTimeout(next, 10))
  }}
  return true
}})()"""

# Whether tests can see the page; also true in a document that is not a page.
SEEN = "!document.querySelector('script[src$=\"/js/main.js\"]') || !!window.__lectern"
# The page's own signal that it waits for nothing and is at rest.
READY = "!!window.__lectern?.isReady"
# The fingers have rested, in the page and in its frames.
RESTED = "[window, ...Array.from(frames)].forEach(view => view.__finger?.rested())"


class View:
    """The page at one moment: its visible faces and the applied matrices."""

    def __init__(self, answer):
        self.faces = answer["faces"]
        self.screen = answer["screen"]
        self.frame = answer["frame"]
        self.settled = answer["settled"]
        self.room = answer["room"]
        self.applied = dict(answer["applied"])

    def of(self, kind):
        """Returns the visible faces of a kind, by index."""
        return {face["index"]: face for face in self.faces if face["kind"] == kind}

    @property
    def pages(self):
        """The numbers of the visible pages, ascending."""
        return sorted(self.of("page"))

    @property
    def spread(self):
        """The two open pages, which are the top ones of the fan on each side."""
        left = [page for page in self.pages if page % 2 == 1]
        right = [page for page in self.pages if page % 2 == 0]
        return [max(left, default=None), min(right, default=None)]

    @property
    def matrices(self):
        """The matrix of each visible face by kind and index."""
        return {(face["kind"], face["index"]): face["matrix"] for face in self.faces}

    def centre(self, kind, index=None):
        """Returns the centre of a face on the screen, in CSS px.

        Without an index it is that of the face nearest to the centre of the stage.
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
    """The common part of both browsers. A subclass has:

    load(url), before(js), evaluate(js), key(name), resize(width, height, ratio), screenshot(path), errors, _close(),
    and for fingers press(points, touch), _move(points, steps), lift() and _double_click(point).
    """

    name = ""
    # The windows that are open, for the report of a failure.
    all_open = []
    # Saves what a window shows; the argument is the window.
    save_evidence = staticmethod(lambda reader: None)

    def close(self):
        """Closes the window. If the test is failing, what the window shows is saved before."""
        if sys.exc_info()[1] is not None:
            self.save_evidence(self)
        Reader.all_open.remove(self)
        self._close()

    def wait_for(self, js, seconds=WAIT_SECONDS):
        """Waits until an expression is true in the page."""
        if not self.evaluate(HOLDS.format(condition=js, milliseconds=1000 * seconds)):
            raise AssertionError(f"{self.name}: not within {seconds} s: {js}")

    def goto(self, url):
        """Loads an address, and waits until tests can see its page."""
        self.load(url)
        self.wait_for(SEEN)

    def open(self, url):
        """Opens an address, and waits until the page is ready."""
        self.goto(url)
        self.ready()
        return self.look()

    def ready(self):
        """Waits until the page says that it is ready."""
        self.wait_for(READY)

    def look(self):
        """Returns the current view of the page."""
        return View(self.evaluate(LOOK))

    @contextlib.contextmanager
    def settling(self, screen=None):
        """Runs a gesture, and waits until the page is ready with a later frame."""
        frame = self.evaluate("__lectern.frame")
        yield
        wanted = f" && __lectern.screen === '{screen}'" if screen else ""
        self.wait_for(f"__lectern.frame > {frame}{wanted} && {READY}")

    # Gestures, which consist of press, move and lift. Their events carry the finger's own times (instrument.js).

    def move(self, points, steps):
        """Moves fingers that have rested, or the mouse, in steps of a sixtieth of a second."""
        self.evaluate(RESTED)
        self._move(points, steps)

    def tap(self, point, touch=True):
        """Taps with a finger or clicks."""
        self.press([point], touch)
        self.lift()

    def double_click(self, point):
        """Clicks twice with the mouse."""
        self.evaluate("__finger.doubles()")
        self._double_click(point)

    def drag(self, start, end, steps=24, touch=False):
        """Drags slowly, so that the final speed has no effect."""
        self.press([start], touch)
        self._move([end], steps)
        self._dwell([end])
        self.lift()

    def swipe(self, start, end, steps=6):
        """Flicks with a finger and lifts it in motion."""
        self.press([start], touch=True)
        self._move([end], steps)
        self.lift()

    def dwell(self, points, steps=12):
        """Keeps the fingers down and moves them by a pixel, so that their speed ends."""
        self.evaluate(RESTED)
        self._dwell(points, steps)

    def _dwell(self, points, steps=12):
        for step in range(steps):
            self._move([(x + (step + 1) % 2, y) for x, y in points], 1)

    def spread(self, centre, start, end, steps=30):
        """Puts two fingers down, moves them apart or together, and keeps them down.

        `start` and `end` are the fingers' distances from the centre in CSS px.
        """
        self.press(fingers(centre, start), touch=True)
        self._move(fingers(centre, end), steps)

    def pinch(self, centre, start, end, steps=30):
        """Pinches with two fingers and lifts them."""
        self.spread(centre, start, end, steps)
        self.lift()


def fingers(centre, distance):
    """Returns two fingers to the left and right of a centre."""
    x, y = centre
    return [(x - distance, y), (x + distance, y)]


def between(starts, ends, steps):
    """Returns the points of a straight movement, except the first."""
    for step in range(1, steps + 1):
        share = step / steps
        yield [
            (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share)
            for (x0, y0), (x1, y1) in zip(starts, ends, strict=True)
        ]
