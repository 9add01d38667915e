"""Paper in motion: the touched point under the finger, no gaps between strips, and the same picture as at rest."""

import contextlib
import math

import pytest
from PIL import Image, ImageChops, ImageStat

from chromium import Chromium
from figures.drawing import Shelf, finger_errors, stage_width
from figures.light import BUSY, HINGES, SHADOW, THICK, brightness, grain, valleys
from figures.seams import POSES, SLANTED, leaks
from firefox import Firefox
from steps import BOTH, BOTH_IN_ALL, MOVING, mainly

pytestmark = MOVING

FINGER_PIXELS = 1.5
CORNER = 0.22  # below the middle, as a fraction of the stage's width: the lower corner leads
SIZE = (1024, 768)
# Of 255: a browser that draws in software rounds down at each of two layers.
ROUNDING = 2.5
# The upper pages of both sides in both poses, in shares of the window, without edges, corners and the gutter.
PAGES = ((0.26, 0.2, 0.44, 0.8), (0.56, 0.2, 0.74, 0.8))
SOME_POSES = POSES[1:4:2] + SLANTED[1:4:2]
# Shows the picture of motion at rest, or the one of rest again.
DRAWN_MOVING = """(async () => {
  document.body.classList.%s('moving')
  return new Promise((done) => setTimeout(done, 300, 1))
})()"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of the two libraries and of the plain page."""
    return tmp_path_factory.mktemp("paper")


@pytest.fixture(scope="module")
def shelf(folder):
    """A server with one book on paper and on board."""
    shelf = Shelf(folder)
    yield shelf
    shelf.close()


@pytest.fixture(scope="module")
def plain(folder, shelf):
    """The same, with a page that draws motion as it draws rest."""
    plain = Shelf(folder, is_plain=True)
    yield plain
    plain.close()


# The browsers of other tests draw fewer pixels.
@pytest.fixture(scope="module")
def fine_chromium(chromium):
    """Chromium with all pixels."""
    browser = Chromium(beside=chromium)
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def fine_firefox():
    """Firefox with all pixels."""
    browser = Firefox()
    yield browser
    browser.close()


@pytest.fixture
def fine(browser, request):
    """The browser of the test, with all pixels."""
    name = "firefox" if type(browser).__name__ == "Firefox" else "chromium"
    return request.getfixturevalue(f"fine_{name}")


def shot(reader, out, name):
    """Returns a screenshot."""
    path = out / f"paper-{reader.name}-{name}.png"
    reader.screenshot(path)
    with Image.open(path) as image:
        return image.convert("RGB")


def cropped(image, box):
    """Returns a part of an image, given in shares of its size."""
    return image.crop(tuple(round(share * image.size[n % 2]) for n, share in enumerate(box)))


def assert_alike(rest, motion, most):
    """Asserts that two pictures of the pages differ by their resampling only; `most` is of 255."""
    for page in PAGES:
        one, other = (cropped(picture, page) for picture in (rest, motion))
        brightness = [ImageStat.Stat(picture.convert("L")).mean[0] for picture in (one, other)]
        assert math.isclose(*brightness, abs_tol=ROUNDING), (page, brightness)
        # Over a few pixels, which resampling does not change, both are the same.
        blurred = [picture.resize((picture.width // 8, picture.height // 8), Image.Resampling.BOX)
                   for picture in (one, other)]
        difference = ImageChops.difference(*blurred).convert("L")
        assert ImageStat.Stat(difference).mean[0] < most, page
        assert difference.getextrema()[1] < 40, (page, difference.getextrema())


@BOTH
@mainly("ratio, poses", (1, SOME_POSES), (1, POSES + SLANTED), (2, SOME_POSES))
def test_nothing_shows_through_between_the_strips_of_a_bent_leaf(fine, shelf, ratio, poses):
    for found in leaks(fine, shelf.server.url, (ratio,), poses):
        assert found.inspected > 3000, found
        assert found.pixels == 0, found


@BOTH
@mainly("is_flat", False, True)
def test_the_touched_paper_stays_under_the_finger(fine, shelf, is_flat):
    with contextlib.closing(shelf.open(fine, SIZE, "paper", is_flat)) as reader:
        errors = finger_errors(reader, SIZE) + finger_errors(reader, SIZE, height=CORNER)
        assert all(error <= FINGER_PIXELS for error in errors), errors
        assert reader.errors == []


@BOTH
@mainly("is_flat", False, True)
def test_text_at_rest_is_drawn_as_without_bitmaps(fine, shelf, plain, out, is_flat):
    pictures = []
    for server in (shelf, plain):
        with contextlib.closing(server.open(fine, SIZE, "paper", is_flat)) as reader:
            pictures.append(shot(reader, out, f"rest-{len(pictures)}"))
    for page in PAGES:
        one, other = (cropped(picture, page) for picture in pictures)
        assert ImageChops.difference(one, other).getbbox() is None, page


@BOTH
@mainly("is_flat", False, True)
def test_motion_starts_and_ends_without_a_flash(fine, shelf, out, is_flat):
    """The picture of motion differs from that of rest by its resampling, but not in brightness or place."""
    with contextlib.closing(shelf.open(fine, SIZE, "paper", is_flat)) as reader:
        rest = shot(reader, out, "rest")
        reader.evaluate(DRAWN_MOVING % "add")
        motion = shot(reader, out, "motion")
        reader.evaluate(DRAWN_MOVING % "remove")
        again = shot(reader, out, "again")
    for page in PAGES:
        assert ImageChops.difference(cropped(rest, page), cropped(again, page)).getbbox() is None
    assert_alike(rest, motion, 2)


# Rows of the flat pages without print.
BLANK = (110, 150)
LIGHT = 3  # of 255, the step at a hinge that cannot be seen


# Whether a leaf is bent, and its strips no longer move.
STILL = f"""(async () => {{
  const before = JSON.stringify({HINGES})
  await new Promise((done) => setTimeout(done, 150))
  return before !== '[]' && before === JSON.stringify({HINGES})
}})()"""


@contextlib.contextmanager
def held(reader, place):
    """Holds a leaf by its outer part, at a place to the right of the spine in shares of the stage's width."""
    x, y = SIZE[0] / 2 + 0.3 * stage_width(SIZE), SIZE[1] / 2
    reader.press([(x, y)])
    reader.move([(SIZE[0] / 2 + place * stage_width(SIZE), y)], 12)
    # The leaf has come to rest under the finger: the bend of its strips no longer changes.
    reader.wait_for(f"await {STILL}")
    yield
    reader.move([(x, y)], 12)
    reader.lift()
    reader.wait_for("__lectern.isReady")


@BOTH_IN_ALL
def test_a_turning_leaf_is_paper_in_one_light_and_throws_a_shadow(fine, shelf, out):
    """On a flat book, also where the page draws as little as it can."""
    with contextlib.closing(shelf.open(fine, SIZE, "paper", is_flat=True, before=BUSY)) as reader:
        path = out / f"paper-{reader.name}-light.png"
        # The verso is white; its strips beyond the first ones are seen.
        with held(reader, -0.04):
            hinges = reader.evaluate(HINGES)
            reader.screenshot(path)
        assert [strip for strip, _, _ in hinges] == list(range(10))
        row = brightness(path, 0, BLANK[0], SIZE[0], BLANK[1])
        for _, _, hinge in hinges[4:8]:
            x = round(hinge)
            assert abs(row[x - 2] - row[x + 2]) <= LIGHT, (x, row[x - 4:x + 5])
        with held(reader, -0.2):
            hinges = reader.evaluate(HINGES)
            reader.screenshot(path)
        row = brightness(path, 0, BLANK[0], SIZE[0], BLANK[1])
        leaf = row[round(hinges[9][2]) + 12:round(hinges[2][1])]
        assert min(leaf) > 0.75 * max(leaf), "paper lets light through"
        edge = round(hinges[9][2])
        assert 0.5 < grain(path, edge + 20, BLANK[0], edge + 60, BLANK[1]) < 4
        assert grain(path, 130, BLANK[0], 170, BLANK[1]) < 0.1, "the page below is as smooth as at rest"
    with contextlib.closing(shelf.open(fine, SIZE, "paper", is_flat=True)) as reader, held(reader, -0.2):
        edge = round(reader.evaluate(HINGES)[9][2])
        shades = []
        for is_shown in ("true", "false"):
            assert reader.evaluate(SHADOW % is_shown)
            reader.screenshot(path)
            shades.append(brightness(path, edge - 40, 360, edge - 10, 380))
        assert all(lit - dark >= 5 for dark, lit in zip(*shades, strict=True)), shades


@BOTH_IN_ALL
def test_the_edges_of_a_flat_book_show_its_leaves_where_pixels_are_coarse(fine, shelf, out):
    with contextlib.closing(shelf.open(fine, SIZE, "paper", is_flat=True)) as reader:
        assert reader.evaluate(THICK)
        path = out / f"paper-{reader.name}-edges.png"
        reader.screenshot(path)
        # From the page to the board.
        row = brightness(path, 916, 370, 932, 390)
        assert valleys(row, 14) >= 3, row


# The number of bitmaps in the page, and their millions of bytes.
BITMAPS = """(() => {
  const all = [...document.querySelectorAll('#table canvas')]
  return [all.length, all.reduce((sum, { width, height }) => sum + 4 * width * height, 0) / 1e6]
})()"""


@mainly("size, ratio", (SIZE, 1), ((390, 844), 3))
def test_bitmaps_stay_few_however_many_leaves_turn(chromium, shelf, size, ratio):
    with contextlib.closing(shelf.open(chromium, size, "paper", ratio=ratio)) as reader:
        for _ in range(9):
            if size[0] < size[1]:
                # A phone moves to the right page first.
                reader.key("ArrowRight")
            with reader.settling("book"):
                reader.key("ArrowRight")
        # The page gives up what it no longer needs shortly after it rests.
        reader.wait_for(f"__lectern.isReady && (([count, megabytes]) => count <= 60 && megabytes < 64)({BITMAPS})")
        assert reader.evaluate(BITMAPS)[0] > 10
