"""The flat pose of the open book, and each reader's zoom in it."""

import pytest

from controls import WAKE, camera, caption, click, reach
from reader import CENTRE
from steps import MOVING, BOTH, BOTH_IN_ALL, CLOSE, LEFT, RIGHT, WIDE, in_book

FLAT = "__lectern.caption.isFlat"
REST = "__lectern.isReady"
# A pinch beyond the flat pose continues into the zoom; this one ends at the pose.
APART = 120


def lie_flat(reader, open_books):
    """Opens a book and lays it flat."""
    in_book(reader, open_books)
    with reader.settling("book"):
        reader.key("f")
    reader.wait_for(FLAT)
    return reader.look()


def zoomed_in(reader, open_books):
    """Lays a book flat and zooms about the middle."""
    lie_flat(reader, open_books)
    reader.pinch(CENTRE, CLOSE, 3 * CLOSE)
    reader.wait_for(f"{REST} && document.body.dataset.zoomed === 'true'")


@BOTH
def test_a_pinch_out_lays_the_book_flat(reader, open_books):
    in_book(reader, open_books)
    with reader.settling("book"):
        reader.pinch(CENTRE, CLOSE, WIDE)
    reader.wait_for(FLAT)


@MOVING
@BOTH
def test_at_rest_a_flat_page_matches_the_pixels_of_the_screen(reader, open_books):
    lie_flat(reader, open_books)
    written = (
        "[...document.querySelectorAll('#stage .el[data-kind=page]')]"
        ".filter(page => page.style.visibility !== 'hidden').map(page => page.style.transform)"
    )
    reader.wait_for(f"{REST} && {written}.every(text => text.startsWith('matrix('))")
    reader.press([RIGHT])
    reader.move([(RIGHT[0] - 200, RIGHT[1])], 10)
    assert all(text.startswith("matrix3d(") for text in reader.evaluate(written))
    reader.lift()


@BOTH_IN_ALL
def test_a_wider_pinch_zooms_about_the_fingers(reader, open_books):
    zoomed_in(reader, open_books)
    zoom, _, _ = camera(reader)
    assert zoom > 1.5
    assert reader.look().spread == [1, 2]


@BOTH_IN_ALL
def test_while_zoomed_a_finger_pans_and_turns_no_leaf(reader, open_books):
    zoomed_in(reader, open_books)
    before, spread = camera(reader), reader.look().spread
    reader.drag((600, 400), (480, 340), touch=True)
    reader.wait_for(REST)
    after = camera(reader)
    assert after[0] == pytest.approx(before[0])
    assert after[1] < before[1] - 20
    assert reader.look().spread == spread


def test_each_pinch_in_goes_back_a_step(reader, open_books):
    zoomed_in(reader, open_books)
    reader.pinch(CENTRE, WIDE, CLOSE)
    reader.wait_for(f"{REST} && document.body.dataset.zoomed === 'false'")
    assert caption(reader)["isFlat"], "the zoom ends on the flat book"
    with reader.settling("book"):
        reader.pinch(CENTRE, WIDE, CLOSE)
    reader.wait_for(f"!{FLAT}")
    with reader.settling("shelf"):
        reader.pinch(CENTRE, WIDE, CLOSE)


def test_a_leaf_of_the_flat_book_turns(reader, open_books):
    lie_flat(reader, open_books)
    with reader.settling("book"):
        reader.drag(RIGHT, LEFT)
    assert reader.look().spread == [3, 4]
    assert caption(reader)["isFlat"]


@BOTH_IN_ALL
def test_the_key_and_the_control_change_the_pose(reader, open_books):
    lie_flat(reader, open_books)
    with reader.settling("book"):
        reader.key("f")
    reader.wait_for(f"!{FLAT}")
    with reader.settling("book"):
        click(reader, "[aria-label='Lay the book flat']")
    reader.wait_for(FLAT)
    with reader.settling("book"):
        click(reader, "[aria-label='Stand the book up']")
    reader.wait_for(f"!{FLAT}")


def test_each_escape_goes_back_a_step(reader, open_books):
    zoomed_in(reader, open_books)
    reader.key("Escape")
    reader.wait_for(f"{REST} && document.body.dataset.zoomed === 'false'")
    with reader.settling("book"):
        reader.key("Escape")
    reader.wait_for(f"!{FLAT}")
    with reader.settling("shelf"):
        reader.key("Escape")


@BOTH_IN_ALL
def test_keys_and_controls_zoom(reader, open_books):
    lie_flat(reader, open_books)
    reader.key("+")
    reader.wait_for(f"{REST} && document.body.dataset.zoomed === 'true'")
    reader.key("0")
    reader.wait_for(f"{REST} && document.body.dataset.zoomed === 'false'")
    click(reader, "#bookbar [aria-label=Larger]")
    reader.wait_for(f"{REST} && document.body.dataset.zoomed === 'true'")
    before = camera(reader)[0]
    click(reader, "#loupe [aria-label=Larger]")
    reader.wait_for(f"{REST} && ({ZOOM}) > {before} * 1.2")
    click(reader, "#loupe .plain")
    reader.wait_for(f"{REST} && document.body.dataset.zoomed === 'false'")
    assert camera(reader)[0] == pytest.approx(1, abs=1e-3)


ZOOM = (
    "new DOMMatrix(document.getElementById('stage').style.transform).m11"
    " / Math.min(innerWidth / 1024, innerHeight / 768)"
)


@BOTH_IN_ALL
def test_no_control_covers_a_page_of_the_flat_book(reader, open_books):
    view = lie_flat(reader, open_books)
    reach(reader, "#bookbar [aria-label=Contents]")
    assert reader.evaluate(WAKE)
    controls = reader.evaluate(
        "[...document.querySelectorAll('#top > *, #bookbar button, #bookbar .fore')]"
        ".map(one => one.getBoundingClientRect()).filter(box => box.width > 1)"
        ".map(box => [box.left, box.top, box.right, box.bottom])"
    )
    assert len(controls) > 6
    for left, top, right, bottom in controls:
        for page, face in view.of("page").items():
            x0, y0, x1, y1 = face["box"]
            apart = right <= x0 or left >= x1 or bottom <= y0 + 1 or top >= y1 - 1
            assert apart, f"{(left, top, right, bottom)} lies on page {page}: {face['box']}"
