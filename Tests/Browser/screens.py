"""A window whose screens are inspected in many sizes, and a library whose names are long."""

import contextlib
import json
import shutil
import time
import urllib.request

from fixtures import comic, pdf
from inspectors import contrast, layout, violations
from server import ROOT, Server
from test_faults import LOCKED

IMPORT_SECONDS = 60
# The windows by name: width and height in CSS px, and device pixels to a CSS px. In each, the page is shown at another
# scale than in the one before.
WINDOWS = {
    "embed": (320, 256, 1),
    "small phone": (360, 740, 3),
    "phone": (390, 844, 3),
    "phone on its side": (844, 390, 3),
    "tablet": (820, 1180, 2),
    "laptop at 200 %": (683, 384, 2),
    "laptop": (1366, 768, 1),
    "wall": (2560, 1440, 1),
}
# The window in which screens are reached.
FIRST = "laptop"
# Ends all transitions and animations of style sheets at once.
CALM = """(() => {
  const calm = new CSSStyleSheet()
  calm.replaceSync('*, ::before, ::after { transition-duration: 0s !important; animation-duration: 1ms !important }')
  document.adoptedStyleSheets = [calm]
})()"""
# The page has been resized, and everything rests; the page is kept awake meanwhile. A coarse browser rounds odd sizes.
RESTS = """(%s, dispatchEvent(new PointerEvent('pointermove')), Math.abs(innerWidth - %d) < 2 && innerHeight === %d &&
  (!!document.getElementById('state') || (__lectern.stage.matrix !== window.__before && __lectern.isReady)) &&
  document.getAnimations().every(({ playState }) => playState !== 'running'))"""

LONG_TITLE = "The Complete and Unabridged Correspondence of the Two Geese"
LONG_SHELF = "Correspondence and Other Remains"
TITLE, TORN, SHUT = "Ferns of Wet Places", "Torn map", "Locked diary"

# Makes each word of a text 40 % longer, as other languages need.
LONGER = r"""
const longer = (value) => {
  if (typeof value === 'string') {
    return value.replace(/\p{L}{2,}/gu, (word) => word + word.at(-1).repeat(.4 * word.length + .5))
  }
  if (typeof value === 'function') return (...values) => longer(value(...values))
  // A list is a sentence with names.
  if (Array.isArray(value)) return value.map((part) => (typeof part === 'string' ? longer(part) : part))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, longer(one)]))
}
for (const [key, value] of Object.entries(WORDS)) {
  WORDS[key] = longer(value)
}
"""


def changed_page(folder):
    """Copies the page, with longer texts and from right to left; returns the folder of the copy."""
    web = folder / "Web"
    shutil.copytree(ROOT / "Web", web, ignore=shutil.ignore_patterns("library"))
    for table in (web / "js" / "words").glob("*.js"):
        table.write_text(table.read_text() + LONGER)
    index = web / "index.html"
    index.write_text(index.read_text().replace("<html", '<html dir="rtl"'))
    return web


def make_library(folder):
    """Writes the library: two collections, with long names, a damaged book and one with a password."""
    shelf = folder / "Wet places"
    shelf.mkdir(parents=True)
    (shelf / f"{TITLE}.pdf").write_bytes(pdf())
    comic(shelf / f"{LONG_TITLE}.cbz")
    (shelf / f"{TORN}.pdf").write_bytes(b"%PDF-1.4\nnothing of this is a PDF")
    (shelf / f"{SHUT}.pdf").write_bytes(LOCKED)
    other = folder / LONG_SHELF
    other.mkdir()
    comic(other / "Rounds.cbz", pages=9, note="other")
    return folder


@contextlib.contextmanager
def serving(folder, is_changed=False):
    """Runs a server with that library, and with the changed page if it is wanted."""
    web = ("--web", changed_page(folder)) if is_changed else ()
    server = Server("--library", make_library(folder / "library"), "--data", folder / "data", *web)
    try:
        until = time.monotonic() + IMPORT_SECONDS
        while states(server) != ["failed", "locked", "ready", "ready", "ready"]:
            assert time.monotonic() < until, (states(server), server.output)
            time.sleep(0.1)
        yield server
    finally:
        assert server.stop() == 0, server.output


def states(server):
    """Returns the states of all books."""
    with urllib.request.urlopen(f"{server.url}api/books", timeout=5) as answer:
        return sorted(book["state"] for book in json.load(answer))


class Screens:
    """Shows the screens of one window to the inspectors, and keeps what they find.

    The layout is inspected in each size of the window, and the rest in that in which screens are reached.
    """

    def __init__(self, reader, windows=WINDOWS):
        self.reader = reader
        self.windows = windows
        self.faults = []
        reader.resize(*WINDOWS[FIRST])

    def look(self, screen, hold="null"):
        """Looks at a screen in each size; `hold` is an expression that keeps it as it is."""
        self.reader.evaluate(CALM)
        for name in (FIRST, *(one for one in self.windows if one != FIRST)):
            self.resize(name, hold)
            self.found(screen, name, hold)
        self.resize(FIRST, hold)

    def resize(self, name, hold="null"):
        """Resizes the window, and waits until the page rests."""
        width, height, ratio = WINDOWS[name]
        reader = self.reader
        if reader.evaluate(f"Math.abs(innerWidth - {width}) > 1 || innerHeight !== {height}"):
            reader.evaluate("void (window.__before = window.__lectern?.stage.matrix)")
            reader.resize(width, height, ratio)
        reader.wait_for(RESTS % (hold, width, height))

    def found(self, screen, name, hold="null"):
        """Keeps the faults of the screen as it is."""
        for inspect in (layout, violations, contrast) if name == FIRST else (layout,):
            self.reader.evaluate(f"void ({hold})")
            self.faults += [f"{screen}, {name}: {fault}" for fault in inspect(self.reader, name)]
