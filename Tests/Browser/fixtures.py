"""A small library of generated books: a PDF with an outline, links and text, and a comic."""

import struct
import zipfile
import zlib

PDF_TITLE = "Ferns of Wet Places"
PDF_PAGES = 12
CHAPTERS = [(0, "Before we begin", 1), (0, "Of wet walls", 7), (1, "Lady-fern", 9)]
# The eighth page, whose printed number is also 8.
INNER_LINK, INNER_TARGET = "To page 8", 7
OUTER_LINK, OUTER_ADDRESS = "To example.org", "https://example.org/ferns"
RARE_WORD, RARE_PAGE = "selkie", 9
# The faces before the first page: the cover and its blank inside.
LEAD = 2
COMIC_TITLE = "Two Geese"
COMIC_PAGES = 8
COMIC_WIDE = 3  # the page that is twice as wide as the others
COMIC_LEFT, COMIC_RIGHT = (100, 90, 100), (20, 160, 60)  # the colours of its halves
WIDTH, HEIGHT = 362, 568


def pdf(pages=PDF_PAGES, title=PDF_TITLE, rare_page=RARE_PAGE, size=(WIDTH, HEIGHT), romans=0):
    """Returns a PDF whose pages show their numbers; one page has a word that no other has.

    The labels of the first pages can be Roman numbers.
    """
    font, info, root, tree, outlines = 1, 2, 3, 4, 5
    first_page = 6
    first_chapter = first_page + 2 * pages
    first_link = first_chapter + len(CHAPTERS)
    labels = f"/PageLabels<</Nums[0<</S/r>>{romans}<</S/D>>]>>" if romans else ""

    def page_object(page):
        return first_page + 2 * page

    bodies = {
        font: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        info: f"<</Title({title})/Author(Ilse Marow)>>",
        root: f"<</Type/Catalog/Pages {tree} 0 R/Outlines {outlines} 0 R{labels}>>",
        outlines: f"<</Type/Outlines/First {first_chapter} 0 R/Last {first_chapter + 1} 0 R"
        f"/Count 3>>",
    }
    kids = " ".join(f"{page_object(page)} 0 R" for page in range(pages))
    bodies[tree] = f"<</Type/Pages/Kids[{kids}]/Count {pages}>>"
    for page in range(pages):
        rare = f" A {RARE_WORD} sat on it." if page == rare_page else ""
        words = f"BT /F 20 Tf 40 500 Td (Page {page}) Tj 0 -60 Td (The lady-fern.{rare}) Tj ET"
        links = {2: f"/Annots[{first_link} 0 R]", 1: f"/Annots[{first_link + 1} 0 R]"}
        bodies[page_object(page)] = (
            f"<</Type/Page/Parent {tree} 0 R/MediaBox[0 0 {size[0]} {size[1]}]"
            f"/Resources<</Font<</F {font} 0 R>>>>"
            f"/Contents {page_object(page) + 1} 0 R{links.get(page, '')}>>"
        )
        bodies[page_object(page) + 1] = f"<</Length {len(words)}>>stream\n{words}\nendstream"
    one, two, three = range(first_chapter, first_chapter + 3)
    relations = [
        f"/Parent {outlines} 0 R/Next {two} 0 R",
        f"/Parent {outlines} 0 R/Prev {one} 0 R/First {three} 0 R/Last {three} 0 R/Count 1",
        f"/Parent {two} 0 R",
    ]
    for number, (_, title, page), relation in zip(
        (one, two, three), CHAPTERS, relations, strict=True
    ):
        bodies[number] = f"<</Title({title}){relation}/Dest[{page_object(page)} 0 R/Fit]>>"
    rectangle = "/Rect[60 300 300 340]/Border[0 0 0]"
    bodies[first_link] = (
        f"<</Type/Annot/Subtype/Link{rectangle}/Dest[{page_object(INNER_TARGET)} 0 R/Fit]>>"
    )
    bodies[first_link + 1] = (
        f"<</Type/Annot/Subtype/Link{rectangle}/A<</S/URI/URI({OUTER_ADDRESS})>>>>"
    )

    out = bytearray(b"%PDF-1.4\n")
    places = {}
    for number in sorted(bodies):
        places[number] = len(out)
        out += f"{number} 0 obj\n{bodies[number]}\nendobj\n".encode()
    table = len(out)
    out += f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n".encode()
    for number in sorted(bodies):
        out += f"{places[number]:010} 00000 n \n".encode()
    out += (
        f"trailer<</Size {len(bodies) + 1}/Root {root} 0 R/Info {info} 0 R>>\n"
        f"startxref\n{table}\n%%EOF\n"
    ).encode()
    return bytes(out)


def png(width, height, colour, right=None):
    """Returns a PNG of one colour, or with another one in its right half."""

    def chunk(kind, data):
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    row = b"\0" + bytes(colour) * (width // 2) + bytes(right or colour) * (width - width // 2)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(row * height))
        + chunk(b"IEND", b"")
    )


def comic(path, pages=COMIC_PAGES, note=""):
    """Writes a comic with a plain colour for each page; one page is wider than the others, in two colours.

    The same pages and note always give the same bytes, so a library has the book once.
    """
    with zipfile.ZipFile(path, "w") as archive:
        archive.comment = note.encode()
        for page in range(pages):
            shade = 40 + 20 * page % 200
            is_wide = page == COMIC_WIDE
            width = 560 if is_wide else 280
            image = png(width, 400, (shade, 90, 200 - shade % 120), COMIC_RIGHT if is_wide else None)
            archive.writestr(undated(f"{page:03}.png"), image)


def undated(name):
    """Returns an entry of an archive with a fixed date instead of the current one."""
    return zipfile.ZipInfo(name)


def novel(path, title, chapters):
    """Writes an EPUB whose text flows, from the elements of its chapters.

    The same title and chapters always give the same bytes, like those of a comic.
    """
    texts = {f"c{number}": text for number, text in enumerate(chapters)}
    items = "".join(f'<item id="{one}" href="{one}.xhtml" media-type="application/xhtml+xml"/>' for one in texts)
    spine = "".join(f'<itemref idref="{one}"/>' for one in texts)
    with zipfile.ZipFile(path, "w") as book:
        book.writestr(undated("mimetype"), "application/epub+zip")
        book.writestr(undated("META-INF/container.xml"),
                      '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>')
        book.writestr(undated("b.opf"), '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
                      f"<dc:title>{title}</dc:title><dc:creator>Ada Marsh</dc:creator><dc:language>en</dc:language>"
                      f"</metadata><manifest>{items}</manifest><spine>{spine}</spine></package>")
        for name, text in texts.items():
            book.writestr(undated(f"{name}.xhtml"),
                          '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head>'
                          f"<body>{text}</body></html>")


def make_library(folder):
    """Writes the library: one collection of two books."""
    shelf = folder / "Wet places"
    shelf.mkdir(parents=True)
    (shelf / f"{PDF_TITLE}.pdf").write_bytes(pdf())
    comic(shelf / f"{COMIC_TITLE}.cbz")
    return folder
