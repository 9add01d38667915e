"""Caddy on a home network, with an authority of its own: readers have HTTPS with HTTP/2, and what needs HTTPS works."""

import base64
import hashlib
import pathlib
import subprocess

import pytest
from proxies import AUTHORITY, SECURE_HOST, free_port, proxied
from server import Server
from windows import Window, turn_together

KEY = "the-key-of-this-library"
WITH_KEY = f"{{ 'Lectern-Key': '{KEY}' }}"
LIBRARY = pathlib.Path(__file__).resolve().parents[2] / "Web" / "library"
NAVIGATED = "performance.getEntriesByType('navigation')[0].nextHopProtocol"
# The protocols of what has been requested, by what requested it. What comes from the cache or the worker has none.
PROTOCOLS = """performance.getEntriesByType('resource').filter(one => one.nextHopProtocol !== '')
  .map(one => [one.initiatorType, one.nextHopProtocol])"""


def key_of(certificate):
    """The digest of a certificate's public key, by which Chromium can be told to trust it."""
    asked = ["openssl", "x509", "-in", certificate, "-noout", "-pubkey"]
    text = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    key = base64.b64decode("".join(text.strip().splitlines()[1:-1]))
    return base64.b64encode(hashlib.sha256(key).digest()).decode()


@pytest.fixture(params=["public", "host"])
def home(request, tmp_path, chromium):
    """The address of a library behind Caddy, and a browser that trusts Caddy's authority.

    The server knows the whole address, or the name only.
    """
    port, own = free_port(), free_port()
    name = {"public": ("--public-url", f"https://{SECURE_HOST}:{port}"), "host": ("--host", SECURE_HOST)}
    server = Server("--library", LIBRARY, "--library-key", KEY, "--trust-proxy", "loopback", *name[request.param],
                    port=own)
    with proxied("secure", tmp_path, own, False, port=port) as url:
        trust = f"--ignore-certificate-errors-spki-list={key_of(tmp_path / AUTHORITY / 'intermediate.crt')}"
        browser = chromium.browser_type.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", trust])
        yield url, browser
        browser.close()
    assert server.stop() == 0


def test_two_readers_turn_a_page_together_over_http_2(home):
    url, browser = home
    first, second = Window(browser), Window(browser)
    sockets = []
    for window in (first, second):
        window.page.on("websocket", lambda socket: sockets.append(socket.url))
    first.page.goto(f"{url}#key={KEY}")
    assert first.page.evaluate(NAVIGATED) == "h2"
    first.page.wait_for_function("document.querySelectorAll('.ledge svg text').length > 8")
    book = first.page.evaluate(f"fetch('/api/books', {{ headers: {WITH_KEY} }}).then(one => one.json())")[0]["id"]
    first.page.goto(f"{first.page.url.rstrip('/')}/{book}/4")
    first.spread()
    link = first.link()
    assert link.startswith(f"{url}r/") and "#" in link, link
    second.page.goto(link)
    second.spread()
    turn_together(first, second)
    for window in (first, second):
        protocols = window.page.evaluate(PROTOCOLS)
        assert {protocol for _, protocol in protocols} == {"h2"}, protocols
        assert {"img", "fetch", "link"} <= {kind for kind, _ in protocols}
        window.page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
        cookies = window.context.cookies()
        assert cookies and all(cookie["secure"] and cookie["sameSite"] == "Strict" for cookie in cookies), cookies
        assert window.page.evaluate("[isSecureContext, 'wakeLock' in navigator]") == [True, True]
        assert window.faults == []
    assert sockets and set(sockets) == {url.replace("https:", "wss:") + "ws"}


@pytest.mark.parametrize("home", ["public"], indirect=True)
def test_the_address_to_share_and_its_picture_are_those_with_https(home):
    url, browser = home
    window = Window(browser)
    window.page.goto(f"{url}#key={KEY}")
    address = window.page.evaluate(f"fetch('/api/address', {{ headers: {WITH_KEY} }}).then(one => one.json())")
    assert address["base"].rstrip("/") == url.rstrip("/")
    fields = f"{{ ...{WITH_KEY}, 'Content-Type': 'text/plain' }}"
    draw = f"link => fetch('/api/qr', {{ method: 'POST', body: link, headers: {fields} }})"
    assert window.page.evaluate(f"({draw})('{url}r/abc').then(one => one.status)") == 200
    elsewhere = url.replace(SECURE_HOST, "other.example")
    assert window.page.evaluate(f"({draw})('{elsewhere}r/abc').then(one => one.status)") == 400
