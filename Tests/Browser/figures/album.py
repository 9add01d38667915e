"""The README's pictures of screens at rest, such as a phone, a wall of covers, night and the reading view."""

import contextlib
import pathlib
import time

from PIL import Image

from bookserver import IMPORT_SECONDS, listed, ready_books
from controls import click, go, open_title, reach
from figures.covers import write_shelf
from figures.deck import write_deck
from lights import stored
from server import Server
from wireclient import Client

WINDOW = (1024, 768)
# As wide as most projectors and laptops.
WIDE = (1366, 768)
PHONE = (390, 844)
GAP = 8
SLATE = "#242c33"
QUALITY = 92
FERRY, FERNS, MOON, ATLAS = "The Night Ferry", "Ferns of Wet Places", "ירח", "An Atlas of Small Islands"
# Where somebody points, in the window of a client: on the right page.
POINTED = (700, 330)
DECK = "Reading the Tide"
REST = "__lectern.isReady"
# All images are there, also those of the open pages, and nothing fades in or out.
STILL = """document.fonts.status === 'loaded' && __lectern.stage.spread.every((page) => page.isPrinted) &&
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
    pictures = []
    for view in views:
        with opened(chromium, PHONE) as reader:
            view(reader)
            pictures.append(taken(reader, folder))
    return side_by_side(pictures)


def side_by_side(pictures):
    """Returns pictures of phones beside each other."""
    strip = Image.new("RGB", (len(pictures) * (PHONE[0] + GAP) - GAP, PHONE[1]), SLATE)
    for place, picture in enumerate(pictures):
        strip.paste(picture, (place * (PHONE[0] + GAP), 0))
    return strip


def pointed(chromium, server, folder):
    """A phone on which somebody points: at the page that it does not show, and at that page once it is followed."""
    pictures = []
    with Client(server.url, name="Maren", still=True) as maren, opened(chromium, PHONE) as reader:
        with maren.settling("book"):
            maren.do("go", book_of(server, ATLAS), 1, 12)
        maren.do("share")
        maren.wait(lambda: maren.links, "shared")
        reader.open(f"{server.url}r/{maren.welcome.room}#{maren.links.follow}")
        maren.do("point", *POINTED)
        reader.wait_for("document.querySelector('.beckon')")
        reach(reader, "#bookbar [aria-label=Contents]")
        pictures.append(taken(reader, folder))
        click(reader, ".beckon")
        reader.wait_for("document.querySelector('#hands .light.dotted:not(.gone)')")
        reader.wait_for("!document.querySelector('.beckon')")
        maren.do("point", *POINTED)
        reach(reader, "#bookbar [aria-label=Contents]")
        pictures.append(taken(reader, folder))
    return side_by_side(pictures)


def wall(chromium, folder):
    """The covers of a shelf."""
    library = pathlib.Path(folder) / "wall"
    count = write_shelf(chromium, library / "Long evenings")
    server = Server("--library", str(library))
    try:
        until = time.monotonic() + IMPORT_SECONDS
        while ready_books(server) < count and time.monotonic() < until:
            time.sleep(0.1)
        with opened(chromium, WIDE) as reader:
            reader.open(server.url)
            for key in ("Enter", "-"):
                with reader.settling("shelf"):
                    reader.evaluate(f"void __lectern.app.press('{key}')")
                reader.wait_for(REST)
            return taken(reader, folder)
    finally:
        server.stop()


def continued(chromium, server, folder):
    """The first screen, with the book that was read last."""
    with opened(chromium, WIDE) as reader:
        open_title(reader, server.url, FERRY, 8)
        for screen in ("shelf", "collections"):
            with reader.settling(screen):
                reader.evaluate("void __lectern.app.press('Escape')")
        reader.wait_for("document.querySelector('#continue:not([hidden]) .open .page.right img')")
        return taken(reader, folder)


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
        title = listed(server)[0]["title"]
        with opened(chromium, WIDE) as reader:
            at_page(reader, server, title, 1)
            return taken(reader, folder)
    finally:
        server.stop()


def book_of(server, title):
    """Returns the id of the book with a title."""
    return next(book["id"] for book in listed(server) if book["title"] == title)


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
                           ("reading", reading), ("pointed", pointed), ("continue", continued)):
            save(take(chromium, server, folder), target / f"{name}.webp")
        save(slides(chromium, folder), target / "slides.webp")
        save(wall(chromium, folder), target / "wall.webp")
    finally:
        server.stop()
