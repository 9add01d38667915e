"""Wide pages over whole spreads, and books that are read from right to left."""

import contextlib
import json
import urllib.request

import pytest
from PIL import Image

from bookserver import serving
from controls import caption, go, open_title
from fixtures import COMIC_LEFT, COMIC_RIGHT, COMIC_TITLE, COMIC_WIDE, comic, pdf
from steps import MOVING, BOTH, BOTH_IN_ALL

SLIDES_TITLE, SLIDES = "Slides", 6
# The boxes of the faces of the open spread and of their images, by the indices of the faces.
FACES = """Object.fromEntries(__lectern.stage.spread.map(({ root, content: { index } }) => {
  const box = (node) => (({ left, right, top, bottom }) => [left, top, right, bottom])(node.getBoundingClientRect())
  const image = root.querySelector('img')
  return [index, { face: box(root.querySelector('.face')), image: image && box(image) }]
}))"""
COMIC_COUNT = 4  # the count of the caption of the comic without spreads
REST = "window.__lectern?.isReady && __lectern.isReady"
LABEL = f"{REST} && __lectern.caption.label === '%s'"


@pytest.fixture(scope="module")
def shapes(tmp_path_factory):
    """A server with slides and a comic that has a page over both pages."""
    folder = tmp_path_factory.mktemp("shapes")
    shelf = folder / "library" / "Shapes"
    shelf.mkdir(parents=True)
    (shelf / f"{SLIDES_TITLE}.pdf").write_bytes(pdf(SLIDES, SLIDES_TITLE, size=(960, 540)))
    comic(shelf / f"{COMIC_TITLE}.cbz")
    with serving(folder, 2) as server:
        yield server


def book_named(server, title):
    """Returns the library's record of a book."""
    with urllib.request.urlopen(f"{server.url}api/books", timeout=5) as answer:
        return next(book for book in json.load(answer) if book["title"] == title)


@contextlib.contextmanager
def corrected(server, title, **correction):
    """Corrects the record of a book, and takes the correction back at the end."""
    book = book_named(server, title)
    before = {name: book[name] for name in correction}
    for body in (correction, before):
        request = urllib.request.Request(
            f"{server.url}api/books/{book['id']}",
            method="PATCH",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Origin": server.url.rstrip("/")},
        )
        with urllib.request.urlopen(request, timeout=5):
            pass
        if body is correction:
            yield


def turn_to(reader, page):
    """Turns the open book to a page, flat on the table."""
    reader.wait_for(f"{REST} && __lectern.caption.isFlat")
    while caption(reader)["page"] != page:
        with reader.settling("book"):
            reader.key("PageDown" if caption(reader)["page"] < page else "PageUp")
    reader.wait_for(REST)


def open_flat(reader, server, title):
    """Opens a book and lays it flat."""
    open_title(reader, server.url, title)
    if not caption(reader)["isFlat"]:
        with reader.settling("book"):
            reader.key("f")


def colours_at(reader, path, places):
    """Returns the colours of pixels of the window."""
    reader.screenshot(path)
    with Image.open(path) as picture:
        rgb = picture.convert("RGB")
        return [rgb.getpixel((round(x), round(y))) for x, y in places]


def is_near(colour, other):
    return all(abs(one - two) < 25 for one, two in zip(colour, other, strict=True))


@MOVING
@BOTH
def test_a_wide_page_has_a_half_on_each_face_at_rest_and_in_motion(reader, shapes, tmp_path):
    open_flat(reader, shapes, COMIC_TITLE)
    turn_to(reader, COMIC_WIDE)
    faces = reader.evaluate(FACES)
    left, right = faces["3"], faces["4"]
    assert caption(reader)["label"] == "4 of 8"
    for mine, other in ((left, right), (right, left)):
        width = mine["face"][2] - mine["face"][0]
        assert mine["image"] == pytest.approx(
            [min(mine["face"][0], other["face"][0]), mine["face"][1], max(mine["face"][2], other["face"][2]),
             mine["face"][3]], abs=1)
        assert width > 100
    places = [((box["face"][0] + box["face"][2]) / 2, (box["face"][1] + box["face"][3]) / 2) for box in (left, right)]
    for is_moving in (False, True):
        reader.evaluate(f"document.body.classList.toggle('moving', {str(is_moving).lower()})")
        reader.wait_for("new Promise((done) => setTimeout(done, 100, true))")
        found = colours_at(reader, str(tmp_path / "page.png"), places)
        assert is_near(found[0], COMIC_LEFT) and is_near(found[1], COMIC_RIGHT), (is_moving, found)


@BOTH_IN_ALL
def test_each_slide_is_a_spread(reader, shapes):
    open_flat(reader, shapes, SLIDES_TITLE)
    for page in range(3):
        turn_to(reader, page)
        faces = reader.evaluate(FACES)
        assert sorted(faces) == [str(2 * page + 1), str(2 * page + 2)]
        (left, top, _, bottom), (_, _, right, _) = (faces[index]["face"] for index in sorted(faces))
        assert (right - left) / (bottom - top) == pytest.approx(16 / 9, rel=0.01)
        assert caption(reader)["label"] == f"{page + 1} of {SLIDES}"


@BOTH_IN_ALL
def test_a_reader_corrects_the_side_on_which_pages_begin_and_the_spreads(reader, shapes):
    with corrected(shapes, COMIC_TITLE, shifted=True):
        open_flat(reader, shapes, COMIC_TITLE)
        turn_to(reader, 1)
        reader.wait_for(LABEL % "2 of 8")
        turn_to(reader, 2)
        reader.wait_for(LABEL % "3 of 8")
    with corrected(shapes, COMIC_TITLE, spreads=False):
        reader.open(shapes.url)
        # The room of the last window has the book open, and hears of the correction before or after the answer to it.
        reader.wait_for(f"__lectern.isReady && __lectern.caption.count === {COMIC_COUNT}")
        turn_to(reader, COMIC_WIDE)
        reader.wait_for(LABEL % "4–5 of 8")
        # On one page, it is shown whole.
        shown = "__lectern.stage.spread.find(({ content }) => content.index === 3).root.querySelector('.face img')"
        assert reader.evaluate(f"getComputedStyle({shown}).objectFit") == "contain"


@BOTH
def test_a_book_from_right_to_left_opens_and_turns_the_other_way(reader, shapes):
    with corrected(shapes, SLIDES_TITLE, direction="rtl", spreads=False):
        go(reader, shapes.url, SLIDES_TITLE, opens=False)
        reader.wait_for(f"{REST} && __lectern.screen === 'shelf'")
        assert reader.evaluate("document.querySelector('.cover[aria-current]').classList.contains('mirrored')")
        open_flat(reader, shapes, SLIDES_TITLE)
        turn_to(reader, 0)
        for turn, label in (("ArrowLeft", "2–3 of 6"), ("ArrowRight", "1 of 6"), ("PageDown", "2–3 of 6")):
            with reader.settling("book"):
                reader.key(turn)
            assert caption(reader)["label"] == label
        faces = reader.evaluate(FACES)
        assert faces["3"]["face"][0] == pytest.approx(faces["4"]["face"][2], abs=2)
        with reader.settling("book"):
            reader.press([(200, 384)])
            reader.move([(800, 384)], 20)
            reader.lift()
        assert caption(reader)["label"] == "4–5 of 6"


@BOTH_IN_ALL
def test_the_words_of_a_slide_lie_once_over_both_halves(reader, shapes):
    open_flat(reader, shapes, SLIDES_TITLE)
    turn_to(reader, 1)
    reader.wait_for("document.querySelector('#table .text')?.offsetWidth > 0")
    layers = reader.evaluate("[...document.querySelectorAll('#table .text')].map((layer) => layer.textContent.trim())")
    assert len(layers) == 1 and layers[0].startswith("Page 1")
    faces = reader.evaluate(FACES)
    box = "(({ left, right }) => [left, right])(document.querySelector('.over').getBoundingClientRect())"
    left, right = reader.evaluate(box)
    assert [left, right] == pytest.approx([faces["3"]["face"][0], faces["4"]["face"][2]], abs=1)
