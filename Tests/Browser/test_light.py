"""The light: day, night and sepia, at rest and in motion, and from the first picture on."""

import contextlib
import math

import pytest
from PIL import ImageChops, ImageStat

from controls import open_title
from figures.drawing import DRESSED, Shelf
from lights import TABLES, choose, close_settings, open_settings, stored
from server import ROOT
from steps import BOTH, BOTH_IN_ALL, MOVING, VARIANT, in_book, mainly, to_shelf
from test_paper import (  # noqa: F401
    DRAWN_MOVING, PAGES, ROUNDING, SIZE, assert_alike, cropped, fine, fine_chromium, fine_firefox, folder, shelf, shot,
)

FERNS = ROOT / "Web" / "library" / "02-reading-room" / "02-ferns-of-wet-places"
LIGHT = "document.documentElement.dataset.light"
THEME = "document.querySelector('meta[name=theme-color]').content"
# Notes what is wrong in the pictures until now: a table of another light, or an image before its tone.
WATCH = """(() => {
  window.__wrong = []
  let shown = 0
  const look = () => {
    const table = document.getElementById('table')
    if (table && table.checkVisibility()) {
      shown += 1
      if (document.documentElement.dataset.light !== '%s') window.__wrong.push('light')
      const images = [...document.querySelectorAll('.page:not(.bound) .face > img:first-of-type')]
      if ('%s' === 'night' && images.some(image => !image.dataset.tone)) window.__wrong.push('tone')
    }
    window.__shown = shown
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})()"""
# The tones of some images of the sample library, which is below the page's own files.
TONES = """(async (paths) => {
  const { toneOf } = await import('/js/settings/tone.js')
  const tones = {}
  for (const path of paths) {
    const image = new Image()
    image.src = `/library/${path}.svg`
    await image.decode()
    tones[path] = toneOf(image)
  }
  return tones
})(%s)"""
INK = ["02-reading-room/02-ferns-of-wet-places/003", "02-reading-room/02-ferns-of-wet-places/015",
       "03-music-stand/01-six-nocturnes/002", "03-music-stand/01-six-nocturnes/004",
       "02-reading-room/01-an-atlas-of-small-islands/002", "01-bedtime/03-two-geese/001"]
PICTURES = ["01-bedtime/01-the-night-ferry/004", "01-bedtime/01-the-night-ferry/010", "01-bedtime/02-rivet/003",
            "01-bedtime/05-yareach/004", "01-bedtime/04-ten-small-boats/002"]


# Whether all bitmaps are drawn: that of the table with the shadow of the book is the last one.
PAINTED = f"{DRESSED} && document.querySelectorAll('.ground').length > 1"
# Whether the boards are painted in the colour of the cover, which arrives later than the open pages.
BOARDED = """(() => {
  const stage = document.getElementById('stage')
  const board = document.querySelector('.binding.right canvas')
  if (!stage.style.getPropertyValue('--board') || !board) return false
  const wanted = document.createElement('canvas').getContext('2d')
  const probe = stage.appendChild(document.createElement('i'))
  probe.style.color = 'var(--boards)'
  wanted.fillStyle = getComputedStyle(probe).color
  probe.remove()
  wanted.fillRect(0, 0, 1, 1)
  const pixel = (context, x, y) => [...context.getImageData(x, y, 1, 1).data]
  const shown = pixel(board.getContext('2d'), Math.round(.6 * board.width), 1)
  return pixel(wanted, 0, 0).every((value, k) => Math.abs(value - shown[k]) <= 2)
})()"""
# The number of visible images that the style sheet filters or blends.
TONED = """[...document.querySelectorAll('#stage img')].filter(image =>
  image.checkVisibility({ visibilityProperty: true }) &&
  (look => look.filter !== 'none' || look.mixBlendMode !== 'normal')(getComputedStyle(image))).length"""


@pytest.fixture(scope="module")
def ferns(tmp_path_factory):
    """A server with a book of text and line art."""
    made = Shelf(tmp_path_factory.mktemp("ferns"), sample=FERNS)
    yield made
    made.close()


def brightness(image):
    """Returns the mean luminance of an image, from 0 to 255."""
    return ImageStat.Stat(image.convert("L")).mean[0]


@BOTH_IN_ALL
def test_a_chosen_light_is_shown_at_once_and_kept(reader, open_books, out):
    in_book(reader, open_books)
    assert reader.evaluate(f"{LIGHT} ?? null") is None
    day = brightness(shot(reader, out, "day"))
    seen = {}
    open_settings(reader)
    for light in ("sepia", "night"):
        choose(reader, "light", light)
        reader.wait_for(f"{LIGHT} === '{light}' && {THEME} === '{TABLES[light]}'")
        close_settings(reader)
        # The bitmap of the table is painted in the new light.
        reader.wait_for(f"{DRESSED} && document.querySelectorAll('.ground').length > 0")
        seen[light] = brightness(shot(reader, out, light))
        open_settings(reader)
    assert seen["night"] < seen["sepia"] < day
    assert seen["night"] < 0.6 * day
    assert reader.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    choose(reader, "light", "day")
    reader.wait_for(f"!{LIGHT} && {THEME} === '{TABLES['day']}'")
    assert reader.evaluate("localStorage.getItem('lectern-settings')") is None
    choose(reader, "light", "night")
    reader.wait_for(f"{LIGHT} === 'night'")
    reader.open(reader.evaluate("location.href"))
    assert reader.evaluate(LIGHT) == "night"


@BOTH
@mainly("light", "night", "sepia")
def test_the_first_picture_is_in_the_chosen_light(reader, open_books, light):
    reader.before(stored(light=light))
    reader.before(WATCH % (light, light))
    in_book(reader, open_books)
    with reader.settling("book"):
        reader.key("ArrowRight")
    assert reader.evaluate("__shown") > 1
    assert reader.evaluate("__wrong") == []
    assert reader.evaluate(THEME) == TABLES[light]


def test_the_light_follows_the_system_if_the_reader_chose_that(reader, server):
    reader.before(stored(light="system"))
    reader.page.emulate_media(color_scheme="dark")
    reader.open(server.url)
    assert reader.evaluate(LIGHT) == "night"
    reader.page.emulate_media(color_scheme="light")
    reader.wait_for(f"!{LIGHT}")
    reader.page.emulate_media(color_scheme="dark")
    reader.wait_for(f"{LIGHT} === 'night'")


def test_without_a_choice_the_light_is_that_of_the_day(reader, server):
    reader.page.emulate_media(color_scheme="dark")
    reader.open(server.url)
    assert reader.evaluate(f"{LIGHT} ?? null") is None
    assert reader.evaluate("document.querySelector('link[href*=light]')") is None


@BOTH_IN_ALL
def test_text_and_line_art_are_told_from_pictures(reader, server):
    reader.open(server.url)
    tones = reader.evaluate(TONES % (INK + PICTURES))
    assert tones == {**dict.fromkeys(INK, "ink"), **dict.fromkeys(PICTURES, "picture")}


@BOTH
def test_text_is_light_on_dark_and_pictures_are_dimmed(fine, shelf, out):  # noqa: F811
    pages = {}
    for light in ("day", "night"):
        with contextlib.closing(shelf.open(fine, SIZE, "paper", True, before=stored(light=light))) as reader:
            image = shot(reader, out, f"spread-{light}")
            pages[light] = [cropped(image, page).convert("L") for page in PAGES]
            assert reader.errors == []
    # The left page has a text, and the right one a picture.
    text, picture = zip(pages["day"], pages["night"], strict=True)
    assert brightness(text[1]) < 0.3 * brightness(text[0])
    lows, highs = text[1].getextrema()
    assert lows > 20 and highs > 140, (lows, highs)
    assert math.isclose(brightness(picture[1]) / brightness(picture[0]), 0.72, abs_tol=0.04)
    # Nothing is turned round: what was darker still is.
    one, other = (page.reduce(8).tobytes() for page in picture)
    assert all(low <= high for high, low in zip(one, other, strict=True))


def agree(reader, out, name):
    """Asserts that motion looks like rest, and that no image is filtered or blended in each of its frames."""
    rest = shot(reader, out, f"{name}-rest")
    assert reader.evaluate(TONED) > 0
    reader.evaluate(DRAWN_MOVING % "add")
    motion = shot(reader, out, f"{name}-motion")
    assert reader.evaluate(TONED) == 0
    reader.evaluate(DRAWN_MOVING % "remove")
    # Filters round, too.
    assert_alike(rest, motion, ROUNDING)


@BOTH
@mainly("light, is_flat", ("night", False), ("night", True), ("sepia", False), ("sepia", True))
def test_motion_starts_and_ends_without_a_flash_in_every_light(fine, shelf, ferns, out, light, is_flat):  # noqa: F811
    for books, name in ((shelf, "pictures"), (ferns, "text")):
        with contextlib.closing(books.open(fine, SIZE, "paper", is_flat, before=stored(light=light))) as reader:
            agree(reader, out, f"{name}-{light}-{is_flat}")
            assert reader.errors == []


def test_a_canvas_without_filters_gives_the_same_pictures(fine_chromium, shelf, ferns, out):  # noqa: F811
    none = "delete CanvasRenderingContext2D.prototype.filter;"
    for books, name in ((shelf, "pictures"), (ferns, "text")):
        before = stored(light="night") + none
        with contextlib.closing(books.open(fine_chromium, SIZE, "paper", before=before)) as reader:
            assert reader.evaluate("'filter' in document.createElement('canvas').getContext('2d')") is False
            agree(reader, out, f"{name}-unfiltered")
            assert reader.errors == []


@BOTH_IN_ALL
def test_a_change_of_light_paints_the_parts_of_the_fan_and_the_covers_again(fine, ferns, out):
    pictures = []
    with contextlib.closing(ferns.open(fine, SIZE, "paper", before=stored(light="night"))) as reader:
        reader.wait_for(f"{PAINTED} && {BOARDED}")
        pictures.append(shot(reader, out, "fan-from-the-start"))
    with contextlib.closing(ferns.open(fine, SIZE, "paper")) as reader:
        open_settings(reader)
        choose(reader, "light", "night")
        reader.wait_for(f"{LIGHT} === 'night'")
        close_settings(reader)
        reader.wait_for(f"{PAINTED} && {BOARDED}")
        pictures.append(shot(reader, out, "fan-after-a-change"))
    middle = (0.1, 0.12, 0.9, 0.86)
    difference = ImageChops.difference(*(cropped(picture, middle) for picture in pictures)).convert("L")
    assert ImageStat.Stat(difference).mean[0] < 1
    assert difference.reduce(12).getextrema()[1] < 16


@BOTH
@VARIANT
@pytest.mark.parametrize("light", ["day", "night", "sepia"])
def test_pictures_of_the_screens(reader, server, out, light):
    """Shows the list, a shelf and the sheet in each light; the covers are dimmed by night."""
    reader.before(stored(light=light))
    reader.open(server.url)
    reader.wait_for(f"document.getElementById('settings') && ({LIGHT} ?? 'day') === '{light}'")
    shot(reader, out, f"list-{light}")
    to_shelf(reader, server.url)
    reader.wait_for("document.querySelector('.cover .face img')")
    dimmed = reader.evaluate("getComputedStyle(document.querySelector('.cover .face img')).filter")
    assert (dimmed != "none") == (light == "night")
    shot(reader, out, f"shelf-{light}")
    open_settings(reader)
    shot(reader, out, f"sheet-{light}")
    close_settings(reader)
    open_title(reader, server.url, "Ferns of Wet Places")
    shot(reader, out, f"ferns-{light}")
