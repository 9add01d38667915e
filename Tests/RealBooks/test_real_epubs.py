"""Real EPUBs, a comic of photographs and a DjVu document: each opens whole, and no word or page is lost."""

import json
import subprocess
import urllib.request
import zipfile

import pytest

from bench import rested, upload
from corpora import fetched_from_debian
from epubs import letters, pages, share_found, spine
from server import Server

# The least share of an EPUB's words that are in the text of its pages, in order.
LEAST = 0.995
PICTURES = 8


def fetch(url):
    """Requests an address, and returns the body of the response."""
    with urllib.request.urlopen(url, timeout=120) as answer:
        return answer.read()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with an empty library."""
    server = Server("--data", tmp_path_factory.mktemp("data"))
    yield server
    assert server.stop() == 0, server.output


def shown(server, book):
    """Requests the first, the middle and the last page of a book; returns the facts about it."""
    facts = json.loads(fetch(f"{server.url}api/books/{book}"))
    assert facts["state"] == "ready", facts
    for page in (0, facts["pages"] // 2, facts["pages"] - 1):
        assert len(fetch(f"{server.url}b/{book}/p/{page}/screen")) > 200
    return facts


def test_every_epub_has_its_words_in_order_and_contents_that_lead_to_pages(server, epubs):
    assert len(epubs) >= 8, epubs
    lost = {}
    for path in epubs:
        book = upload(server, path)
        facts = shown(server, book)
        rested(server)
        share, total = share_found(" ".join(spine(path)).split(), letters(" ".join(pages(server, book))))
        assert total > 100, path
        if share < LEAST:
            lost[path.name] = share
        entries = json.loads(fetch(f"{server.url}api/books/{book}/outline"))
        assert entries and all(0 <= entry["page"] < facts["pages"] for entry in entries if "page" in entry), path
    assert not lost


def test_a_comic_of_photographs_has_each_of_them_and_wide_ones_take_a_spread(server, photographs, tmp_path):
    chosen = photographs[:PICTURES]
    path = tmp_path / "photographs.cbz"
    with zipfile.ZipFile(path, "w") as archive:
        for number, photograph in enumerate(chosen):
            archive.write(photograph, f"{number:02}.jpg")
    facts = shown(server, upload(server, path))
    assert facts["pages"] == len(chosen) and facts["format"] == "zip"
    assert facts["spreads"] is True


def test_a_djvu_document_has_each_of_its_pages(server, photographs, tmp_path):
    tools = fetched_from_debian("djvulibre-bin") / "usr" / "bin"
    parts = []
    for number, photograph in enumerate(photographs[:3]):
        parts.append(tmp_path / f"{number}.djvu")
        subprocess.run([tools / "c44", "-slice", "72", photograph, parts[-1]], check=True)
    path = tmp_path / "photographs.djvu"
    subprocess.run([tools / "djvm", "-c", path, *parts], check=True)
    facts = shown(server, upload(server, path))
    assert facts["pages"] == len(parts) and facts["format"] == "djvu"
