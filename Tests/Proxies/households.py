"""A server with many books and the rooms in which they are read, which ends and is started again."""

import asyncio
import gc
import json
import signal
import time
import urllib.request

from guests import Guest, until
from server import Server

from wireclient import Client

BOOKS, SHELVES = 10_000, 100
ROOMS, READERS = 10, 20
# The books that are read have more pages than the others.
PAGES, FIRST_PAGE, LATER = 24, 4, 2
PAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="362" height="568"><desc>{}</desc></svg>'
IMPORT_SECONDS = 600
# What has just changed may not be stored yet, and connections count as steady after some time.
STILL_SECONDS = 6


def make_books(folder):
    """Writes books that are quick to read, each with other pages than the others."""
    for number in range(BOOKS):
        book = folder / f"Shelf {number % SHELVES:02}" / f"Book {number:05}"
        book.mkdir(parents=True)
        for page in range(PAGES if number < ROOMS else 1):
            (book / f"{page:02}.svg").write_text(PAGE.format(f"{number} {page}"))


class Household:
    """Rooms of equally many readers, each with its own open book, at a server with a large library.

    Use it in a `with` statement, which ends the server.
    """

    books, members = BOOKS, ROOMS * READERS

    def __init__(self, folder):
        make_books(folder / "library")
        (folder / "data").mkdir(mode=0o700)
        self._options = ("--data", folder / "data", "--library", folder / "library")
        self._server = Server(*self._options)
        self._await_books()
        self._rooms = [self._opened(number) for number in range(ROOMS)]

    def _await_books(self):
        """Waits until all books are imported."""
        end = time.monotonic() + IMPORT_SECONDS
        while True:
            with urllib.request.urlopen(f"{self._server.admin_url}healthz", timeout=30) as answer:
                health = json.loads(answer.read())["library"]
            if health["books"] == BOOKS and health["waiting"] == 0:
                return
            assert time.monotonic() < end, health
            time.sleep(0.5)

    def _opened(self, number):
        """Opens a book in a new room, and shares it; returns the room's name, its key and its owner."""
        with urllib.request.urlopen(f"{self._server.url}api/books", timeout=30) as answer:
            title = f"Book {number:05}"
            book = next(one["id"] for one in json.loads(answer.read()) if one["title"] == title)
        page = FIRST_PAGE + LATER * (number % 8)
        with Client(self._server.url, still=True) as host:
            host.do("go", book, 1, page)
            host.wait(lambda: host.caption.book == book and host.frame.screen == "book", "in the book")
            host.do("share")
            host.wait(lambda: host.links, "shared")
            return host.welcome.room, host.links.follow, host.reader

    async def restarted(self, end):
        """Ends the server by a function while everybody reads, and starts it again at the same port at once.

        Returns how long each reader was without the page at which it was, and how long nobody listened.
        """
        guests = [
            Guest(number, self._server.url, room, "" if place == 0 else key, reader if place == 0 else "")
            for place in range(READERS) for number, (room, key, reader) in enumerate(self._rooms, ROOMS * place)
        ]
        for guest in guests:
            guest.join()
            await until(lambda: guest.is_shown, "joined")  # noqa: B023
        await asyncio.sleep(STILL_SECONDS)
        before = [list(guest.sights())[-1][1] for guest in guests]
        gc.disable()
        began = time.monotonic()
        await asyncio.to_thread(end, self._server.process)
        ended = time.monotonic()
        self._server = await asyncio.to_thread(Server, *self._options, port=self._server.port)
        started = time.monotonic() - ended
        await until(lambda: all(guest.losses and guest.is_shown for guest in guests), "back")
        gc.enable()
        gaps = [back(guest, sight) - began for guest, sight in zip(guests, before, strict=True)]
        for guest in guests:
            guest.leave()
        return gaps, started

    @staticmethod
    def kill(process):
        """Ends a server as a crash does."""
        process.kill()
        process.wait()

    @staticmethod
    def stop(process):
        """Asks a server to end, and waits until it has."""
        process.send_signal(signal.SIGTERM)
        process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.stop()


def back(guest, sight):
    """Returns when a guest saw again what it saw before."""
    seen = list(guest.sights())
    found = next((at for at, one in seen if one == sight), None)
    assert found, f"a reader saw {sight[:2]}, and now {[one[:2] for _, one in seen]}"
    return found
