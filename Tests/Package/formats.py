"""Small books, one of each format that needs no layout engine."""

import base64
import io
import json
import subprocess
import time
import urllib.request
import zipfile

from PIL import Image

WIDTH, HEIGHT = 60, 80
WAIT_SECONDS = 60
# Those of libvips are named as its savers are.
PICTURES = ("jpg", "png", "webp", "tif", "gif", "heic", "avif", "jxl", "jp2", "svg")
CONTAINER = '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>' \
    '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
PACKAGE = '<package xmlns="http://www.idpf.org/2007/opf" version="3.0">' \
    '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>epub</dc:title>' \
    '<meta property="rendition:layout">pre-paginated</meta></metadata><manifest>' \
    '<item id="p" href="p.xhtml" media-type="application/xhtml+xml"/>' \
    '<item id="i" href="p.png" media-type="image/png"/></manifest><spine><itemref idref="p"/></spine></package>'
PAGE = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>1</title></head><body><img src="p.png"/></body></html>'
# Its font is not in the file.
TEXT = b"BT /F 60 Tf 10 10 Td (Mm) Tj ET"
PDF = b"%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n" \
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 120 80]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n" \
    b"4 0 obj<</Length %d>>stream\n%s\nendstream endobj\n" \
    b"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n" % (len(TEXT), TEXT)


def make(folder, pictures):
    """Writes the books into a folder, and returns their titles; `pictures` is a folder for what they are made of."""
    def run(*command):
        subprocess.run([str(word) for word in command], check=True, capture_output=True)

    def pack(name, entries):
        with zipfile.ZipFile(folder / name, "w") as book:
            for entry, data in entries.items():
                book.writestr(entry, data)

    noise = pictures / "noise.v"
    run("vips", "gaussnoise", noise, WIDTH, HEIGHT)
    for kind in PICTURES[:-1] + ("ppm",):
        run("vips", "cast", noise, pictures / f"1.{kind}", "uchar")
    embedded = base64.b64encode((pictures / "1.png").read_bytes()).decode()
    (pictures / "1.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{WIDTH}"'
        f' height="{HEIGHT}"><image width="{WIDTH}" height="{HEIGHT}"'
        f' xlink:href="data:image/png;base64,{embedded}"/></svg>')
    for kind in PICTURES:
        pack(f"{kind}.cbz", {f"1.{kind}": (pictures / f"1.{kind}").read_bytes()})
    pack("epub.epub", {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER, "book.opf": PACKAGE,
                       "p.xhtml": PAGE, "p.png": (pictures / "1.png").read_bytes()})
    run("c44", pictures / "1.ppm", folder / "djvu.djvu")
    (folder / "pdf.pdf").write_bytes(PDF)
    return {*PICTURES, "epub", "djvu", "pdf"}


def read(url, count):
    """Waits until a server has read a number of books, and returns them by their titles."""
    until = time.monotonic() + WAIT_SECONDS
    found = []
    while time.monotonic() < until:
        found = json.loads(urllib.request.urlopen(url + "api/books").read())
        if len(found) == count and all(book["state"] != "importing" for book in found):
            return {book["title"]: book for book in found}
        time.sleep(0.1)
    raise AssertionError(f"{count} books were not read within {WAIT_SECONDS} s: {found}")


def expect_pages(url, titles):
    """Expects that each of the books has a first page that is drawn."""
    books = read(url, len(titles))
    assert set(books) == titles
    failures = {title: book.get("failure") for title, book in books.items() if book["state"] != "ready"}
    assert failures == {}
    for title, book in books.items():
        with urllib.request.urlopen(f"{url}b/{book['id']}/p/0/screen", timeout=WAIT_SECONDS) as answer:
            picture = answer.read()
        if title == "svg":
            assert b"data:image/png" in picture
        else:
            image = Image.open(io.BytesIO(picture)).convert("L")
            # Noise, or letters: a page that is blank has one colour.
            assert image.getextrema()[1] - image.getextrema()[0] > 100, title
