"""What clients request of a server over HTTP: books come and go, and their pages, texts and drawings are fetched."""

import io
import json
import time
import urllib.error
import urllib.parse
import urllib.request

from fixtures import comic, novel, pdf

ANSWER_SECONDS, IMPORT_SECONDS = 90, 120
SIZES = ("thumb", "screen", "zoom")
TYPES = {"pdf": "PDF", "cbz": "comic", "epub": "EPUB"}
WORDS = ("lady-fern", "selkie", "page", "nothing of the kind", "The", "pa")


class Desk:
    """Requests to a server."""

    def __init__(self, url):
        self._url = url

    def ask(self, path, method="GET", body=None, **fields):
        """Returns the status and the body of an answer."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        names = {name.replace("_", "-"): value for name, value in fields.items()}
        request = urllib.request.Request(self._url + path, data, names, method=method)
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as problem:
            with problem:
                return problem.code, problem.read()

    def get(self, path):
        """Returns the document at an address, which is there."""
        status, body = self.ask(path)
        assert status == 200, (path, status, body)
        return json.loads(body)

    def books(self):
        """Returns the books that can be read."""
        return [one for one in self.get("api/books") if one["state"] == "ready"]

    def begin_upload(self, name, data, sent=None):
        """Announces a file and sends it, or its first bytes; returns the status and the upload."""
        status, body = self.ask("api/uploads", "POST", {"name": name, "size": len(data)})
        if status == 201:
            path = f"api/uploads/{json.loads(body)['id']}"
            status, body = self.ask(path, "PATCH", data[:sent], Upload_Offset="0")
        return status, json.loads(body)

    def upload(self, name, data):
        """Uploads a file; returns the status and the upload, once it is read or rejected."""
        status, told = self.begin_upload(name, data)
        until = time.monotonic() + IMPORT_SECONDS
        while status == 200 and told["state"] == "importing":
            assert time.monotonic() < until, f"{name} is still being imported: {told}"
            time.sleep(0.05)
            status, told = self.ask(f"api/uploads/{told['id']}")
            told = json.loads(told)
        return status, told

    def erase(self, book):
        """Puts a book into the bin, and erases it; returns the status."""
        for path in (f"api/books/{book}", f"api/bin/{book}"):
            status, _ = self.ask(path, "DELETE")
            if status != 200:
                break
        return status


def made(kind, name):
    """Returns the bytes of a book, which depend on its name."""
    file = io.BytesIO()
    if kind == "pdf":
        return pdf(title=name)
    if kind == "cbz":
        comic(file, note=name)
    else:
        novel(file, name, [f"<h1>{name}</h1><p>The lamp of {name} was still lit.</p>"])
    return file.getvalue()


def questions(chance, books):
    """Returns an address of something that is asked for at random."""
    book = chance.choice(books)
    place = f"{book['id']}/pages/{chance.randrange(book['pages'])}"
    return chance.choice((
        "", "manifest.webmanifest", "api/books", "api/imports", "api/address", "api/uploads", "api/bin",
        "api/recordings",
        f"api/books/{book['id']}", f"api/books/{book['id']}/outline", f"api/books/{book['id']}/pages",
        f"api/books/{place}/text", f"ledges/{book['collection']}.svg", f"ledges/{book['collection']}.json",
        f"ledges/book/{book['id']}.svg", "api/search?q=" + urllib.parse.quote(chance.choice(WORDS)),
        *(f"b/{place.replace('/pages/', '/p/')}/{size}" for size in SIZES for _ in range(3)),
    ))
