"""Measurements of an upright phone: how large it shows pages and covers, and how it keeps time with a laptop."""

import contextlib
import pathlib
import statistics
import tempfile
import time

from a4 import A4, SIZE, fit, text_server
from a4 import TITLE as TEXT
from controls import go, open_title
from figures.browsers import follow, pace_of, watch_act
from figures.drawing import NOTE_POINTER, swinging
from figures.reading import ACTS, Reading
from figures.screens import apart, apart_when_drawn
from figures.table import ms, note, row
from reader import READY
from test_phone import COVER, EDGES, PHONE, REST
from timing import percentile

TITLE = "The Night Ferry"
LAPTOP, UPRIGHT = (768, 432), (PHONE["width"], PHONE["height"])
# The heights of an x in Helvetica, Calibri and Times, as shares of the size.
X_SHARES = (0.523, 0.466, 0.448)
RUNS = 3
DRAG_SECONDS = 10
FLIGHTS = 8
ROLE = "__lectern.session.role?.role"
PRESENTER = 0


def figure_widths(server, browsers):
    """Measures the width of a page and of a cover, in percent of the phone's."""
    pages, covers = [], []
    for browser in browsers:
        with contextlib.closing(browser.reader(*UPRIGHT)) as reader:
            go(reader, server.url, TITLE, opens=False)
            reader.wait_for(f"{REST} && {COVER} > 0")
            covers.append(100 * reader.evaluate(COVER) / UPRIGHT[0])
            open_title(reader, server.url, TITLE)
            reader.wait_for(f"{REST} && Object.keys({EDGES}).length === 1")
            (left, right), = reader.evaluate(EDGES).values()
            pages.append(100 * (min(right, UPRIGHT[0]) - max(left, 0)) / UPRIGHT[0])
    size = f"{UPRIGHT[0]} x {UPRIGHT[1]}: Chromium / Firefox"
    row(f"width of the page on a phone, {size}", "100 %", told(pages))
    row(f"width of the cover on a phone's shelf, {size}", ">= 60 %", told(covers))


def figure_letters(browsers):
    """Measures how large a phone shows letters of eleven points when it is fitted to the words of a page."""
    heights = []
    with tempfile.TemporaryDirectory() as folder, text_server(pathlib.Path(folder)) as server:
        for browser in browsers:
            with contextlib.closing(browser.reader(*UPRIGHT)) as reader:
                open_title(reader, server.url, TEXT)
                fit(reader, "Width of the text")
                width = reader.evaluate("__lectern.stage.spread[0].root.getBoundingClientRect().width")
                heights += [SIZE * width / A4[0] * share for share in X_SHARES]
    row(
        f"x-height of A4 text of {SIZE} pt on a phone, fitted to the words: Helvetica / Calibri / Times,"
        " in Chromium, and then in Firefox", ">= 4.4 px", " / ".join(f"{height:.2f}" for height in heights),
    )


def told(shares):
    """Returns shares of both browsers, as text."""
    return " / ".join(f"{share:.1f} %" for share in shares)


def drag(laptop):
    """Swings a leaf on the laptop; returns when it began and ended, on this machine's clock."""
    with swinging(laptop, LAPTOP):
        began = time.monotonic()
        time.sleep(DRAG_SECONDS)
        ended = time.monotonic()
    laptop.wait_for("__lectern.isReady")
    return began, ended


def fly(laptop):
    """Turns leaves on the laptop by keys; returns when it began and ended."""
    began = time.monotonic()
    for turn in range(FLIGHTS):
        with laptop.settling("book"):
            laptop.evaluate(f"void __lectern.app.press('{'ArrowRight' if turn % 4 < 2 else 'ArrowLeft'}')")
        laptop.wait_for("__lectern.isReady")
    return began, time.monotonic()


# What is done where: by a member that is no browser, while both browsers follow, or on the laptop.
FOLLOWED = ACTS
LED = {"drags": drag, "flights": fly}


def figure_beside(server, laptops, phones):
    """Measures how far apart in time a phone and a laptop are: both follow, or the laptop presents."""
    found = {(act, leads): [] for act in ACTS for leads in (False, True)}
    for _ in range(RUNS):
        reading = Reading(server)
        laptop, phone = (follow(browser, reading, size) for browser, size in ((laptops, LAPTOP), (phones, UPRIGHT)))
        laptop.evaluate(NOTE_POINTER)
        reading.presenter.do("lay", 1)
        # Turns both ways, so that the images have loaded.
        reading.fly(4)
        for act, does in FOLLOWED.items():
            found[act, False].append(distances(reading, laptop, phone, does))
        fly(laptop)
        phone.wait_for(f"{READY} && {ROLE} !== {PRESENTER}")
        assert laptop.evaluate(ROLE) == PRESENTER
        for act, does in LED.items():
            found[act, True].append(distances(reading, laptop, phone, lambda _, does=does: does(laptop), True))
        for one in (phone, laptop, reading):
            one.close()
    for (act, leads), runs in found.items():
        who = "that presents, less the room's delay" if leads else "that follows"
        middle = [statistics.median(column) for column in zip(*runs, strict=True)]
        row(
            f"phone that follows beside a laptop {who}: time between their frames, p95, {act}", "<= 17 ms",
            f"{ms(middle[0])} (median of {RUNS}; whenever both had just drawn {ms(middle[1])}; delay {ms(middle[2])})",
        )


def distances(reading, laptop, phone, does, leads=False):
    """Returns the distances of two screens during an act, p95: always, and when both had just drawn; and the delay.

    A presenter sees frames without the room's delay, which is taken from what the phone shows.
    """
    noted, (ours, theirs), starts, ends, delay = watch_act(reading, (laptop, phone), does)
    for reader, one in zip((laptop, phone), noted, strict=True):
        note(f"{reader.name} {pace_of(one)}")
    if leads:
        theirs = [(at - reading.presenter.delay.at(at), *rest) for at, *rest in theirs]
        ends = min(ends - delay, ours[-1][0], theirs[-1][0])
    always = percentile(apart(ours, theirs, starts, ends), 0.95)
    drawn = percentile(apart_when_drawn(ours, theirs), 0.95)
    note(f"{'led' if leads else 'followed'}: {ms(always)}, when drawn {ms(drawn)}, delay {ms(delay)}")
    return always, drawn, delay
