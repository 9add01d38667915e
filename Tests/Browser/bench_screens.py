"""Prints the measurements of screens: phones, reduced motion, a lost network, and the words on pages.

Usage: Scripts/python Tests/Browser/bench_screens.py [widths|letters|beside|still|offline|text]...

The browsers draw a quarter of the pixels, so that software rendering keeps up with two windows at once.
"""

import sys

from bench_together import plain_library
from chromium import Chromium
from figures.members import figure_offline, figure_still, figure_text
from figures.phones import figure_beside, figure_letters, figure_widths
from firefox import Firefox
from server import Server

# A coarse Firefox would also draw only 20 frames a second.
HALF = {"layout.css.devPixelsPerPx": "0.5"}
FIGURES = ("widths", "letters", "beside", "still", "offline", "text")


def main():
    """Measures, and prints a line for each measurement."""
    asked = sys.argv[1:] or FIGURES
    sys.setswitchinterval(0.0005)
    server, chromium, firefox = Server(), Chromium(is_coarse=True), Firefox(HALF)
    browsers = (chromium, firefox)
    try:
        if "widths" in asked:
            figure_widths(server, browsers)
        if "letters" in asked:
            figure_letters(browsers)
        if "beside" in asked:
            with plain_library() as plain:
                figure_beside(plain, firefox, chromium)
        if "still" in asked:
            figure_still(server, chromium, firefox)
        if "offline" in asked:
            figure_offline(server, browsers)
        if "text" in asked:
            figure_text(server, browsers)
    finally:
        chromium.close()
        firefox.close()
        server.stop()


if __name__ == "__main__":
    main()
