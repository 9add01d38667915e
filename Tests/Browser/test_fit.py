"""Windows that are fitted to the width of the words, or to half of a page."""

import pytest
from PIL import Image

from a4 import A4, MARGIN, PAGES, REST, TITLE, fit, moving, text_server
from controls import caption, click, open_title, text_of
from steps import BOTH, BOTH_IN_ALL

X_HEIGHT_MIN = 4.4  # CSS px
PHONE = {"width": 390, "height": 844, "ratio": 3}
LAPTOP = {"width": 1366, "height": 768}
# The left, top, right and bottom edges of the pages that are in the window, by their indices.
PAGES_SHOWN = """Object.fromEntries(__lectern.stage.spread.map(({ root, content: { index } }) => {
  const { left, top, right, bottom } = root.getBoundingClientRect()
  return [index, [left, top, right, bottom]]
}).filter(([, [left, , right]]) => right > 40 && left < innerWidth - 40))"""


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """A server with a document of A4 pages."""
    with text_server(tmp_path_factory.mktemp("texts")) as server:
        yield server


@pytest.fixture
def window():
    """Opens windows of a size, and closes them."""
    readers = []

    def make(browser, **options):
        readers.append(browser.reader(**options))
        return readers[-1]

    yield make
    for reader in readers:
        reader.close()


# The left end of the lines of a page, and the distance of their right end from the window's right edge, in CSS px.
LINES_OF = """(([left, , right]) => [left + %f * (right - left), innerWidth - right + %f * (right - left)])(
  (%s)['%d'] ?? [NaN, 0, NaN])"""


def await_words(reader, index):
    """Waits until the lines of a page fill the width of the window."""
    ends = LINES_OF % (MARGIN / A4[0], MARGIN / A4[0], PAGES_SHOWN, index)
    place = f"document.querySelector('.place')?.textContent === '{index - 1} of {PAGES}'"
    reader.wait_for(f"{REST} && {place} && {ends}.every((end) => end >= 0 && end < 2.5)")
    assert not reader.evaluate("document.body.dataset.zoomed === 'true'")


def x_height(reader, path):
    """Returns the height of the last word of a line in the middle of the window, in CSS px."""
    reader.screenshot(path)
    image = Image.open(path).convert("L")
    ratio = image.width / PHONE["width"]
    # The middle of the last word, which has no letters but x.
    top, bottom = image.height // 4, image.height // 2
    strip = image.crop((int(image.width - 16 * ratio), top, int(image.width - 3 * ratio), bottom))
    rows = [strip.crop((0, y, strip.width, y + 1)).getextrema()[0] < 128 for y in range(strip.height)]
    runs, run = [], 0
    for is_dark in rows:
        if is_dark:
            run += 1
        elif run:
            runs.append(run)
            run = 0
    return sorted(runs)[len(runs) // 2] / ratio


@BOTH
def test_the_words_of_a_page_fill_the_width_of_a_phone_and_turning_keeps_them_so(browser, texts, window, tmp_path):
    reader = window(browser, **PHONE)
    open_title(reader, texts.url, TITLE)
    assert caption(reader)["isFlat"]
    fit(reader, "Width of the text")

    await_words(reader, 2)
    assert x_height(reader, tmp_path / "words.png") >= X_HEIGHT_MIN
    # By a tap, by a swipe and by keys.
    reader.press([(0.85 * PHONE["width"], 0.5 * PHONE["height"])], touch=True)
    reader.lift()
    await_words(reader, 3)
    reader.press([(0.9 * PHONE["width"], 0.6 * PHONE["height"])], touch=True)
    reader.move([(0.1 * PHONE["width"], 0.6 * PHONE["height"])], 12)
    reader.lift()
    await_words(reader, 4)
    reader.key("PageDown")
    await_words(reader, 5)
    reader.key("ArrowLeft")
    await_words(reader, 4)
    # The browser keeps the choice for the book; a window that opens it begins with the first page of the spread.
    reader.open(reader.evaluate("location.href"))
    await_words(reader, 3)
    fit(reader, "Whole page")
    left, _, right, _ = reader.evaluate(PAGES_SHOWN)["3"]
    assert abs(left) < 1 and abs(right - PHONE["width"]) < 1
    assert not reader.errors


def test_half_a_page_is_offered_where_it_is_larger_than_a_page(chromium, texts, window):
    for size, isOffered in ((PHONE, False), (LAPTOP, True)):
        reader = window(chromium, **size)
        open_title(reader, texts.url, TITLE)
        click(reader, "[aria-keyshortcuts=W]")
        reader.wait_for("document.querySelector('dialog[open] .entries')")
        assert ("Half a page" in text_of(reader, "dialog[open] .entries")) == isOffered


@BOTH_IN_ALL
def test_half_pages_turn_the_second_half_first_and_then_the_leaf(browser, texts, window):
    reader = window(browser, **LAPTOP)
    open_title(reader, texts.url, TITLE)
    fit(reader, "Half a page")
    seen = []
    for _ in range(5):
        reader.wait_for(f"{REST} && Object.keys({PAGES_SHOWN}).length > 0")
        shown = reader.evaluate(PAGES_SHOWN)
        place = text_of(reader, ".place")
        middle = LAPTOP["height"] / 2
        page = min(shown.values(), key=lambda box: abs(box[0] + box[2] - LAPTOP["width"]))
        seen.append((place, "upper" if abs(page[1] - 64) < 2 else "lower" if abs(page[3] - 704) < 2 else page))
        assert page[1] < middle < page[3]
        with moving(reader):
            reader.key("PageDown")
    first = f"1 of {PAGES}"
    assert seen == [
        (first, "upper"), (first, "lower"),
        *((f"{number} of {PAGES}", half) for number in (2, 3) for half in ("upper", "lower")),
    ][: len(seen)]
    assert not reader.errors


@BOTH_IN_ALL
def test_a_magnified_page_turns_by_a_swipe_from_its_edge(browser, texts, window):
    reader = window(browser, **LAPTOP)
    open_title(reader, texts.url, TITLE)
    page = caption(reader)["page"]
    for _ in range(3):
        reader.key("+")
    bigger = "__lectern.stage.matrix[0] > 2 * __lectern.session.framing.scale"
    reader.wait_for(f"{bigger} && {REST} && document.body.dataset.zoomed === 'true'")

    def swipe():
        reader.press([(1200, 400)], touch=True)
        reader.move([(200, 400)], 12)
        reader.lift()

    swipe()
    rights = "__lectern.stage.spread.map(({ root }) => root.getBoundingClientRect().right)"
    reader.wait_for(f"{REST} && Math.abs(Math.max(...{rights}) - innerWidth) < 1")
    assert caption(reader)["page"] == page
    swipe()
    reader.wait_for(f"__lectern.caption.page > {page} && {bigger} && {REST}")
    assert not reader.errors
