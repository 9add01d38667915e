"""Prints the measurements of the library, with real books.

Usage: Scripts/python Tests/RealBooks/bench.py
"""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import zipfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Browser"))

from corpora import DEBIAN, fetched_from_debian
from server import PROGRAM, Server

TICKS = os.sysconf("SC_CLK_TCK")
PAGES_TIMED = 80
COLD_RUNS = 7
BOOKS_SCANNED = 1000


def row(figure, asked, measured):
    """Prints a line of the table."""
    print(f"| {figure} | {asked} | {measured} |", flush=True)


def fetch(url, method="GET", body=None, fields=None):
    """Requests an address, and returns the body of the response."""
    request = urllib.request.Request(url, data=body, method=method, headers=fields or {})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return answer.read()


def cpu_seconds(process):
    """Returns the CPU time of one process, user and system, in seconds."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def presses(process):
    """Returns the presses of a server."""
    found = subprocess.run(
        ["pgrep", "--parent", str(process), "lectern-press"], capture_output=True, text=True
    )
    return [int(line) for line in found.stdout.split()]


def memory(process):
    """Returns the resident memory of a process, in MiB."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def upload(server, path):
    """Uploads a file as the page does, and returns the book's id when the book is on the shelf."""
    body = path.read_bytes()
    words = json.dumps({"name": path.name, "size": len(body)}).encode()
    url = f"{server.url}api/uploads"
    upload_id = json.loads(fetch(url, "POST", words))["id"]
    url += f"/{upload_id}"
    fetch(url, "PATCH", body, {"Upload-Offset": "0"})
    while True:
        state = json.loads(fetch(url))
        if state["state"] == "done":
            return state["book"]
        assert state["state"] != "failed", state
        time.sleep(0.005)


def rested(server):
    """Waits until a server has indexed its books and rendered small pictures, and is idle."""
    used = None
    while True:
        now = {press: cpu_seconds(press) for press in presses(server.process.pid)}
        if now == used:
            return
        used = now
        time.sleep(2)


def importing(zsh, data):
    """Measures the seconds from the first byte of a PDF to the bytes of its cover, in a running server."""
    server = Server("--data", str(data))
    began = time.monotonic()
    book = upload(server, zsh)
    fetch(f"{server.url}b/{book}/p/0/screen")
    seconds = time.monotonic() - began
    # The next measurements exclude the work that is done in advance.
    rested(server)
    server.stop()
    return book, seconds


def cold_pages(book, data):
    """Measures the milliseconds to a page that was not requested before, from a server that has just started."""
    times = []
    for run in range(COLD_RUNS):
        server = Server("--data", str(data))
        began = time.monotonic()
        fetch(f"{server.url}b/{book}/p/{20 + run}/screen")
        times.append(1000 * (time.monotonic() - began))
        server.stop()
    return times


def printing(book, data):
    """Measures the pages per second of a press's CPU time, and of the clock, with one request after another."""
    server = Server("--data", str(data))
    fetch(f"{server.url}b/{book}/p/50/screen")
    rested(server)
    process = server.process.pid
    before = {press: cpu_seconds(press) for press in presses(process)}
    began = time.monotonic()
    for page in range(100, 100 + PAGES_TIMED):
        fetch(f"{server.url}b/{book}/p/{page}/screen")
    wall = time.monotonic() - began
    used = sum(cpu_seconds(press) - before.get(press, 0) for press in presses(process))
    server.stop()
    return PAGES_TIMED / used, PAGES_TIMED / wall


def memory_of_import(zsh, folder):
    """Measures the maximum growth of the server, in MiB, during the import and indexing of a long PDF."""
    long = folder / "long.pdf"
    subprocess.run(["pdfunite", zsh, zsh, zsh, long], check=True)
    server = Server("--data", str(folder / "memory"))
    process = server.process.pid
    idle = memory(process)
    most, done = idle, threading.Event()

    def watch():
        nonlocal most
        while not done.wait(0.01):
            most = max(most, memory(process))

    watcher = threading.Thread(target=watch)
    watcher.start()
    book = upload(server, long)
    # The text is indexed last, and the last page's text at the end.
    pages = json.loads(fetch(f"{server.url}api/books/{book}"))["pages"]
    until = time.monotonic() + 180
    url = f"{server.url}api/books/{book}/pages/{pages - 1}/text"
    while not json.loads(fetch(url))["text"] and time.monotonic() < until:
        time.sleep(0.1)
    done.set()
    watcher.join()
    server.stop()
    return pages, most - idle


def many_books(folder):
    """Writes ten collections of small comics, each with different content."""
    for index in range(BOOKS_SCANNED):
        path = folder / f"collection-{index % 10}" / f"book-{index}.cbz"
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("1.png", png(index))


def png(number):
    """Returns a small picture that is different for each number."""

    def chunk(kind, data):
        body = kind + data
        return len(data).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")

    size = (8).to_bytes(4, "big") + (12).to_bytes(4, "big")
    line = b"\0" + number.to_bytes(4, "big") * 6
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", size + bytes([8, 2, 0, 0, 0]))
        + chunk(b"IDAT", zlib.compress(line * 12))
        + chunk(b"IEND", b"")
    )


def scanning(folder):
    """Measures the seconds to scan a folder of a thousand books, when new and when unchanged."""
    books = folder / "many"
    many_books(books)
    began = time.monotonic()
    server, health = scanned(folder, books)
    coming = time.monotonic() - began
    server.stop()
    scans = []
    for _ in range(5):
        server, health = scanned(folder, books)
        scans.append(health["scanSeconds"])
        server.stop()
    return coming, statistics.median(scans)


def scanned(folder, books):
    """Starts a server, and waits until it has scanned and indexed the folder; returns it with its health."""
    server = Server("--data", str(folder / "scanned"), "--library", str(books))
    until = time.monotonic() + 300
    while True:
        health = json.loads(fetch(f"{server.admin_url}healthz"))["library"]
        is_done = health["scanSeconds"] is not None and health["waiting"] == 0
        if is_done and health["books"] == BOOKS_SCANNED:
            return server, health
        assert time.monotonic() < until, health
        time.sleep(0.02)


def main():
    """Prints the table."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lectern-bench-"))
    zsh = fetched_from_debian("zsh-doc") / DEBIAN["zsh-doc"]
    try:
        data = folder / "data"
        book, seconds = importing(zsh, data)
        row("480-page PDF: import to visible cover", "<= 1 s", f"{seconds:.2f} s")
        times = cold_pages(book, data)
        row(
            "first page at screen size, cold",
            "<= 150 ms",
            f"{statistics.median(times):.0f} ms (worst of {COLD_RUNS}: {max(times):.0f})",
        )
        by_core, by_clock = printing(book, data)
        row(
            "pages per second and core, text PDF at 1600 px",
            ">= 20",
            f"{by_core:.0f} (by the clock, one after another: {by_clock:.0f})",
        )
        pages, grown = memory_of_import(zsh, folder)
        row(
            f"server memory while importing a {pages}-page PDF",
            "< 100 MiB above idle",
            f"{grown:.0f} MiB",
        )
        first, again = scanning(folder)
        row(
            f"{BOOKS_SCANNED}-book folder: scan, no change",
            "<= 1 s",
            f"{1000 * again:.0f} ms (all new, until the last is on the shelf: {first:.0f} s)",
        )
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    assert PROGRAM.exists(), "build lectern first: Scripts/build lectern"
    main()
