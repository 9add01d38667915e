"""The flat pose of the open book, and each reader's zoom in it."""

import pytest

from controls import WAKE, camera, caption, click
from reader import CENTRE
from steps import BOTH, BOTH_IN_ALL, CLOSE, LEFT, MOVING, RIGHT, WIDE, in_book

FLAT = "__lectern.caption.isFlat"
REST = "__lectern.isReady"
ZOOMED = f"{REST} && document.body.dataset.zoomed === 'true'"
WHOLE = f"{REST} && document.body.dataset.zoomed === 'false'"
ZOOM = (
    "new DOMMatrix(document.getElementById('stage').style.transform).m11"
    " / Math.min(innerWidth / 1024, innerHeight / 768)"
)


def lie_flat(reader, open_books):
    """Opens a book and lays it flat."""
    in_book(reader, open_books)
    with reader.settling("book"):
        reader.key("f")
    reader.wait_for(FLAT)
    return reader.look()


@BOTH
def test_a_pinch_out_lays_the_book_flat_and_its_leaves_turn(reader, open_books):
    in_book(reader, open_books)
    with reader.settling("book"):
        reader.pinch(CENTRE, CLOSE, WIDE)
    reader.wait_for(FLAT)
    # A pinch beyond the flat pose continues into the zoom.
    reader.key("0")
    reader.wait_for(WHOLE)
    with reader.settling("book"):
        reader.drag(RIGHT, LEFT)
    assert reader.look().spread == [3, 4]
    assert caption(reader)["isFlat"]


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
    reader.wait_for(f"{written}.every(text => text.startsWith('matrix3d('))")
    reader.lift()


@BOTH_IN_ALL
def test_a_pinch_zooms_about_the_fingers_one_finger_pans_and_each_pinch_in_goes_back_a_step(reader, open_books):
    spread = lie_flat(reader, open_books).spread
    reader.pinch(CENTRE, CLOSE, 3 * CLOSE)
    reader.wait_for(ZOOMED)
    before = camera(reader)
    assert before[0] > 1.5
    assert reader.look().spread == spread

    reader.drag((600, 400), (480, 340), touch=True)
    reader.wait_for(f"{REST} && {MOVED % before[1]}")
    assert camera(reader)[0] == pytest.approx(before[0])
    assert reader.look().spread == spread, "a finger that pans turns no leaf"

    reader.pinch(CENTRE, WIDE, CLOSE)
    reader.wait_for(WHOLE)
    assert caption(reader)["isFlat"], "the zoom ends on the flat book"
    with reader.settling("book"):
        reader.pinch(CENTRE, WIDE, CLOSE)
    reader.wait_for(f"!{FLAT}")
    with reader.settling("shelf"):
        reader.pinch(CENTRE, WIDE, CLOSE)


# Whether the camera has moved to the left from a place.
MOVED = "new DOMMatrix(document.getElementById('stage').style.transform).m41 < %s - 20"


@BOTH_IN_ALL
def test_the_key_and_the_control_change_the_pose(reader, open_books):
    lie_flat(reader, open_books)
    with reader.settling("book"):
        reader.key("f")
    reader.wait_for(f"!{FLAT}")
    with reader.settling("book"):
        click(reader, "[aria-label='Lay the book flat']")
    reader.wait_for(FLAT)
    assert_nothing_is_covered(reader)
    with reader.settling("book"):
        click(reader, "[aria-label='Stand the book up']")
    reader.wait_for(f"!{FLAT}")


def assert_nothing_is_covered(reader):
    """Asserts that no control covers a page of the flat book."""
    assert reader.evaluate(WAKE)
    controls = reader.evaluate(
        "[...document.querySelectorAll('#top > *, #bookbar button, #bookbar .fore')]"
        ".map(one => one.getBoundingClientRect()).filter(box => box.width > 1)"
        ".map(box => [box.left, box.top, box.right, box.bottom])"
    )
    assert len(controls) > 6
    pages = reader.look().of("page")
    for left, top, right, bottom in controls:
        for page, face in pages.items():
            x0, y0, x1, y1 = face["box"]
            apart = right <= x0 or left >= x1 or bottom <= y0 + 1 or top >= y1 - 1
            assert apart, f"{(left, top, right, bottom)} lies on page {page}: {face['box']}"


@BOTH_IN_ALL
def test_keys_and_controls_zoom(reader, open_books):
    lie_flat(reader, open_books)
    # Only the search has a magnifier for its icon.
    glass = reader.evaluate("document.querySelector('#bookbar [aria-label=Search] path').getAttribute('d')")
    paths = reader.evaluate("[...document.querySelectorAll('#bookbar path, #loupe path')].map(one => one.outerHTML)")
    assert sum(glass[:20] in path for path in paths) == 1
    click(reader, "#bookbar [aria-label=Larger]")
    reader.wait_for(ZOOMED)
    before = camera(reader)[0]
    click(reader, "#loupe [aria-label=Larger]")
    reader.wait_for(f"{REST} && ({ZOOM}) > {before} * 1.2")
    click(reader, "#loupe .plain")
    reader.wait_for(WHOLE)
    assert camera(reader)[0] == pytest.approx(1, abs=1e-3)
    reader.key("+")
    reader.wait_for(ZOOMED)
    reader.key("0")
    reader.wait_for(WHOLE)

    # Each Escape goes back a step.
    reader.key("+")
    reader.wait_for(ZOOMED)
    reader.key("Escape")
    reader.wait_for(WHOLE)
    with reader.settling("book"):
        reader.key("Escape")
    reader.wait_for(f"!{FLAT}")
    with reader.settling("shelf"):
        reader.key("Escape")
