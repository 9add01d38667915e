"""Prints the measurements of reading together.

Usage: Scripts/python Tests/Browser/bench_together.py [headless|browsers]

A client without a browser presents and sends the position of a finger sixty times a second. What other
clients show is computed afterwards from the arrival of frames, with the page's rule and its clock; a
browser records what it shows in each animation frame. All run on this machine and use its clock.
"""

import contextlib
import pathlib
import sys
import tempfile
import time
import urllib.request

from chromium import Chromium
from figures.browsers import figure_apart_browsers, figure_even, figure_presenter
from figures.headless import figure_apart_headless, figure_join, figure_narrow, figure_stalled
from firefox import Firefox
from fixtures import make_library
from server import Server
from shaped import has_netem

IMPORT_SECONDS = 60


@contextlib.contextmanager
def plain_library():
    """Starts a server with two books that are quick to draw."""
    with tempfile.TemporaryDirectory(prefix="lectern-bench-") as folder:
        server = Server("--library", str(make_library(pathlib.Path(folder) / "library")))
        try:
            until = time.monotonic() + IMPORT_SECONDS
            while ready_books(server) < 2 and time.monotonic() < until:
                time.sleep(0.1)
            yield server
        finally:
            server.stop()


def ready_books(server):
    """Returns the number of books that can be read."""
    with urllib.request.urlopen(f"{server.url}api/books", timeout=5) as answer:
        return answer.read().count(b'"ready"')


def main():
    """Measures, and prints a line for each measurement."""
    asked = sys.argv[1] if len(sys.argv) > 1 else "all"
    sys.setswitchinterval(0.0005)
    kernel = "this kernel has netem too" if has_netem() else "this kernel has no netem"
    print(f"Lines are shaped by Tests/Browser/shaped.py; {kernel}.\n", file=sys.stderr)
    server = Server()
    headless = [figure_apart_headless, figure_join, figure_narrow, figure_stalled]
    try:
        if asked in ("all", "headless"):
            for figure in headless:
                figure(server)
        if asked in ("all", "browsers"):
            chromium, firefox = Chromium(), Firefox()
            try:
                with plain_library() as plain:
                    figure_apart_browsers(plain, chromium, firefox)
                    figure_presenter(plain, chromium)
                    figure_even(plain, chromium)
            finally:
                chromium.close()
                firefox.close()
    finally:
        server.stop()


if __name__ == "__main__":
    main()
