"""Prints what it costs to lay out EPUBs and to draw large documents, and how much of their text is found.

Usage: Scripts/python Tests/RealBooks/bench_books.py [FOLDER]

FOLDER contains EPUBs at any depth; of these it prints how many are opened, and which are not.
"""

import gzip
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

# After this folder, which has a module of the same name as one there.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Browser"))

from bench import cpu_seconds, fetch, presses, rested, row, upload
from corpora import DEBIAN, fetched_from_debian, fetched_from_pypi
from epubs import letters, pages, share_found, spine
from server import PROGRAM, Server

LONG_PAGES = 2_000


class Watch:
    """Measures the CPU time and the memory of the presses of a server and of their engines, while it is open.

    It samples each process every 50 ms, so the CPU time that a process uses after its last sample is missing.
    """

    def __init__(self, server):
        self.server = server
        self.seconds = {}
        self.most = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()

    @property
    def cpu(self):
        """The seconds of CPU time of all of them."""
        return sum(self.seconds.values())

    def _run(self):
        while not self._done.wait(0.05):
            total = 0
            for process in descendants(self.server.process.pid):
                try:
                    self.seconds[process] = cpu_seconds(process)
                    total += proportional_memory(process)
                except (OSError, IndexError):
                    continue
            self.most = max(self.most, total)


def descendants(process):
    """Returns the processes that a process has started, and those that they have started."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    children = {}
    for line in listed.splitlines():
        child, parent = map(int, line.split())
        children.setdefault(parent, []).append(child)
    found, waiting = [], [process]
    while waiting:
        started = children.get(waiting.pop(), [])
        found += started
        waiting += started
    return found


def proportional_memory(process):
    """Returns the memory of a process in MiB, with its share of what it has in common with others."""
    for line in pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0


def imported(server, path):
    """Imports a book; returns its id, its facts, and the seconds to its first page, of CPU time, and the MiB used."""
    with Watch(server) as watch:
        began = time.monotonic()
        book = upload(server, path)
        facts = json.loads(fetch(f"{server.url}api/books/{book}"))
        if facts["pages"]:
            fetch(f"{server.url}b/{book}/p/0/screen")
        seconds = time.monotonic() - began
    return book, facts, seconds, watch.cpu, watch.most


def long_book(epub, path):
    """Writes an EPUB with the texts of another, as often as it takes for 2,000 pages."""
    with zipfile.ZipFile(epub) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        texts = [name for name in source.namelist() if name.endswith((".xhtml", ".html"))]
        items, spine_items = [], []
        for copy in range(8):
            for name in texts:
                new = f"OPS/{copy}/{pathlib.PurePosixPath(name).name}"
                target.writestr(new, source.read(name))
                items.append(f'<item id="i{len(items)}" href="{new[4:]}" media-type="application/xhtml+xml"/>')
                spine_items.append(f'<itemref idref="i{len(items) - 1}"/>')
        target.writestr("mimetype", "application/epub+zip")
        target.writestr("META-INF/container.xml", '<container><rootfiles><rootfile full-path="OPS/b.opf"/></rootfiles>'
                        "</container>")
        target.writestr("OPS/b.opf", f"<package><metadata><title>Long</title></metadata><manifest>{''.join(items)}"
                        f"</manifest><spine>{''.join(spine_items)}</spine></package>")
    return path


def laying_out(server, policy, folder):
    """Prints the cost of a book of 300 pages and of one of 2,000."""
    book, facts, seconds, cpu, most = imported(server, policy)
    row(f"{facts['pages']}-page EPUB: import to first page / CPU / memory", "<= 10 s / <= 5 s / <= 700 MiB",
        f"{seconds:.1f} s / {cpu:.1f} s / {most:.0f} MiB")
    rested(server)
    share, total = share_found(" ".join(spine(policy)).split(), letters(" ".join(pages(server, book))))
    row(f"its {total} words that are in the text of its pages, in order", ">= 99.5 %", f"{100 * share:.2f} %")
    _, facts, seconds, cpu, most = imported(server, long_book(policy, folder / "long.epub"))
    assert facts["pages"] > LONG_PAGES, facts
    row(f"{facts['pages']}-page EPUB: import / CPU / memory", "opens, <= 1.5 GiB",
        f"{seconds:.0f} s / {cpu:.0f} s / {most:.0f} MiB")


def drawing(server, folder):
    """Prints the CPU time of a cold page of a long PDF, and of a scanned page."""
    zsh = fetched_from_debian("zsh-doc") / DEBIAN["zsh-doc"]
    long = folder / "long.pdf"
    subprocess.run(["pdfunite", zsh, zsh, zsh, long], check=True)
    times = []
    book = upload(server, long)
    rested(server)
    # Only one server uses a data folder.
    shutil.copytree(folder / "data", folder / "copy")
    for run in range(5):
        other = Server("--data", str(folder / "copy"))
        before = {press: cpu_seconds(press) for press in presses(other.process.pid)}
        fetch(f"{other.url}b/{book}/p/{700 + run}/screen")
        times.append(sum(cpu_seconds(press) - before.get(press, 0) for press in presses(other.process.pid)))
        other.stop()
    row("cold page of a 1,440-page PDF, CPU", "<= 60 ms", f"{1000 * statistics.median(times):.0f} ms")
    scan = next(fetched_from_pypi("pypdf").rglob("Seige_of_Vicksburg*.pdf"))
    book = upload(server, scan)
    rested(server)
    before = {press: cpu_seconds(press) for press in presses(server.process.pid)}
    sizes = []
    count = json.loads(fetch(f"{server.url}api/books/{book}"))["pages"]
    for page in range(count):
        sizes.append(len(fetch(f"{server.url}b/{book}/p/{page}/screen")))
    used = sum(cpu_seconds(press) - before.get(press, 0) for press in presses(server.process.pid))
    row("a scanned page at 1600 px: CPU, size", "<= 50 ms",
        f"{1000 * used / count:.0f} ms, {statistics.mean(sizes) / 1024:.0f} KiB")


def corpus(server, folder):
    """Prints how many of the EPUBs of a folder are opened, and how much of their text is found."""
    opened, shares, files = 0, [], sorted(folder.rglob("*.epub"))
    for path in files:
        try:
            book = upload(server, path)
            facts = json.loads(fetch(f"{server.url}api/books/{book}"))
        except AssertionError as error:
            print(f"  {path.name}: {error}", file=sys.stderr)
            continue
        if facts["state"] != "ready":
            print(f"  {path.name}: {facts.get('error')}", file=sys.stderr)
            continue
        opened += 1
        rested(server)
        share, total = share_found(" ".join(spine(path)).split(), letters(" ".join(pages(server, book))))
        if total:
            shares.append(share)
        print(f"  {path.name}: {facts['pages']} pages, {100 * share:.2f} % of {total} words", file=sys.stderr)
    row(f"EPUBs of {folder.name} that are opened", "", f"{opened} of {len(files)}")
    if shares:
        row("their words that are in the text of their pages: mean, least", ">= 99.5 %",
            f"{100 * statistics.mean(shares):.2f} %, {100 * min(shares):.2f} %")


def main():
    """Prints the table."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lectern-bench-"))
    package = fetched_from_debian("debian-policy")
    policy = next(package.rglob("policy.epub*"))
    if policy.suffix == ".gz":
        plain = folder / "policy.epub"
        plain.write_bytes(gzip.decompress(policy.read_bytes()))
        policy = plain
    server = Server("--data", str(folder / "data"))
    try:
        laying_out(server, policy, folder)
        rested(server)
        drawing(server, folder)
        for one in sys.argv[1:]:
            corpus(server, pathlib.Path(one))
    finally:
        server.stop()
        shutil.rmtree(folder)


if __name__ == "__main__":
    assert PROGRAM.exists(), "build lectern first: Scripts/build lectern"
    main()
