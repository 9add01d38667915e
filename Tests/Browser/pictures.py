"""Takes pictures of the README: a bent leaf, an opening board, three film strips, and screens at rest.

Usage: Scripts/python Tests/Browser/pictures.py [FOLDER [films|album]]      (default: .pictures, all of them)

Each picture of a motion is taken while a finger or a pinch holds it, so that it does not depend on the machine.
"""

import pathlib
import sys
import tempfile
import time

from PIL import Image

from chromium import Chromium
from figures.album import album
from figures.drawing import SHARE, Shelf, stage_width
from reader import CENTRE
from server import ROOT
from steps import CLOSE

SIZE = (1024, 768)
COLUMNS, SHRUNK = 4, (360, 270)
GAP = 4
SLATE = "#242c33"


class Strip:
    """A film strip: pictures of one motion, in rows."""

    def __init__(self, reader, folder):
        self._reader, self._path = reader, pathlib.Path(folder) / "frame.png"
        self._pictures = []

    def take(self):
        """Adds a picture."""
        # The bitmaps of pages that appear for the first time are drawn in the next frames.
        time.sleep(0.4)
        self._reader.screenshot(self._path)
        with Image.open(self._path) as image:
            self._pictures.append(image.convert("RGB"))

    @property
    def last(self):
        """The last picture, in full size."""
        return self._pictures[-1]

    def save(self, path):
        """Writes the strip."""
        rows = -(-len(self._pictures) // COLUMNS)
        step = [side + GAP for side in SHRUNK]
        strip = Image.new("RGB", (COLUMNS * step[0] - GAP, rows * step[1] - GAP), SLATE)
        for place, picture in enumerate(self._pictures):
            small = picture.resize(SHRUNK, Image.Resampling.LANCZOS)
            strip.paste(small, (place % COLUMNS * step[0], place // COLUMNS * step[1]))
        strip.save(path, optimize=True)


def turn(reader, strip):
    """Turns a leaf with a finger, and returns the picture in the middle."""
    x, y = SIZE[0] / 2 + 1.15 * SHARE * stage_width(SIZE), 0.74 * SIZE[1]
    middle = None
    strip.take()
    reader.press([(x, y)])
    for place in (0.2, 0.13, 0.05, -0.03, -0.1, -0.17):
        reader.move([(SIZE[0] / 2 + place * stage_width(SIZE), y)], 12)
        strip.take()
        middle = strip.last if place == 0.13 else middle
    with reader.settling("book"):
        reader.lift()
    reader.wait_for("__lectern.isReady")
    strip.take()
    return middle


def caught_turn(reader, strip):
    """Catches a leaf in flight, draws it back, and lets it turn after all."""
    strip.take()
    reader.evaluate("__lectern.app.press('ArrowRight')")
    reader.wait_for("!__lectern.settled")
    x, y = SIZE[0] / 2 + 120, 0.55 * SIZE[1]
    reader.press([(x, y)])
    strip.take()
    for move in (90, 150, 40, -120):
        reader.move([(x + move, y)], 12)
        strip.take()
    reader.move([(x - 260, y)], 8)
    strip.take()
    with reader.settling("book"):
        reader.lift()
    reader.wait_for("__lectern.isReady")
    strip.take()


def opening(reader, strip):
    """Opens a book with two fingers, and returns the picture in which its board stands."""
    strip.take()
    board = None
    far = CLOSE
    reader.press([(CENTRE[0] - far, CENTRE[1]), (CENTRE[0] + far, CENTRE[1])], touch=True)
    for share in (0.08, 0.25, 0.42, 0.6, 0.8, 1):
        far = CLOSE * (1 + 5 * share)
        reader.move([(CENTRE[0] - far, CENTRE[1]), (CENTRE[0] + far, CENTRE[1])], 12)
        strip.take()
        board = strip.last if share == 0.42 else board
    reader.lift()
    reader.wait_for("__lectern.isReady")
    strip.take()
    return board


def films(chromium, folder, target):
    """Takes the pictures of motions."""
    shelf = Shelf(folder)
    try:
        reader = shelf.open(chromium, SIZE, "paper")
        strip = Strip(reader, folder)
        turn(reader, strip).save(target / "bend.png", optimize=True)
        strip.save(target / "turn-film.png")
        strip = Strip(reader, folder)
        caught_turn(reader, strip)
        strip.save(target / "caught-film.png")
        with reader.settling("shelf"):
            reader.key("Escape")
        reader.wait_for("__lectern.isReady")
        time.sleep(1)
        strip = Strip(reader, folder)
        opening(reader, strip).save(target / "opening.png", optimize=True)
        strip.save(target / "opening-film.png")
        assert reader.errors == [], reader.errors
    finally:
        shelf.close()


def main():
    """Takes the pictures."""
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".pictures"
    asked = sys.argv[2:] or ["films", "album"]
    target.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="lectern-pictures-") as folder:
        chromium = Chromium()
        try:
            if "films" in asked:
                films(chromium, folder, target)
            if "album" in asked:
                album(chromium, folder, target)
        finally:
            chromium.close()


if __name__ == "__main__":
    main()
