"""The page's controls, used as a reader uses them: found on the screen, then clicked or typed into."""

import json
import urllib.request

import wire

# The centre of a control that is at rest; null while it moves or is hidden or covered.
REACH = """await (async () => {
  const one = document.querySelector(%s)
  const middle = () => (box => [box.left + box.width / 2, box.top + box.height / 2])(one.getBoundingClientRect())
  if (!one || one.getBoundingClientRect().width === 0) return null
  const [x, y] = middle()
  await new Promise(next => requestAnimationFrame(() => requestAnimationFrame(next)))
  const [newX, newY] = middle()
  return x === newX && y === newY && one.contains(document.elementFromPoint(x, y)) ? [x, y] : null
})()"""
# What is at the centre of each control with a selector.
COVER = """[...document.querySelectorAll(%s)].map(one => {
  const { left, top, width, height } = one.getBoundingClientRect()
  return [one.outerHTML.slice(0, 200), left, top, width, height,
    document.elementFromPoint(left + width / 2, top + height / 2)?.outerHTML.slice(0, 200)]
})"""

WAKE = "!!dispatchEvent(new PointerEvent('pointermove'))"
CAMERA = """(() => {
  const m = new DOMMatrix(document.getElementById('stage').style.transform)
  return [m.m11 / Math.min(innerWidth / 1024, innerHeight / 768), m.m41, m.m42]
})()"""


def reach(reader, selector):
    """Waits until a control can be touched, and returns its centre."""
    place = REACH % json.dumps(selector)
    found = None
    # A control may be covered again before it is asked for its place.
    while found is None:
        try:
            reader.wait_for(f"{WAKE} && {place}")
        except AssertionError as error:
            covers = reader.evaluate(COVER % json.dumps(selector))
            raise AssertionError(f"{error}; {selector} and what covers it: {covers}") from None
        found = reader.evaluate(place)
    return tuple(found)


def click(reader, selector, touch=False):
    """Clicks on a control, or taps it; a control in a folded menu is shown first."""
    # A bar may be made later than the screen that it belongs to.
    reader.wait_for(f"document.querySelector({json.dumps(selector)}) !== null")
    menu = f"document.querySelector({json.dumps(selector)})?.closest('.folded[popover]:not(:popover-open)')"
    if reader.evaluate(f"Boolean({menu})"):
        reader.press([reach(reader, ".folded+.icon")], touch=touch)
        reader.lift()
        reader.wait_for(f"!{menu}")
    reader.press([reach(reader, selector)], touch=touch)
    reader.lift()


def typed(reader, words):
    """Types a text, character by character."""
    for letter in words:
        reader.key(letter)


def text_of(reader, selector):
    """Returns the text of an element; empty if there is no such element."""
    return reader.evaluate(f"document.querySelector({json.dumps(selector)})?.textContent ?? ''")


def caption(reader):
    """Returns the last caption from the server."""
    return reader.evaluate("__lectern.caption")


def camera(reader):
    """Returns the reader's zoom, and the position of the camera in CSS px."""
    return reader.evaluate(CAMERA)


def go(reader, url, title, opens, page=wire.NO_PAGE):
    """Opens the page and sends it to a book, which takes less time than the way by gestures.

    The page is one of the book's file, from 0.
    """
    reader.open(url)
    with urllib.request.urlopen(f"{url}api/books", timeout=10) as answer:
        book = next(book["id"] for book in json.load(answer) if book["title"] == title)
    message = wire.encode("go", book, int(opens), page)
    with reader.settling("book" if opens else "shelf"):
        reader.evaluate(f"__lectern.actions.send(new Uint8Array({list(message)}))")
    reader.wait_for(f"__lectern.caption.title === {json.dumps(title)}")


def to_title(reader, url, title):
    """Opens the page and goes to a book on its shelf."""
    go(reader, url, title, opens=False)


def open_title(reader, url, title, page=wire.NO_PAGE):
    """Opens the page and a book, and waits for the book's controls."""
    go(reader, url, title, True, page)
    reader.wait_for("document.getElementById('bookbar') && __lectern.isAtRest")
    return reader.look()
