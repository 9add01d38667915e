"""Measurements of what a browser draws: frames shown, repeated or skipped, and the finger on the paper."""

import contextlib
import json
import pathlib
import shutil
import statistics
import time
import urllib.request

from server import ROOT, Server
from wireclient import Client

SAMPLE = ROOT / "Web" / "library" / "01-bedtime" / "01-the-night-ferry"
STOCKS = ("paper", "board")
IMPORT_SECONDS = 60
TURNED = 2  # leaves on the left, so that both stacks are seen
SHARE = 0.22  # of the stage's width from the spine, where the finger takes the paper
REACH = 0.55  # of the stage's width, the finger's way
SWING = 240  # ms for which the finger moves by a radian of its swing

# The page as it draws without bitmaps. Every visible page is a whole element, drawn with clips, shadows and gradients.
PLAIN = """import { app } from '../app.js'
import { basesOf } from '../bases.js'
import { StageElement } from '../element.js'
import { PART } from '../wire.js'
export class Motion {
  constructor() {
    // The page draws another frame when the image of a part is there, as it does for the whole element.
    const drawn = ({ content }) => app.stage.element(content.id)?.replace(content)
    const whole = (content, part) => Object.assign(new StageElement(content, drawn, () => {}), { part })
    const nothing = (content, part) => {
      const made = whole({ ...content, imageURL: '' }, part)
      made.root.replaceChildren()
      return made
    }
    app.stage.attach({
      part: (content, part) => (part === PART.shadow ? nothing : whole)(content, part),
      appeared() {}, ready() {},
      follow() {
        const bases = basesOf(app.stage)
        for (const { root } of app.stage.all) {
          root.classList.toggle('base', bases.some((one) => one?.root === root))
        }
        for (const base of bases) {
          if (base === null || base.isBound || base.root.querySelector('.board')) continue
          base.root.prepend(Object.assign(document.createElement('div'), { className: 'board' }))
        }
      },
    })
  }
  tick() {}
}
"""
PLAIN_STYLE = """
.moving .slot{transform-style:flat}
.board{display:none}
.moving .base>.board{display:block}
.page.right>.board{inset:-7px -8px -7px 0;background:linear-gradient(90deg,#0007,#0000 22%),var(--board);
  border-radius:0 calc(var(--r) + 1px) calc(var(--r) + 1px) 0;
  box-shadow:3px 4px 7px var(--contact),14px 20px 34px var(--cast),44px 64px 96px #0e121657}
.page.left>.board{inset:-7px 0 -7px -8px;background:linear-gradient(270deg,#0007,#0000 22%),var(--board);
  border-radius:calc(var(--r) + 1px) 0 0 calc(var(--r) + 1px);
  box-shadow:2px 4px 7px var(--contact),2px 20px 34px var(--cast)}
"""

# Whether the bitmaps of all visible pages are drawn.
DRESSED = """__lectern.isReady && document.querySelectorAll('#stage .worn').length > 0 &&
  __lectern.stage.all.every(({ content, written, root }) =>
    content.kind !== 2 || !written.visible || root.classList.contains('worn'))"""

# Swings the finger that is down, from inside the page: a driver outside could move it only some 36 times a second.
SWINGING = """((x, y, reach) => {
  const began = performance.now()
  window.finger = setInterval(() => {
    const way = (1 - Math.cos((performance.now() - began) / %d)) / 2
    document.getElementById('table').dispatchEvent(new PointerEvent('pointermove', {
      pointerId: window.pointer, clientX: x - reach * way, clientY: y, bubbles: true, cancelable: true,
    }))
  }, 4)
})""" % SWING
NOTE_POINTER = "addEventListener('pointerdown', (event) => { window.pointer = event.pointerId }, true)"
# Resolves with the time and the frame of each animation frame for some ms.
FRAMES = """((ms) => new Promise((done) => {
  const all = [], began = performance.now()
  const tick = (now) => {
    all.push([now, __lectern.frame])
    if (now - began < ms) requestAnimationFrame(tick)
    else done(all)
  }
  requestAnimationFrame(tick)
}))"""


class Shelf:
    """A server with one book in two stocks, and readers that have it open."""

    def __init__(self, folder, is_plain=False, sample=SAMPLE):
        self._is_plain = is_plain
        library = pathlib.Path(folder) / "library"
        if not library.exists():
            for stock in STOCKS:
                shutil.copytree(sample, library / "books" / stock)
                facts = {"title": stock, "author": "", "progression": "ltr", "stock": stock}
                (library / "books" / stock / "book.json").write_text(json.dumps(facts))
        arguments = ["--library", str(library)]
        if is_plain:
            arguments += ["--web", str(plain_page(pathlib.Path(folder) / "plain"))]
        self.server = Server(*arguments)
        until = time.monotonic() + IMPORT_SECONDS
        while len(self.books) < len(STOCKS) and time.monotonic() < until:
            time.sleep(0.1)

    @property
    def books(self):
        """The ids of the books by their titles."""
        with urllib.request.urlopen(f"{self.server.url}api/books", timeout=5) as answer:
            told = json.load(answer)
        return {one["title"]: one["id"] for one in told if "ready" in one.values()}

    def open(self, browser, size, stock, is_flat=False, ratio=1, before=""):
        """Returns a reader that has a book open; `before` are statements that run before the page's own."""
        with Client(self.server.url) as opener:
            opener.wait(lambda: opener.frame is not None, "in a room")
            # Another input would end the way to the book.
            with opener.settling("book"):
                opener.do("go", self.books[stock], 1, 2 * TURNED + 1)
            if is_flat:
                with opener.settling():
                    opener.do("lay", 1)
            secret = opener.reader
        reader = browser.reader(*size, ratio=ratio)
        reader.before(f"if (location.host) localStorage.setItem('lectern-reader', '{secret}')")
        reader.before(before)
        reader.open(self.server.url)
        reader.evaluate(NOTE_POINTER)
        # The bitmaps are drawn at rest, one after the other.
        reader.wait_for("__lectern.isReady" if self._is_plain else DRESSED)
        return reader

    def close(self):
        """Ends the server."""
        self.server.stop()


def plain_page(folder):
    """Copies the page to a folder, without the module that draws motion."""
    if not folder.exists():
        shutil.copytree(ROOT / "Web", folder, ignore=shutil.ignore_patterns("library"))
        (folder / "js" / "motion" / "motion.js").write_text(PLAIN)
        with (folder / "css" / "lectern.css").open("a") as style:
            style.write(PLAIN_STYLE)
    return folder


def stage_width(size):
    """Returns the width of the stage in a window, in CSS px."""
    return min(size[0], size[1] * 4 / 3)


@contextlib.contextmanager
def swinging(reader, size, height=0):
    """Holds a leaf with a finger that swings it to and fro without a pause.

    The height is that of the finger below the middle, as a fraction of the stage's width.
    """
    x, y = size[0] / 2 + SHARE * stage_width(size), size[1] / 2 + height * stage_width(size)
    reader.press([(x, y)])
    reader.move([(x - 20, y)], 5)
    reader.evaluate(f"{SWINGING}({x - 20}, {y}, {REACH * stage_width(size)})")
    reader.wait_for("!__lectern.settled")
    time.sleep(0.5)
    yield
    reader.evaluate("clearInterval(finger)")
    reader.lift()


def rate(frames):
    """Returns the animation frames a second."""
    return 1000 * (len(frames) - 1) / (frames[-1][0] - frames[0][0])


def uneven(frames):
    """Returns the shares of frames that were shown twice, and of those that were skipped, in percent."""
    pairs = list(zip(frames, frames[1:], strict=False))
    repeated = sum(new == old for (_, old), (_, new) in pairs)
    skipped = sum(max(0, new - old - 1) for (_, old), (_, new) in pairs)
    return 100 * repeated / len(pairs), 100 * skipped / len(pairs)


def drag_frames(reader, size, seconds, height=0):
    """Returns the animation frames while a leaf is dragged."""
    with swinging(reader, size, height):
        return reader.evaluate(f"{FRAMES}({1000 * seconds})")


# Where the paper is seen that the finger touched: the place of a point of the page, through the matrix of the part
# that shows it and the camera. The point is its share of the width from the spine and its height below the middle.
PAPER = """((page, [share, height]) => {
  const { stage } = __lectern
  const of = (page) => stage.all.filter(({ content }) => content.kind === 2 && content.index === page)
  const shows = ({ strip, written }) => {
    if (strip === null || !written.visible) return false
    const { index, apex } = strip
    const spread = apex === null ? 1 : (Math.abs(apex) + .5) / Math.abs(apex - height)
    return index === Math.min(9, Math.floor(10 * share * spread))
  }
  const seen = (element) => {
    const { id, width, height: high, side } = element.content
    const shown = element.written.visible ? element : stage.partsOf(id).find(shows)
    if (shown === undefined) return null
    const m = shown.written.matrix, x = (side === 1 ? 1 : -1) * share * width, y = height * high
    return (x * m[0] + y * m[4] + m[12]) / (x * m[3] + y * m[7] + m[15])
  }
  const at = [page, page + 1].flatMap(of).map(seen).find((x) => x !== null)
  return at === undefined ? null : innerWidth / 2 + stage.matrix[0] * at + stage.matrix[12]
})"""
# The point of the paper that is under a point of the window.
TOUCHED = """((page, x, y) => {
  const { stage } = __lectern
  const element = stage.all.find(({ content, written }) =>
    content.kind === 2 && content.index === page && written.visible)
  const m = element.written.matrix, zoom = stage.matrix[0]
  const [left, top] = [(x - innerWidth / 2 - stage.matrix[12]) / zoom, (y - innerHeight / 2 - stage.matrix[13]) / zoom]
  const across = (left * m[15] - m[12]) / (m[0] - left * m[3])
  const down = (top * (m[15] + across * m[3]) - m[13]) / m[5]
  return [Math.abs(across) / element.content.width, down / element.content.height]
})"""


def finger_errors(reader, size, places=(0.12, 0.0, -0.15), waits=0.4, height=0):
    """Drags the right page, and returns the distances of the finger from the touched paper at rest, in CSS px.

    The distances are along the way of the leaf: its points move on arcs, which a finger need not follow up and down.
    """
    page = 2 * TURNED + 2
    x, y = size[0] / 2 + SHARE * stage_width(size), size[1] / 2 + height * stage_width(size)
    touched = json.dumps(reader.evaluate(f"{TOUCHED}({page}, {x}, {y})"))
    reader.press([(x, y)])
    errors = []
    for place in places:
        finger = size[0] / 2 + place * stage_width(size)
        reader.move([(finger, y)], 12)
        time.sleep(waits)
        reader.wait_for(f"{PAPER}({page}, {touched}) !== null")
        paper = reader.evaluate(f"{PAPER}({page}, {touched})")
        errors.append(abs(paper - finger))
    reader.move([(x, y)], 12)
    reader.lift()
    reader.wait_for("__lectern.isReady")
    return errors


def medians(rows):
    """Returns the medians of the columns of some rows."""
    return [statistics.median(column) for column in zip(*rows, strict=True)]
