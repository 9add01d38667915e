"""A server that is killed again and again comes back with everything that it has acknowledged."""

import contextlib
import json
import pathlib
import random
import sqlite3
import threading
import time
from http.client import HTTPException

import pytest
import wire
from conftest import MINUTES, SEED, SHARE, said
from desk import Desk, made
from disk import Disk
from measures import files
from members import Member
from server import Server
from soak import make_library, wait

ROOMS, GUESTS = 3, 2
ROUND_SECONDS, LEAST_ROUNDS = 12, 4
# How many books each round uploads before the kill.
BOOKS = 2
# A turn that is under way when the server is killed has been stored or not; it is of so many pages at most.
TURNED = 2
FULL_TURNS, RETRY_SECONDS, BACK_SECONDS = 6, 20, 60
DISK_MEBIBYTES = 64


class Killed:
    """A server with rooms, and what it has acknowledged."""

    def __init__(self, folder):
        self._options = ("--library", make_library(folder / "library"), "--data", folder / "data")
        self.data = folder / "data"
        self.server = Server(*self._options)
        self.desk = Desk(self.server.url)
        self.uploaded, self.binned, self.titles, self.half = set(), set(), {}, {}
        self.hosts, self.guests = [], []

    def gather(self):
        """Lets the readers join."""
        wait(lambda: len(self.desk.books()) == 3, "all books are ready")
        for number in range(ROOMS):
            host = Member([self.server.url], 0, name=f"Host {number}")
            self.hosts.append(host)
            for screen in ("shelf", "book"):
                with host.settling(screen):
                    host.key("Enter")
            if number == 0:
                # This one reads alone, and the server knows its bookmark only.
                continue
            host.do("share")
            links = host.wait(lambda host=host: host.links, "shared")
            self.guests += [
                (host, Member([self.server.url], 0, room=host.welcome.room, key=links.follow)) for _ in range(GUESTS)]

    def kill(self):
        """Kills the server, and starts it again at the same port; its presses end as well."""
        presses = self.server.presses
        welcomes = [len(one.owners) for one in self.everybody]
        self.server.process.kill()
        self.server.process.wait()
        wait(lambda: not any(pathlib.Path(f"/proc/{press}").exists() for press in presses), "the presses have ended")
        self.server = Server(*self._options, port=self.server.port)
        for one, before in zip(self.everybody, welcomes, strict=True):
            one.wait(lambda one=one, before=before: len(one.owners) > before and one.arrivals[-1].at > one.owners[-1][0]
                     and one.is_at_rest, "back", BACK_SECONDS)

    @property
    def everybody(self):
        """All readers."""
        return [*self.hosts, *(guest for _, guest in self.guests)]

    def work(self, number, chance):
        """Uploads, corrects, deletes and restores, and notes what is acknowledged."""
        for kind in chance.sample(("pdf", "cbz", "pdf"), BOOKS):
            status, told = self.desk.upload(f"kept.{kind}", made(kind, f"Kept {number} {chance.random()}"))
            assert (status, told["state"]) == (200, "done"), told
            self.uploaded.add(told["book"])
            self.correct(told["book"], f"Corrected {chance.random()}")
        gone = chance.choice(sorted(self.uploaded - self.binned))
        assert self.desk.ask(f"api/books/{gone}", "DELETE")[0] == 200
        self.binned.add(gone)
        data = made("pdf", f"Half {number}")
        sent = chance.randrange(1, len(data))
        status, told = self.desk.begin_upload("half.pdf", data, sent)
        assert (status, told["offset"]) == (200, sent), told
        self.half[told["id"]] = (data, sent)

    def correct(self, book, title):
        """Corrects a title."""
        status, body = self.desk.ask(f"api/books/{book}", "PATCH", {"title": title})
        assert status == 200, body
        self.titles[book] = title

    def disturb(self, over, chance):
        """Keeps the server busy until it is killed, without a note of what it acknowledges."""
        while not over.is_set():
            try:
                self.desk.upload("lost.pdf", made("pdf", f"Perhaps lost {chance.random()}"))
            except (OSError, HTTPException, ValueError):
                # The answer is missing, or a part of it.
                return

    def assert_nothing_is_lost(self):
        """Asserts that the server has everything that it has acknowledged, and completes half uploads."""
        shown = {one["id"]: one for one in self.desk.get("api/books")}
        binned = {one["id"] for one in self.desk.get("api/bin")}
        assert self.uploaded - self.binned <= shown.keys()
        assert self.binned <= binned and not self.binned & shown.keys()
        assert {one: shown[one]["title"] for one in self.titles if one in shown} == {
            one: title for one, title in self.titles.items() if one not in self.binned}
        for book in self.uploaded - self.binned:
            assert self.desk.ask(f"b/{book}/p/0/thumb")[0] == 200
        while self.half:
            id, (data, sent) = self.half.popitem()
            offset = self.desk.get(f"api/uploads/{id}")["offset"]
            assert offset == sent
            status, _ = self.desk.ask(f"api/uploads/{id}", "PATCH", data[offset:], Upload_Offset=str(offset))
            assert status == 200
            wait(lambda id=id: self.desk.get(f"api/uploads/{id}")["state"] == "done", "completed")
            self.uploaded.add(self.desk.get(f"api/uploads/{id}")["book"])

    def close(self):
        """Ends the readers and the server, and returns its status."""
        for one in self.everybody:
            one.close()
        return self.server.stop()


def open_again(reader, book):
    """Lets a reader open a book where it was left, as a page does by its address."""
    reader.do("go", book, 1, wire.NO_PAGE)
    reader.wait(
        lambda: reader.caption.book == book and reader.frame.screen == "book" and reader.is_at_rest, "in its book")


@pytest.fixture
def killed(tmp_path):
    """The server that is killed."""
    killed = Killed(tmp_path)
    try:
        killed.gather()
        yield killed
    finally:
        killed.close()


def test_readers_come_back_to_their_places_and_nothing_acknowledged_is_lost(killed):
    until, rounds = time.monotonic() + 60 * MINUTES * (1 - SHARE), 0
    chance = random.Random(f"{SEED} kills")
    while rounds < LEAST_ROUNDS or time.monotonic() < until:
        for host in killed.hosts:
            host.turn(lambda host=host: host.key("ArrowRight" if host.page < 30 else "Home"))
        places = [(host.caption.book, host.page) for host in killed.hosts]
        killed.work(rounds, chance)
        over = threading.Event()
        busy = threading.Thread(target=killed.disturb, args=(over, random.Random(chance.random())))
        busy.start()
        turning = chance.random() < 0.5
        if turning:
            killed.hosts[-1].key("ArrowRight")
        over.wait(chance.uniform(0, 1))
        killed.kill()
        over.set()
        busy.join()
        open_again(killed.hosts[0], places[0][0])
        for host, (book, page) in zip(killed.hosts, places, strict=True):
            turned = TURNED if turning and host is killed.hosts[-1] else 0
            assert host.caption.book == book and page <= host.page <= page + turned
        for host, guest in killed.guests:
            guest.wait(lambda host=host, one=guest: one.page == host.page and one.is_at_rest, "at the host's page")
            assert guest.faces() == host.faces()
        killed.assert_nothing_is_lost()
        rounds += 1
    said.append(f"soak: {rounds} kills, {len(killed.uploaded)} books uploaded, {len(killed.binned)} of them deleted")
    for one in json.loads(killed.desk.ask("api/bin")[1]):
        killed.desk.ask(f"api/bin/{one['id']}", "DELETE")
    assert killed.close() == 0
    assert {name for name in files(killed.data) if ".tmp" in name or "unfinished/" in name} == set()


@pytest.fixture
def disk(tmp_path):
    """A small disk."""
    disk = Disk(tmp_path / "disk", DISK_MEBIBYTES)
    if disk.fault:
        pytest.skip(f"a small disk cannot be mounted here: {disk.fault}")
    yield disk
    disk.close()


def test_a_place_that_was_reached_on_a_full_disk_is_kept_once_there_is_room(tmp_path, disk):
    options = ("--library", make_library(tmp_path / "library"), "--data", disk.data)
    server = Server(*options)
    try:
        wait(lambda: len(Desk(server.url).books()) == 3, "all books are ready")
        # A new process begins a new log of the catalogue, for which the disk has no room.
        assert server.stop() == 0
        server = Server(*options, port=server.port)
        with Member([server.url], 0) as reader:
            place = turned_on_full(disk, server, reader)
            welcomes = len(reader.owners)
            server.process.kill()
            server.process.wait()
            server = Server(*options, port=server.port)
            reader.wait(lambda: len(reader.owners) > welcomes and reader.arrivals[-1].at > reader.owners[-1][0],
                        "back", BACK_SECONDS)
            open_again(reader, place[0])
            assert (reader.caption.book, reader.page) == place
    finally:
        server.stop()


def turned_on_full(disk, server, reader):
    """Lets a reader turn pages while the disk is full, waits until there is room again, and returns the place."""
    for screen in ("shelf", "book"):
        with reader.settling(screen):
            reader.key("Enter")
    before = stored_places(disk.data)
    disk.fill()
    for _ in range(FULL_TURNS):
        reader.turn()
    server.wait_for_output("bookmark.failed")
    assert stored_places(disk.data) == before
    disk.free()
    wait(lambda: stored_places(disk.data) != before, "the bookmark is stored", RETRY_SECONDS)
    return reader.caption.book, reader.page


def stored_places(data):
    """Returns the bookmarks in the catalogue of a data folder."""
    with contextlib.closing(sqlite3.connect(f"file:{data}/catalogue.sqlite?mode=ro", uri=True)) as catalogue:
        return sorted(catalogue.execute("SELECT * FROM reading"))
