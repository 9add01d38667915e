"""The letters of a long shelf, and its slider."""

import string

import pytest

from bookserver import serving
from controls import click
from fixtures import comic
from steps import BOTH

TITLES = [f"{letter}{name}" for letter in string.ascii_uppercase for name in ("alder", "birch", "cedar")]
SIZES = {"desktop": (1366, 768), "phone": (390, 844), "side": (844, 390)}
BOX = "(box => [box.left, box.top, box.right, box.bottom])(document.querySelector('%s').getBoundingClientRect())"
HAS = "document.body.classList.contains('has-letters')"
READY = f"__lectern.caption.count === {len(TITLES)} && {HAS} && __lectern.isReady"
BUBBLE = "document.querySelector('.bubble').checkVisibility({ visibilityProperty: true })"
# What the slider and the letters meet.
MET = """[...document.querySelectorAll('#foot>:is(#slide, #letters)')].filter(one => one.checkVisibility())
.flatMap(one => {
  const box = one.getBoundingClientRect()
  if (box.left < 0 || box.right > innerWidth || box.bottom > innerHeight) return ['outside ' + one.id]
  const meets = other => box.left < other.right - 1 && box.right > other.left + 1 && box.top < other.bottom - 1 &&
    box.bottom > other.top + 1
  return [...document.querySelectorAll('#foot .icon, #open span')]
    .filter(other => meets(other.getBoundingClientRect())).map(other => one.id + ' ' + other.outerHTML.slice(0, 90))
})"""


@pytest.fixture(scope="module")
def long_shelf(tmp_path_factory):
    """A server with a shelf that is in alphabetical order."""
    folder = tmp_path_factory.mktemp("letters")
    shelf = folder / "library" / "Trees"
    shelf.mkdir(parents=True)
    for title in TITLES:
        comic(shelf / f"{title}.cbz", 2, title)
    with serving(folder, len(TITLES)) as server:
        yield server


def to_shelf(reader, server):
    """Opens the shelf."""
    reader.open(server.url)
    with reader.settling("shelf"):
        reader.evaluate("void __lectern.app.press('Enter')")
    reader.wait_for(READY)


def title(reader):
    """The title of the chosen book."""
    return reader.evaluate("__lectern.caption.title")


@BOTH
def test_a_letter_leads_to_its_first_title(reader, long_shelf, out):
    to_shelf(reader, long_shelf)
    assert reader.evaluate("document.querySelector('#letters').textContent") == string.ascii_uppercase
    for is_wall in (False, True):
        if is_wall:
            with reader.settling("shelf"):
                click(reader, "#wall")
        left, top, right, bottom = reader.evaluate(BOX % "#letters i:nth-child(14)")
        with reader.settling("shelf"):
            reader.tap(((left + right) / 2, (top + bottom) / 2), touch=False)
        reader.wait_for("__lectern.caption.title === 'Nalder' && __lectern.isReady")
        assert reader.evaluate("document.querySelector('#letters .here').textContent") == "N"
        # A drag leads from letter to letter, and shows the title at once.
        end = reader.evaluate(BOX % "#letters i:nth-child(20)")
        reader.press([((left + right) / 2, (top + bottom) / 2)], touch=False)
        reader.move([((end[0] + end[2]) / 2, (top + bottom) / 2)], 12)
        assert reader.evaluate(BUBBLE)
        assert reader.evaluate("document.querySelector('.bubble').textContent") == "TTalder"
        reader.screenshot(out / f"letters-{'wall' if is_wall else 'row'}-{reader.name}.png")
        reader.lift()
        reader.wait_for(f"__lectern.caption.title === 'Talder' && __lectern.isReady && !{BUBBLE}")
    with reader.settling("shelf"):
        click(reader, "#wall")
    for name, (width, height) in SIZES.items():
        reader.resize(width, height)
        reader.ready()
        reader.evaluate("!!dispatchEvent(new PointerEvent('pointermove'))")
        reader.screenshot(out / f"letters-{name}-{reader.name}.png")
        assert reader.evaluate("document.querySelector('#slide').checkVisibility()"), name
        assert reader.evaluate(MET) == [], name


def test_a_letter_key_on_the_slider_leads_to_the_next_title_with_it(reader, long_shelf):
    # A list that is older than the shelf is loaded again.
    reader.page.route("**/api/books*", lambda route: route.fulfill(content_type="application/json", body="[]"), times=1)
    to_shelf(reader, long_shelf)
    reader.evaluate("void document.getElementById('slide').focus()")
    for key, expected in [("m", "Malder"), ("m", "Mbirch"), ("a", "Aalder"), ("a", "Abirch")]:
        with reader.settling("shelf"):
            reader.key(key)
        assert title(reader) == expected
        assert reader.evaluate("document.querySelector('.bubble span').textContent") == expected
    assert reader.evaluate("document.activeElement.id") == "slide"
    # Elsewhere a letter begins a search, whose shelf has letters of its own or none.
    reader.evaluate("document.activeElement.blur()")
    reader.key("q")
    reader.wait_for("__lectern.caption.filter === 'q' && !" + HAS)
