"""Hostile EPUBs: none reaches a network or another file, none leaves anything behind, and each ends in time."""

import json
import pathlib
import socket
import subprocess
import time
import urllib.request
import uuid

import pytest
from epubs import pages
from hostile_epubs import WORDS, everywhere, heavy, page, reaching, write

from server import PROGRAM, Server

SECONDS = 300


def leftovers():
    """Returns the private folders of engines, and the processes that run in them."""
    folders = {str(one) for one in pathlib.Path("/tmp").glob("lectern-engine-*")}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if b"/lectern-engine-" in (process / "cmdline").read_bytes():
                folders.add(process.name)
        except OSError:
            pass
    return folders


def wait_until_gone(extra):
    """Polls until engines are gone; those of other imports on this computer end as well."""
    until = time.monotonic() + SECONDS
    while extra := extra & leftovers():
        assert time.monotonic() < until, f"left over: {extra}"
        time.sleep(0.1)


def text_of(path, folder):
    """Imports a book, and returns the text of its pages; or the reason why it is refused."""
    before = leftovers()
    data = folder / "data"
    done = subprocess.run([PROGRAM, "import", "--data", data, path], capture_output=True, text=True, timeout=SECONDS)
    wait_until_gone(leftovers() - before)
    assert done.returncode in (0, 1), done.stderr
    if done.returncode:
        reason = done.stderr.splitlines()[0]
        assert reason.startswith(f"{path}: ") and reason.endswith((".", ")")), reason
        return None, reason
    server = Server("--data", data)
    try:
        with urllib.request.urlopen(server.url + "api/books", timeout=60) as answer:
            book = next(one["id"] for one in json.load(answer) if one["title"] == "Hostile")
        return "\n".join(pages(server, book)), None
    finally:
        server.stop()


@pytest.fixture
def listener():
    """A port of the loopback interface where a connection is seen without being accepted."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        one.setblocking(False)
        yield one


@pytest.mark.parametrize("scheme", ["http", "https", "ws", "ftp", ""])
def test_no_request_leaves_the_book(listener, tmp_path, scheme):
    address = f"{scheme + ':' if scheme else ''}//127.0.0.1:{listener.getsockname()[1]}/a"
    text, reason = text_of(write(tmp_path / "a.epub", everywhere(address)), tmp_path)
    assert reason is None and WORDS in text
    with pytest.raises(BlockingIOError):
        listener.accept()


@pytest.mark.parametrize("kind", [name for name, _ in reaching("/")])
def test_no_other_file_is_read_or_written(tmp_path, kind):
    word = "sesame" + uuid.uuid4().hex[:8]
    marker = tmp_path / "marker.txt"
    marker.write_text(f"<p>{word}</p>")
    text, reason = text_of(write(tmp_path / "a.epub", **dict(reaching(marker))[kind]), tmp_path)
    assert reason is None and WORDS in text and word not in text
    assert not pathlib.Path("/tmp/escaped-from-lectern").exists()


@pytest.mark.parametrize("kind", [name for name, _ in heavy()])
def test_a_book_that_costs_much_opens_or_is_refused_with_a_reason(tmp_path, kind):
    text, reason = text_of(write(tmp_path / "a.epub", **dict(heavy())[kind]), tmp_path)
    assert reason is not None or WORDS in text


@pytest.mark.parametrize("address", ["data:text/html,sesame", "javascript:document.write('sesame')"])
def test_no_text_of_an_address_is_shown(tmp_path, address):
    body = f'<iframe src="{address}"></iframe><object data="{address}"></object><a href="{address}">a</a>'
    text, reason = text_of(write(tmp_path / "a.epub", page(body)), tmp_path)
    assert reason is None and "sesame" not in text
