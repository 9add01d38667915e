"""Prints the measurements of a page that turns, in Chromium and Firefox without a graphics card.

Usage: Scripts/python Tests/Browser/bench_paper.py [rates|shelf|even|finger|seams|apart]...
"""

import contextlib
import sys
import tempfile

from chromium import Chromium
from figures.browsers import figure_apart_browsers
from figures.drawing import Shelf, drag_frames, finger_errors, medians, rate, uneven
from figures.seams import POSES, SLANTED, leaks
from figures.shelves import carousel_frames, opening_frames
from figures.table import note, row
from firefox import Firefox

ROUNDS = 3
SECONDS = 4
EVEN_SECONDS = 10
SIZES = {(1024, 768): (60, 58), (1366, 768): (60, 50), (2560, 1440): (40, 30)}
SMALL = (1024, 768)
CORNER = 0.22  # below the middle, as a fraction of the stage's width: the lower corner leads


def figure_rates(shelf, plain, browsers):
    """Measures the frames a second of a drag: drawn plainly, with a rigid leaf, and with a bent one."""
    for size, asked in SIZES.items():
        variants = {"rigid": (shelf, "board", 0), "bent": (shelf, "paper", 0)}
        if size == SMALL:
            variants = {"without bitmaps": (plain, "board", 0), **variants}
            variants["bent from a corner"] = (shelf, "paper", CORNER)
        found = {(name, browser.name): [] for name in variants for browser in browsers}
        for _ in range(ROUNDS):
            for name, (server, stock, height) in variants.items():
                for browser in browsers:
                    with contextlib.closing(server.open(browser.program, size, stock)) as reader:
                        frames = drag_frames(reader, size, SECONDS, height)
                        found[name, browser.name].append((rate(frames), *uneven(frames)))
        for name in variants:
            wanted = [rate - 2 * name.startswith("bent") for rate in asked]
            told = [medians(found[name, browser.name])[0] for browser in browsers]
            row(
                f"frames a second of a drag, {size[0]} x {size[1]}, {name}: Chromium / Firefox",
                "baseline" if "without" in name else " / ".join(map(str, wanted)),
                " / ".join(f"{value:.1f}" for value in told),
            )


def figure_shelf(shelf, browsers):
    """Measures the frames a second while a book opens and closes, and while the carousel moves."""
    for name, measure in (("opening and closing", opening_frames), ("carousel", carousel_frames)):
        told = []
        for browser in browsers:
            rates = []
            for _ in range(ROUNDS):
                with contextlib.closing(shelf.open(browser.program, SMALL, "paper")) as reader:
                    rates.append((rate(measure(reader, SMALL)),))
            told.append(medians(rates)[0])
        row(
            f"frames a second, {name}, {SMALL[0]} x {SMALL[1]}: Chromium / Firefox", "60 / 55",
            " / ".join(f"{value:.1f}" for value in told),
        )


def figure_even(shelf, browsers):
    """Measures the repeated and skipped frames of a long drag."""
    for browser, asked in zip(browsers, ("<= 1 %", "<= 3 %"), strict=True):
        rows = []
        for _ in range(ROUNDS):
            with contextlib.closing(shelf.open(browser.program, SMALL, "paper")) as reader:
                rows.append(uneven(drag_frames(reader, SMALL, EVEN_SECONDS)))
        repeated, skipped = medians(rows)
        both = medians([(sum(one),) for one in rows])[0]
        row(
            f"repeated or skipped frames over a {EVEN_SECONDS} s drag, {browser.name}", asked,
            f"{both:.2f} % (repeated {repeated:.2f}, skipped {skipped:.2f}; {ROUNDS} runs)",
        )


def figure_finger(shelf, browsers):
    """Measures the distance from the finger to the paper that it touched."""
    worst = 0
    for browser in browsers:
        for stock in ("paper", "board"):
            for is_flat in (False, True):
                for size in (SMALL, (700, 500)):
                    with contextlib.closing(
                        shelf.open(browser.program, size, stock, is_flat)
                    ) as reader:
                        for height in (0, CORNER):
                            errors = finger_errors(reader, size, height=height)
                            worst = max(worst, *errors)
                            note(f"{browser.name} {stock} flat={is_flat} {size} {height}: {errors}")
    row(
        "finger to the touched paper, middle and corner, both poses, both stocks, two windows", "<= 1.5 px",
        f"{worst:.2f} px (worst)",
    )


def figure_seams(browsers, url):
    """Counts what shines through between the strips of a bent leaf."""
    for browser in browsers:
        found = leaks(browser.program, url, poses=POSES + SLANTED)
        worst = sum(one.pixels for one in found)
        row(
            f"backdrop pixels through seams, {browser.name}, {len(found)} poses and ratios", "0",
            f"{worst} of {sum(one.inspected for one in found)}",
        )


class Browser:
    """A browser with its name."""

    def __init__(self, name, program):
        self.name, self.program = name, program


def main():
    """Measures, and prints a line for each measurement."""
    asked = set(sys.argv[1:]) or {"rates", "shelf", "even", "finger", "seams", "apart"}
    with tempfile.TemporaryDirectory(prefix="lectern-bench-") as folder:
        browsers = [Browser("Chromium", Chromium()), Browser("Firefox", Firefox())]
        shelf, plain = Shelf(folder), Shelf(folder, is_plain=True)
        try:
            if "rates" in asked:
                figure_rates(shelf, plain, browsers)
            if "shelf" in asked:
                figure_shelf(shelf, browsers)
            if "even" in asked:
                figure_even(shelf, browsers)
            if "finger" in asked:
                figure_finger(shelf, browsers)
            if "seams" in asked:
                figure_seams(browsers, shelf.server.url)
            if "apart" in asked:
                figure_apart_browsers(shelf.server, *(browser.program for browser in browsers))
        finally:
            for one in (*[browser.program for browser in browsers],):
                one.close()
            shelf.close()
            plain.close()


if __name__ == "__main__":
    main()
