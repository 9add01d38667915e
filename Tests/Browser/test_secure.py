"""What an address has with HTTPS or on this machine, and lacks without: the screen that stays on, and what says so."""

import contextlib

import pytest

from company import hosted
from controls import text_of
from lights import stored
from reader import INSECURE_HOST
from server import Server
from steps import BOTH, OpenBooks, in_book

# Remembers the locks that the page asks for. A window that only seems to be hidden loses its lock as a hidden one does.
LOCKS = """
  window.__locks = [];
  const ask = navigator.wakeLock?.request;
  if (ask) navigator.wakeLock.request = async (...kind) => {
    const lock = await ask.apply(navigator.wakeLock, kind);
    __locks.push(lock);
    return lock;
  };
  document.addEventListener('visibilitychange', () => document.hidden && __locks.forEach(lock => lock.release()));
"""
# The blank page of a new window has no locks.
REFUSAL = """
  if (navigator.wakeLock) navigator.wakeLock.request = async () => {
    window.__hasRefused = true;
    throw new DOMException('saves power', 'NotAllowedError');
  };
"""
HELD = "__locks.filter(({ released }) => !released).length"
NOTE = "dialog.settings .without"


@BOTH
def test_the_screen_stays_on_while_a_book_is_open_and_seen(reader, open_books):
    reader.before(LOCKS)
    in_book(reader, open_books)
    reader.wait_for(f"{HELD} === 1")
    reader.hide()
    reader.wait_for(f"{HELD} === 0")
    reader.show()
    reader.wait_for(f"{HELD} === 1")
    with reader.settling("shelf"):
        reader.key("Escape")
    reader.wait_for(f"{HELD} === 0")
    assert reader.evaluate("__locks.length") == 2


@BOTH
def test_a_browser_that_does_not_let_the_screen_stay_on_is_no_error(reader, open_books):
    reader.before(REFUSAL)
    in_book(reader, open_books)
    with reader.settling("book"):
        reader.key("ArrowRight")
    assert reader.evaluate("__hasRefused")


@pytest.fixture(scope="module")
def plain():
    """A server that is also found at an address that is not secure: the server, that address, and open books."""
    server = Server("--host", INSECURE_HOST, "--open-library")
    with contextlib.closing(OpenBooks(server.url)) as books:
        yield server, server.url.replace("127.0.0.1", INSECURE_HOST), books
    assert server.stop() == 0


@BOTH
@pytest.mark.parametrize("language, title", [("en", "Without HTTPS"), ("de", "Ohne HTTPS")])
@pytest.mark.parametrize("size", [(390, 844), (1180, 820)], ids=["phone", "desktop"])
def test_without_https_the_settings_say_what_is_missing(browser, plain, out, language, title, size):
    _, address, books = plain
    with contextlib.closing(browser.reader(*size)) as reader:
        reader.before(stored(language=language))
        in_book(reader, books, address)
        assert reader.evaluate("[isSecureContext, 'wakeLock' in navigator]") == [False, False]
        _open_settings(reader)
        words = text_of(reader, NOTE)
        assert words.startswith(title) and "Behind a proxy" in words and "Caddyfile" in words
        reader.evaluate(f"document.querySelector('{NOTE}').scrollIntoView()")
        reader.screenshot(out / f"without-https-{language}-{size[0]}-{reader.name}.png")
        box = reader.evaluate(f"document.querySelector('{NOTE}').getBoundingClientRect().toJSON()")
        assert box["left"] >= 0 and box["right"] <= size[0] and box["bottom"] <= size[1], box
        assert reader.errors == []


def test_guests_are_not_told_and_neither_are_readers_at_a_secure_address(chromium, plain):
    server, address, books = plain
    with hosted(server, books) as host, contextlib.closing(chromium.reader()) as guest:
        guest.open(f"{address}r/{host.welcome.room}#{host.links.follow}")
        _open_settings(guest)
        assert not guest.evaluate(f"document.querySelector('{NOTE}')")
    with contextlib.closing(chromium.reader()) as reader:
        in_book(reader, books)
        _open_settings(reader)
        assert not reader.evaluate(f"document.querySelector('{NOTE}')")


def _open_settings(reader):
    """Opens the sheet of settings of a book in any language."""
    reader.evaluate("__lectern.app.load('settings/settings').then(({ show }) => show())")
    reader.wait_for("document.querySelector('dialog.settings[open]')?.getAnimations().length === 0")
