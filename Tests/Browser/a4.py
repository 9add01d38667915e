"""A document of A4 pages of text of eleven points, and windows that are fitted to it."""

import contextlib

from bookserver import serving
from controls import click

TITLE, PAGES = "Eleven Points", 12
A4 = (595.28, 841.89)  # points
MARGIN, SIZE, LINES, LEADING = 72, 11, 48, 14.5  # points
ENDING, ENDING_WIDTH = "xxxx", 4 * 0.5 * SIZE  # the last word of each line, and its width in Helvetica
REST = "__lectern.isReady"


def text_pdf():
    """Returns a PDF of A4 pages that are full of text of eleven points."""
    bodies = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{' '.join(f'{4 + 2 * page} 0 R' for page in range(PAGES))}]/Count {PAGES}>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    end = A4[0] - MARGIN - ENDING_WIDTH
    for page in range(PAGES):
        words = ""
        for line in range(LINES):
            y = A4[1] - MARGIN - SIZE - line * LEADING
            words += f"BT /F {SIZE} Tf {MARGIN} {y:.2f} Td (The ferns of page {page}, in line {line}) Tj ET\n"
            words += f"BT /F {SIZE} Tf {end:.2f} {y:.2f} Td ({ENDING}) Tj ET\n"
        bodies.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {A4[0]} {A4[1]}]/Resources<</Font<</F 3 0 R>>>>"
            f"/Contents {5 + 2 * page} 0 R>>"
        )
        bodies.append(f"<</Length {len(words)}>>stream\n{words}\nendstream")
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    return out + (
        f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n{table}"
        f"trailer<</Size {len(bodies) + 1}/Root 1 0 R>>\nstartxref\n{len(out)}\n%%EOF\n"
    ).encode()


@contextlib.contextmanager
def text_server(folder):
    """Starts a server with the document, in a new folder, and stops it at the end."""
    (folder / "library").mkdir()
    (folder / "library" / f"{TITLE}.pdf").write_bytes(text_pdf())
    with serving(folder, 1) as server:
        yield server


@contextlib.contextmanager
def moving(reader):
    """Waits after an input until the window shows something else at rest."""
    camera = "__lectern.stage.matrix.join()"
    before = reader.evaluate(camera)
    yield
    reader.wait_for(f"{camera} !== '{before}' && {REST}")


def fit(reader, name):
    """Chooses what fills the window by the button and the sheet."""
    click(reader, "[aria-keyshortcuts=W]")
    reader.wait_for("document.querySelector('dialog[open] .entries')")
    names = reader.evaluate("[...document.querySelectorAll('dialog[open] .entry')].map((one) => one.textContent)")
    with moving(reader):
        click(reader, f"dialog[open] li:nth-child({1 + names.index(name)}) .entry")
        reader.wait_for("!document.querySelector('dialog[open]')")
