"""The book on the table of the first screen: open where the reader stopped, in every window, until it is gone."""

import json
import urllib.request

from bookserver import serving
from controls import caption, click, open_title, text_of
from fixtures import comic
from steps import BOTH

SIZES = {"desktop": (1366, 768), "wall": (1920, 1080), "tablet": (820, 1180), "phone": (390, 844), "side": (844, 390)}
SHOWN = "document.querySelector('#continue:not([hidden]) .open .page.right img') && __lectern.isReady"
CLOSED = "document.querySelector('#continue:not([hidden]) .bound img')"
# What the book or its caption meets: the texts and books of the list, the bar, and the edges of the window.
MET = """(() => {
  const boxes = [...document.querySelectorAll('#continue .volume, #continue .offer')]
    .map(one => one.getBoundingClientRect())
  const meets = other => boxes.some(box => box.left < other.right - 1 && box.right > other.left + 1 &&
    box.top < other.bottom - 1 && box.bottom > other.top + 1)
  const others = [...document.querySelectorAll('#top>*, .wall h2, .wall p, .ledge svg')]
    .filter(one => one.checkVisibility({ visibilityProperty: true }))
  return [...others.filter(one => meets(one.getBoundingClientRect())).map(one => one.outerHTML.slice(0, 90)),
    ...boxes.filter(box => box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight)]
})()"""
FACES = """[...document.querySelectorAll('#continue .page')].map(page =>
  parseInt(page.querySelector('img')?.src.split('/p/')[1]))"""


def to_list(reader):
    """Goes back to the list."""
    with reader.settling("shelf"):
        reader.key("Escape")
    with reader.settling("collections"):
        reader.key("Escape")


def words(reader):
    """Returns the caption of the book on the table, without the signs that keep its parts together."""
    return text_of(reader, "#continue:not([hidden]) .offer").replace("\u2060", "")


@BOTH
def test_the_book_lies_open_where_the_reader_stopped(reader, server, out):
    open_title(reader, server.url, "The Night Ferry", 8)
    to_list(reader)
    reader.wait_for(SHOWN)
    assert words(reader) == "Continue reading The Night Ferry, pages 8–9"
    assert reader.evaluate(FACES) == [7, 8]
    line = text_of(reader, ".wall .opened").replace("\u2060", "")
    assert line == "The Night Ferry is open at pages 8–9"
    for name, (width, height) in SIZES.items():
        reader.resize(width, height)
        reader.ready()
        reader.wait_for(SHOWN)
        reader.screenshot(out / f"continue-{name}-{reader.name}.png")
        assert reader.evaluate(MET) == [], name
    reader.resize(1024, 768)
    reader.open(server.url)
    reader.wait_for(SHOWN)
    reader.evaluate("document.getElementById('continue').focus()")
    with reader.settling("book"):
        reader.key("Enter")
    assert caption(reader)["title"] == "The Night Ferry" and caption(reader)["page"] == 7
    assert reader.evaluate("document.getElementById('continue').hidden")


def test_a_book_from_right_to_left_lies_the_other_way_round(reader, server):
    open_title(reader, server.url, "ירח", 6)
    to_list(reader)
    reader.wait_for(SHOWN)
    left, right = reader.evaluate(FACES)
    assert left == right + 1


def test_another_person_at_this_browser_does_not_see_the_place(reader, server):
    open_title(reader, server.url, "Rivet and the Clockwork Orchard", 4)
    to_list(reader)
    reader.wait_for(SHOWN)
    reader.evaluate("localStorage.setItem('lectern-persona', JSON.stringify({ name: 'Theo', colour: 1 }))")
    reader.open(server.url)
    reader.wait_for("document.querySelectorAll('.ledge svg text').length > 8")
    assert reader.evaluate("document.querySelector('#continue').hidden && !document.querySelector('.opened')")


def test_a_shared_room_shows_nobodys_place(reader, server):
    open_title(reader, server.url, "The Night Ferry", 8)
    click(reader, "#share")
    reader.wait_for("__lectern.session.room.isShared && document.querySelector('dialog[open]')")
    reader.key("Escape")
    reader.wait_for("!document.querySelector('dialog')")
    to_list(reader)
    reader.wait_for("document.querySelectorAll('.ledge svg text').length > 8 && __lectern.isReady")
    assert reader.evaluate("document.querySelector('#continue').hidden && !document.querySelector('.opened')")


def test_a_deleted_book_is_not_offered(reader, tmp_path):
    shelf = tmp_path / "library" / "Comics"
    shelf.mkdir(parents=True)
    comic(shelf / "One.cbz", 6, "1")
    comic(shelf / "Two.cbz", 8, "2")
    with serving(tmp_path, 2) as server:
        # For a new reader, a closed book lies below the only shelf.
        reader.open(server.url)
        reader.wait_for(CLOSED)
        assert words(reader) == "Begin reading One"
        open_title(reader, server.url, "Two", 4)
        book = caption(reader)["book"]
        to_list(reader)
        reader.wait_for(SHOWN)
        assert "Two" in words(reader)
        request = urllib.request.Request(f"{server.url}api/books/{book}", method="DELETE")
        urllib.request.urlopen(request, timeout=10).close()
        reader.wait_for(f"{CLOSED} && !document.querySelector('.opened')")
        assert words(reader) == "Begin reading One"
        with reader.settling("book"):
            click(reader, "#continue")
        assert caption(reader)["title"] == "One"


def test_pages_without_pictures_are_paper(reader, server):
    open_title(reader, server.url, "The Night Ferry", 8)
    to_list(reader)
    place = json.loads(reader.evaluate("localStorage.getItem('lectern-place')"))
    place["faces"][0]["page"] = 4000
    place["time"] += 9e6
    reader.before(f"location.host && localStorage.setItem('lectern-place', {json.dumps(json.dumps(place))})")
    reader.open(server.url)
    reader.wait_for("document.querySelector('#continue:not([hidden]) .page.left .ruled') && __lectern.isReady")
    assert reader.evaluate("document.querySelectorAll('#continue img').length") == 1
    reader.errors.clear()
