"""A soak: cycles of load and faults on one server, each of which ends at a quiet point where the server is measured."""

import collections
import functools
import json
import random
import signal
import threading
import time
import traceback

import measures
from crowd import Room
from desk import TYPES, Desk, made, questions
from disk import Disk
from fixtures import comic, novel, pdf
from server import Server
from shaped import Shaped
from shaped_model import Shape
from vandals import Vandals, kill_presses
from wireclient import Client

ROOMS, STAYERS = 8, 4
DISK_MEBIBYTES = 192
# A cycle is as long as this, or longer in a longer soak, and the first ones fill what has a limit.
CYCLE_SECONDS, CYCLES, WARM_UP, LEAST_CYCLES = 25, 24, 4, 10
# The books that are lent come again, because the server remembers the numbers of all that it has shown.
LENT_BOOKS = 60
# One kind of line about a full disk is repeated after ten seconds only.
FULL_SECONDS = 4
FULL_EVERY = 3
# A press may be killed again when a request is repeated.
TRIES = 8
SLOW = Shape(delay=0.06, jitter=0.03, loss=0.02, rate=600_000)


class Soak:
    """Runs a soak in a folder, and has what it found: `series`, `faults`, `full`, `pictures` and more."""

    def __init__(self, folder, seed, seconds):
        self._folder, self._seed, self._seconds = folder, seed, seconds
        self.series, self.faults, self.full = [], [], []
        self.counts = collections.Counter()
        self.is_full, self._fills = False, 0
        self.disk = Disk(folder / "disk", DISK_MEBIBYTES)
        try:
            self._run()
        finally:
            self.disk.close()

    def _run(self):
        library = make_library(self._folder / "library")
        self._extra = library / "Shelf" / "Extra.pdf"
        self.server = Server("--library", library, "--data", self.disk.data, "--log-format", "json")
        self._desk = Desk(self.server.url)
        self._line = Shaped(self.server.port, SLOW, self._seed)
        self._rooms = []
        try:
            wait(lambda: len(self._desk.books()) == 3, "all books are ready")
            self._books = self._desk.books()
            self._rooms = [Room(self.server.url, self._line.url, number < STAYERS) for number in range(ROOMS)]
            room = self._rooms[0]
            image = f"b/{self._books[0]['id']}/p/7/zoom"
            with Client(self.server.url) as reader:
                self._vandals = Vandals(self.server.port, room.name, room.links.follow, image, reader.reader)
            self._run_cycles()
            self.pictures = [room.agrees() for room in self._rooms[:STAYERS]]
        finally:
            for room in self._rooms:
                room.close()
            self._line.close()
            self.status = self.server.stop()
        self.events = [json.loads(line) for line in self.server.output.splitlines() if line.startswith("{")]
        self.rest = measures.files(self.disk.data)

    def report(self):
        """Returns what was measured, as lines."""
        yield from (f"quiet point {number}: {one}" for number, one in enumerate(self.series, 1))
        yield "growth: " + ", ".join(f"{name} {measures.growth(self.settled, name):+.2%}" for name in measures.NAMES)
        yield f"done: {dict(sorted(self.counts.items()))}"
        levels = collections.Counter((one["level"], one["event"]) for one in self.events)
        yield from (f"log: {count} {event} ({level})" for (level, event), count in levels.items() if level != "info")

    @property
    def settled(self):
        """The measures since everything was filled that has a limit."""
        return self.series[max(WARM_UP, len(self.series) // 4):]

    def _run_cycles(self):
        began, number = time.monotonic(), 0
        while number < LEAST_CYCLES or time.monotonic() - began < self._seconds:
            self._load(number)
            self.series.append(measures.settled(self.server, STAYERS))
            if number == WARM_UP:
                self.first_files = measures.files(self.disk.data)
            number += 1
        shown = {one["id"] for one in self._desk.get("api/books")}
        self.last_files = measures.files(self.disk.data, besides=shown)
        self.children = measures.children(self.server.process.pid)

    def _load(self, number):
        """Loads the server for one cycle, and lets it come to rest."""
        over = threading.Event()
        works = [
            *(room.live for room in self._rooms),
            *(functools.partial(self._lend, name) for name in ("Lent", "Borrowed")),
            self._browse, self._browse, self._vandalize, self._kill_presses, self._scan,
        ]
        threads = [
            threading.Thread(target=self._guarded, args=(work, random.Random(f"{self._seed} {number} {place}"), over))
            for place, work in enumerate(works)
        ]
        for thread in threads:
            thread.start()
        seconds = max(CYCLE_SECONDS, self._seconds / CYCLES) - measures.PAUSE_SECONDS
        if self.disk.fault is None and number % FULL_EVERY == 1:
            over.wait(seconds / 2)
            self._guarded(self._fill_disk, number, over)
            seconds /= 2
        over.wait(seconds)
        over.set()
        for thread in threads:
            thread.join()
        self._vandals.close()
        for room in self._rooms:
            room.rest()
        wait(lambda: json.loads(self._health())["library"]["waiting"] == 0, "everything is imported")
        self._clear_away()
        # An idle press stays for a minute.
        kill_presses(self.server)

    def _clear_away(self):
        """Erases what is left of uploads: a book whose press was killed is on the shelf, and can be tried again."""
        kept = {one["id"] for one in self._books}
        for one in self._desk.get("api/books"):
            if one["source"] == "imported" and one["id"] not in kept:
                assert self._desk.erase(one["id"]) == 200
        assert self._desk.ask("api/bin", "DELETE")[0] == 200

    def _health(self):
        return Desk(self.server.admin_url).ask("healthz")[1]

    def _guarded(self, work, chance, over):
        try:
            work(chance, over)
        except Exception:  # noqa: BLE001  It is reported, and the others go on.
            self.faults.append(traceback.format_exc())

    def _lend(self, name, chance, over):
        """Uploads books, looks into them, and erases them."""
        while not over.is_set():
            kind = chance.choice(("pdf", "pdf", "cbz", "cbz", "epub"))
            # A disk that is full now counts as one that is filled meanwhile.
            fills = self._fills - self.is_full
            status, told = self._desk.upload(f"lent.{kind}", made(kind, f"{name} {chance.randrange(LENT_BOOKS)}"))
            if "book" not in told:
                # The disk was full meanwhile, or its press was killed.
                assert fills != self._fills or told.get("state") == "failed", (status, told)
                self.counts[f"{TYPES[kind]} not uploaded"] += 1
                over.wait(0.2)
                continue
            self.counts[f"{TYPES[kind]} uploaded"] += 1
            for path in (f"b/{told['book']}/p/0/thumb", f"b/{told['book']}/p/0/screen", f"api/books/{told['book']}"):
                self._count(self._desk.ask(path)[0])
            status = self._desk.erase(told["book"])
            assert status == 200 or (status == 507 and fills != self._fills), status

    def _browse(self, chance, over):
        """Requests all kinds of things."""
        while not over.wait(chance.uniform(0, 0.1)):
            path = questions(chance, self._books)
            status, body = self._desk.ask(path)
            assert status == 200 or (status == 422 and json.loads(body)["retry"]), (path, status, body)
            self._count(status)

    def _count(self, status):
        self.counts[f"answer {status}"] += 1

    def _vandalize(self, chance, over):
        while not over.wait(chance.uniform(0, 0.3)):
            vandal = chance.choice(self._vandals.kinds)
            vandal()
            self.counts[vandal.__name__] += 1

    def _kill_presses(self, chance, over):
        while not over.wait(chance.uniform(0.5, 2)):
            self.counts["press killed"] += kill_presses(self.server, 0.3, chance)

    def _scan(self, chance, over):
        """Adds a book to the folder and removes it, and asks for scans."""
        while not over.wait(chance.uniform(1, 3)):
            if self._extra.exists():
                self._extra.unlink()
            else:
                self._extra.write_bytes(pdf(title="Extra"))
            self.server.process.send_signal(signal.SIGHUP)
            self.counts["scan"] += 1
        self._extra.unlink(missing_ok=True)

    def _fill_disk(self, number, over):
        """Fills the disk, reads and uploads, and frees it again."""
        name, began, since = f"Full {number}", len(self.server.output), time.monotonic()
        before = self._upload_surely(f"{name} before")
        self.is_full = True
        self._fills += 1
        self.disk.fill()
        try:
            during = self._desk.upload(f"{name}.pdf", made("pdf", f"{name} during"))
            pages = [self._page(before, page) for page in range(4)]
            self._read()
            over.wait(FULL_SECONDS)
        finally:
            self.disk.free()
        self.is_full, seconds = False, time.monotonic() - since
        after = self._upload_surely(f"{name} after")
        said = [json.loads(line) for line in self.server.output[began:].splitlines() if line.startswith("{")]
        self.full.append(
            {"during": during, "pages": pages, "after": after, "said": said, "seconds": seconds})

    def _read(self):
        """Opens a book in a new room, and turns a page."""
        with Client(self.server.url) as reader:
            for screen in ("shelf", "book"):
                with reader.settling(screen):
                    reader.key("Enter")
            page = reader.page
            reader.key("ArrowRight")
            reader.wait(lambda: reader.page != page, "a page further")

    def _page(self, book, page):
        """Returns the status of a page's image, which is asked for again if its press was killed."""
        for _ in range(TRIES):
            status, _ = self._desk.ask(f"b/{book}/p/{page}/screen")
            if status != 422:
                break
        return status

    def _upload_surely(self, name):
        """Uploads a book, once more if its press was killed, and returns the book."""
        for number in range(TRIES):
            status, told = self._desk.upload("full.pdf", made("pdf", f"{name} {number}"))
            if "book" in told:
                return told["book"]
        raise AssertionError((name, status, told))


def make_library(folder):
    """Writes a library of a PDF, a comic and a novel."""
    shelf = folder / "Shelf"
    shelf.mkdir(parents=True)
    (shelf / "Ferns.pdf").write_bytes(pdf(pages=60, title="Ferns"))
    comic(shelf / "Geese.cbz", pages=20)
    text = "".join(f"<p>The keeper counted boat {number}, and the lamp was still lit.</p>" for number in range(60))
    novel(shelf / "Shore.epub", "The Shore", [f"<h1>Chapter {number}</h1>{text}" for number in range(4)])
    return folder


def wait(condition, what, seconds=120):
    """Waits until a condition holds."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, f"not: {what}"
        time.sleep(0.1)
