"""The README's pictures of screens at rest: a phone, slides, a book from right to left, night, the reading view."""

import contextlib
import json
import pathlib
import time
import urllib.request

from PIL import Image

from bookserver import IMPORT_SECONDS, ready_books
from controls import click, go, open_title, reach
from figures.deck import write_deck
from lights import stored
from server import Server

WINDOW = (1024, 768)
# As wide as most projectors and laptops.
WIDE = (1366, 768)
PHONE = (390, 844)
GAP = 8
SLATE = "#242c33"
QUALITY = 92
FERRY, FERNS, MOON = "The Night Ferry", "Ferns of Wet Places", "ירח"
DECK = "Reading the Tide"
REST = "__lectern.isReady"
# All images are there, also those of the open pages, and nothing fades in or out.
STILL = """document.fonts.status === 'loaded' && __lectern.view.stage.spread.every((page) => page.isPrinted) &&
  [...document.querySelectorAll('img')].every((image) => image.complete) &&
  document.getAnimations().every(({ playState }) => playState !== 'running')"""


def save(image, path):
    """Writes a picture, at most as wide as the window of the other ones."""
    if image.width > WINDOW[0]:
        image = image.resize((WINDOW[0], round(image.height * WINDOW[0] / image.width)), Image.Resampling.LANCZOS)
    image.save(path, quality=QUALITY, method=6)


def taken(reader, folder):
    """Returns the window as a picture."""
    path = pathlib.Path(folder) / "album.png"
    reader.wait_for(f"{REST} && {STILL}")
    # A larger image replaces the first one of a page a moment later.
    time.sleep(1)
    reader.wait_for(STILL)
    reader.screenshot(path)
    with Image.open(path) as image:
        return image.convert("RGB")


def lay_flat(reader):
    """Lays the open book flat."""
    reader.wait_for(REST)
    if not reader.evaluate("__lectern.caption.isFlat"):
        with reader.settling("book"):
            reader.key("f")
    reader.wait_for(REST)


def at_page(reader, server, title, page, is_flat=True):
    """Opens a book at a page of its file, from 0, with its controls."""
    open_title(reader, server.url, title, page)
    if is_flat:
        lay_flat(reader)
    reach(reader, "#bookbar [aria-label=Contents]")


@contextlib.contextmanager
def opened(chromium, size, light="day"):
    """Opens a window in a light, which must have no errors."""
    reader = chromium.reader(*size)
    try:
        if light != "day":
            reader.before(stored(light=light))
        yield reader
        assert reader.errors == [], reader.errors
    finally:
        reader.close()


def phone(chromium, server, folder):
    """Three views of a phone side by side: the shelf, a page, and the reading view."""
    def shelf(reader):
        go(reader, server.url, FERRY, opens=False)
        reader.wait_for("document.getElementById('open')?.checkVisibility()")

    def page(reader):
        at_page(reader, server, FERRY, 8)

    def words(reader):
        at_page(reader, server, FERNS, 3)
        open_reading(reader)

    views = (shelf, page, words)
    strip = Image.new("RGB", (len(views) * (PHONE[0] + GAP) - GAP, PHONE[1]), SLATE)
    for place, view in enumerate(views):
        with opened(chromium, PHONE) as reader:
            view(reader)
            strip.paste(taken(reader, folder), (place * (PHONE[0] + GAP), 0))
    return strip


def open_reading(reader):
    """Opens the reading view."""
    click(reader, "#bookbar [aria-label='Reading view']")
    reader.wait_for("document.querySelector('dialog.reader .flow p')")


def slides(chromium, folder):
    """A slide across both pages."""
    shelf = pathlib.Path(folder) / "slides" / "Slides"
    shelf.mkdir(parents=True)
    write_deck(chromium, shelf / f"{DECK}.pdf")
    server = Server("--library", str(shelf.parent))
    try:
        until = time.monotonic() + IMPORT_SECONDS
        while ready_books(server) < 1 and time.monotonic() < until:
            time.sleep(0.1)
        title = first_title(server)
        with opened(chromium, WIDE) as reader:
            at_page(reader, server, title, 1)
            return taken(reader, folder)
    finally:
        server.stop()


def first_title(server):
    """Returns the title of the library's first book."""
    with urllib.request.urlopen(f"{server.url}api/books", timeout=5) as answer:
        return json.load(answer)[0]["title"]


def from_right_to_left(chromium, server, folder):
    """A book that is read from right to left."""
    with opened(chromium, WINDOW) as reader:
        at_page(reader, server, MOON, 6, is_flat=False)
        return taken(reader, folder)


def night(chromium, server, folder):
    """A flat book at night."""
    with opened(chromium, WINDOW, "night") as reader:
        at_page(reader, server, FERNS, 14)
        return taken(reader, folder)


def reading(chromium, server, folder):
    """The reading view."""
    with opened(chromium, WINDOW) as reader:
        at_page(reader, server, FERNS, 3)
        open_reading(reader)
        return taken(reader, folder)


def album(chromium, folder, target):
    """Takes all pictures."""
    server = Server()
    try:
        for name, take in (("phone", phone), ("right-to-left", from_right_to_left), ("night", night),
                           ("reading", reading)):
            save(take(chromium, server, folder), target / f"{name}.webp")
        save(slides(chromium, folder), target / "slides.webp")
    finally:
        server.stop()
