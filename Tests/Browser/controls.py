"""The page's controls, used as a reader uses them: found on the screen, then clicked or typed into."""

import contextlib
import json
import urllib.request

from playwright.sync_api import Error

import wire
from reader import WAIT_SECONDS

# Waits until a control can be pressed, and guards it: a press that meets something else has no effect. Returns the
# control's centre, and whether it is that of the menu which contains it; otherwise what is in the way. Meanwhile the
# page is kept awake.
AIM = """await (async () => {
  const end = performance.now() + %d
  const frame = () => new Promise(next => requestAnimationFrame(next))
  const middle = one => (box => [box.left + box.width / 2, box.top + box.height / 2])(one.getBoundingClientRect())
  // What is on the stage lets touches through to the table below it.
  const meets = (one, top) => one.contains(top) || Boolean(one.closest('#stage .el') && top?.closest('#table'))
  const guard = one => {
    window.__pressed?.end()
    const done = new AbortController()
    const pressed = window.__pressed = { isMiss: false, end: () => done.abort() }
    const see = event => {
      if (!event.isTrusted) return
      if (event.type === 'pointerdown') pressed.isMiss = !meets(one, event.target)
      if (!pressed.isMiss) return
      event.stopImmediatePropagation()
      if (event.cancelable) event.preventDefault()
    }
    for (const type of ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'touchstart', 'touchend', 'click']) {
      addEventListener(type, see, { capture: true, passive: false, signal: done.signal })
    }
  }
  let why = 'it does not exist'
  while (performance.now() < end) {
    dispatchEvent(new PointerEvent('pointermove'))
    const found = %s
    const menu = found?.closest('.folded[popover]:not(:popover-open)')
    const one = menu ? menu.parentNode.querySelector('.folded+.icon') : found
    if (one && one.getBoundingClientRect().width > 0) {
      // A sheet with much text is scrolled.
      if (one.closest('dialog')) one.scrollIntoView({ block: 'nearest' })
      const [x, y] = middle(one)
      await frame()
      await frame()
      const [newX, newY] = middle(one)
      const top = document.elementFromPoint(x, y)
      if (x === newX && y === newY && meets(one, top)) {
        if (%s) guard(one)
        return [x, y, Boolean(menu)]
      }
      why = x === newX && y === newY ? `covered by ${top?.outerHTML.slice(0, 200)}` : 'it moves'
    } else {
      why = found ? 'it has no size' : 'it does not exist'
    }
    await new Promise(next => setTimeout(next, 10))
  }
  return why
})()"""
# Whether the last press has met something else; if not, its guard ends.
MISSED = "(one => { if (!one?.isMiss) one?.end(); return !!one?.isMiss })(window.__pressed)"
WITH_WORDS = """[...document.querySelectorAll(%s)].find(one =>
  one.getClientRects().length > 0 && one.textContent.trim() === %s)"""
# The visible element of a kind that is nearest to the centre of the window.
NEAREST = """(() => {
  const distance = one => (box => Math.hypot(box.left + box.width / 2 - innerWidth / 2,
    box.top + box.height / 2 - innerHeight / 2))(one.getBoundingClientRect())
  return [...document.querySelectorAll('#stage .el[data-kind=%s]')]
    .filter(one => one.style.visibility === 'visible').sort((a, b) => distance(a) - distance(b))[0]
})()"""
PRESS_ATTEMPTS = 5

WAKE = "!!dispatchEvent(new PointerEvent('pointermove'))"
CAMERA = """(() => {
  const m = new DOMMatrix(document.getElementById('stage').style.transform)
  return [m.m11 / Math.min(innerWidth / 1024, innerHeight / 768), m.m41, m.m42]
})()"""


def reach(reader, selector):
    """Waits until a control can be touched, and returns its centre, for a gesture that begins there."""
    return _aim(reader, f"document.querySelector({json.dumps(selector)})", guards=False)[:2]


def click(reader, selector, touch=False):
    """Clicks on a control, or taps it; a control in a folded menu is shown first."""
    _press(reader, f"document.querySelector({json.dumps(selector)})", touch)


def press(reader, words, within="body"):
    """Clicks on the button with a text."""
    _press(reader, WITH_WORDS % (json.dumps(f"{within} button"), json.dumps(words)))


def tap_nearest(reader, kind):
    """Taps the element of the stage, of a kind, that is nearest to the centre of the window."""
    _press(reader, NEAREST % kind, touch=True)


def _aim(reader, found, guards=True):
    aimed = reader.evaluate(AIM % (1000 * WAIT_SECONDS, found, json.dumps(guards)))
    assert not isinstance(aimed, str), f"{reader.name}: {found} cannot be pressed: {aimed}"
    return aimed


def _press(reader, found, touch=False):
    """Presses what an expression finds; presses again if it has moved or been covered meanwhile."""
    for _ in range(PRESS_ATTEMPTS):
        x, y, is_menu = _aim(reader, found)
        reader.tap((x, y), touch)
        if not _missed(reader) and not is_menu:
            return
    raise AssertionError(f"{reader.name}: {found} was missed {PRESS_ATTEMPTS} times")


def _missed(reader):
    """Returns whether the last press has met something else. A page that the press has replaced does not answer."""
    with contextlib.suppress(Error, RuntimeError):
        return reader.evaluate(MISSED)
    return False


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
        reader.evaluate(f"__lectern.app.send(new Uint8Array({list(message)}))")
    reader.wait_for(f"__lectern.caption.title === {json.dumps(title)}")


def to_title(reader, url, title):
    """Opens the page and goes to a book on its shelf."""
    go(reader, url, title, opens=False)


def open_title(reader, url, title, page=wire.NO_PAGE):
    """Opens the page and a book, and waits for the book's controls."""
    go(reader, url, title, True, page)
    return reader.look()
