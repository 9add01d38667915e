"""The page's own controls, used as a reader uses them: seen first, then clicked or typed into."""

import json
import urllib.request

import wire

# The middle of a control, once nothing lies between it and the hand.
REACH = """(() => {
  const one = document.querySelector(%s)
  const box = one?.getBoundingClientRect()
  if (!box || box.width === 0) return null
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
  return one.contains(document.elementFromPoint(x, y)) ? [x, y] : null
})()"""

WAKE = "!!dispatchEvent(new PointerEvent('pointermove'))"
CAMERA = """(() => {
  const m = new DOMMatrix(document.getElementById('stage').style.transform)
  return [m.m11 / Math.min(innerWidth / 1024, innerHeight / 768), m.m41, m.m42]
})()"""


def reach(reader, selector):
    """Waits until a control can be touched, and gives its middle."""
    place = REACH % json.dumps(selector)
    reader.wait_for(f"{WAKE} && {place}")
    return tuple(reader.evaluate(place))


def click(reader, selector, touch=False):
    """Clicks on a control, or taps it."""
    reader.press([reach(reader, selector)], touch=touch)
    reader.lift()


def typed(reader, words):
    """Types words, letter by letter."""
    for letter in words:
        reader.key(letter)


def text_of(reader, selector):
    """The words of an element, empty if it is not there."""
    return reader.evaluate(f"document.querySelector({json.dumps(selector)})?.textContent ?? ''")


def caption(reader):
    """What the server last said of what is before the reader."""
    return reader.evaluate("__lectern.caption")


def camera(reader):
    """How far this reader has zoomed, and where the camera is, in CSS pixels."""
    return reader.evaluate(CAMERA)


def go(reader, url, title, opens):
    """Opens the page and sends it to a book, which is a few seconds quicker than to look for it."""
    reader.open(url)
    with urllib.request.urlopen(f"{url}api/books", timeout=10) as answer:
        book = next(book["id"] for book in json.load(answer) if book["title"] == title)
    message = wire.encode("go", book, int(opens), wire.NO_PAGE)
    with reader.settling("book" if opens else "shelf"):
        reader.evaluate(f"__lectern.actions.send(new Uint8Array({list(message)}))")
    reader.wait_for(f"__lectern.caption.title === {json.dumps(title)}")


def to_title(reader, url, title):
    """Opens the page and goes to a book, which then stands in the middle."""
    go(reader, url, title, opens=False)


def open_title(reader, url, title):
    """Opens the page at a book, and waits for the controls of the book."""
    go(reader, url, title, opens=True)
    reader.wait_for("document.getElementById('desk') && __lectern.isAtRest")
    return reader.look()
