"""The press is killed at random moments, and the server continues to answer."""

import json
import os
import pathlib
import random
import signal
import threading
import time
import urllib.error
import urllib.request

from server import Server

SECONDS = 60
READERS = 6
PAGES = 480
SIZES = ["thumb", "screen", "zoom"]


class Readers:
    """Threads that request random pages until a given time, and count the status codes."""

    def __init__(self, url, seed):
        self.told = {}
        self.wrong = []
        self._lock = threading.Lock()
        self._until = time.monotonic() + SECONDS
        self._threads = [
            threading.Thread(target=self._read, args=(url, random.Random(seed + index)))
            for index in range(READERS)
        ]
        for thread in self._threads:
            thread.start()

    def _read(self, url, chance):
        while time.monotonic() < self._until:
            page = f"{url}/p/{chance.randrange(PAGES)}/{chance.choice(SIZES)}"
            status, body = fetched(page)
            with self._lock:
                self.told[status] = self.told.get(status, 0) + 1
                if status == 200 and body[:4] != b"RIFF" and body[:2] != b"\xff\xd8":
                    self.wrong.append((page, body[:40]))
                if status == 422 and not json.loads(body)["retry"]:
                    self.wrong.append((page, body))

    def join(self):
        """Waits for all threads."""
        for thread in self._threads:
            thread.join()


def fetched(url):
    """Requests an address, and returns the status and the body of the response."""
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_every_request_is_answered_and_nothing_is_left_behind(manuals, tmp_path):
    server = Server("--data", str(tmp_path), "--library", str(manuals["zsh-doc"].parent))
    book = json.loads(fetched(f"{server.url}api/books")[1])[0]
    assert book["pages"] == PAGES
    chance = random.Random(7)
    readers = Readers(f"{server.url}b/{book['id']}", seed=7)
    killed = 0
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        time.sleep(chance.uniform(0.05, 0.4))
        for press in server.presses:
            if chance.random() < 0.7:
                try:
                    os.kill(press, signal.SIGKILL)
                    killed += 1
                except ProcessLookupError:
                    pass
    readers.join()
    print(f"{killed} presses killed; answers by status: {readers.told}")
    assert killed > 20
    assert readers.wrong == []
    assert set(readers.told) <= {200, 422}, readers.told
    assert readers.told[200] > 50
    # The kills have no lasting effect: each page can be fetched now.
    assert fetched(f"{server.url}b/{book['id']}/p/0/screen")[0] == 200
    assert json.loads(fetched(f"{server.admin_url}healthz")[1])["status"] == "ok"
    assert server.stop() == 0, server.output
    assert server.presses == []
    assert [path for path in tmp_path.rglob("*") if ".tmp" in path.name] == []
    assert all(path.stat().st_size > 0 for path in pathlib.Path(tmp_path, "pages").rglob("*.webp"))
