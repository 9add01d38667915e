"""Real books: each can be imported, has the right pages, shows them, and its words are found."""

import json
import re
import struct
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import pytest

from server import PROGRAM, Server

# Words that are in each book, and two words of only two characters in a script without spaces.
WORDS = {
    "zsh-doc": ["compinit", "parameter expansion"],
    "debian-reference-ja": ["パッケージ", "設定"],
    "debian-policy": ["maintainer"],
}


def pages_by_pdfinfo(path):
    """Returns the number of pages that Poppler's own tool counts."""
    told = subprocess.run(["pdfinfo", path], capture_output=True, text=True, check=True).stdout
    return int(re.search(r"^Pages:\s+(\d+)", told, re.MULTILINE)[1])


def run_import(data, *paths):
    """Runs `lectern import` into a folder."""
    return subprocess.run(
        [PROGRAM, "import", "--data", data, *paths], capture_output=True, text=True, timeout=600
    )


def fetch(url):
    """Requests an address, and returns the body of the response."""
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.read()


@pytest.fixture(scope="module")
def library(manuals, tmp_path_factory):
    """A data folder with the manuals, and the output of their import."""
    data = tmp_path_factory.mktemp("data")
    done = run_import(data, *manuals.values())
    assert done.returncode == 0, done.stderr
    return data, done.stdout


@pytest.fixture(scope="module")
def server(library):
    """A server of that library."""
    server = Server("--data", library[0])
    yield server
    assert server.stop() == 0, server.output


@pytest.fixture(scope="module")
def books(server, manuals):
    """The books by the name of their package, identified by their page counts."""
    listed = json.loads(fetch(server.url + "api/books"))
    counts = {pages_by_pdfinfo(path): package for package, path in manuals.items()}
    assert len(counts) == len(manuals)
    return {counts[book["pages"]]: book for book in listed if book["pages"] in counts}


def test_each_has_a_line_and_the_pages_that_pdfinfo_counts(library, manuals):
    lines = library[1].splitlines()
    assert len(lines) == len(manuals)
    for line, path in zip(lines, manuals.values(), strict=True):
        assert f", pdf, {pages_by_pdfinfo(path)} pages, " in line.lower()


@pytest.mark.parametrize("package", WORDS)
def test_first_middle_and_last_page_are_shown(server, books, package):
    book = books[package]
    for page in (0, book["pages"] // 2, book["pages"] - 1):
        image = fetch(f"{server.url}b/{book['id']}/p/{page}/screen")
        assert len(image) > 1000
        assert image[:4] == b"RIFF" or image[:2] == b"\xff\xd8", image[:16]


@pytest.mark.parametrize("package", WORDS)
def test_its_words_are_found_where_they_stand(server, books, package):
    book = books[package]
    for word in WORDS[package]:
        query = urllib.parse.urlencode({"q": word, "book": book["id"], "limit": 200})
        hits = wait_for_hits(f"{server.url}api/search?{query}")
        assert all(hit["book"] == book["id"] for hit in hits)
        first = hits[0]
        text = json.loads(
            fetch(f"{server.url}api/books/{book['id']}/pages/{first['page']}/text")
        )["text"]
        assert word.split()[0].lower() in text.lower()
        assert first["boxes"], "a hit has no place on its page"
        assert all(0 <= edge <= 1 for box in first["boxes"] for edge in box)


def wait_for_hits(url, seconds=120):
    """Polls until the words are found, because they are indexed in the background."""
    import time

    until = time.monotonic() + seconds
    while True:
        hits = json.loads(fetch(url))["hits"]
        if hits or time.monotonic() > until:
            assert hits, f"nothing is found at {url}"
            return hits
        time.sleep(0.2)


def test_outlines_lead_to_pages(server, books):
    entries = json.loads(fetch(f"{server.url}api/books/{books['zsh-doc']['id']}/outline"))
    assert len(entries) > 100
    assert all(
        entry["page"] is None or 0 <= entry["page"] < books["zsh-doc"]["pages"]
        for entry in entries
    )


def test_damaged_and_locked_files_say_what_is_wrong(corpus, tmp_path):
    """Each file of the corpora either becomes a book, or gets one line that says why not."""
    assert len(corpus) > 100
    said = []
    for path in corpus:
        done = run_import(tmp_path, path)
        assert done.returncode in (0, 1), f"{path} ended with {done.returncode}: {done.stderr}"
        if done.returncode == 0:
            assert len(done.stdout.splitlines()) == 1, done.stdout
        else:
            reason = done.stderr.splitlines()[0]
            assert reason.startswith(f"{path}: ") and reason.endswith((".", ")")), reason
            said.append(reason)
    assert any("password" in reason for reason in said)
    assert any("damaged" in reason for reason in said)


def test_a_book_of_the_corpus_that_is_damaged_hurts_no_other(server, books):
    assert struct.unpack("<I", fetch(f"{server.url}b/{books['zsh-doc']['id']}/p/1/thumb")[4:8])
    with pytest.raises(urllib.error.HTTPError) as refused:
        fetch(f"{server.url}b/nothing/p/0/screen")
    assert refused.value.code == 404
