"""The page as an installed app: its manifest and icons, and the page that says that the library cannot be reached."""

import contextlib
import json
import urllib.request

from playwright import sync_api as playwright

from controls import click, text_of
from server import Server
from steps import BOTH

SAID = "document.querySelector('main h1')?.textContent"


@BOTH
def test_a_library_that_cannot_be_reached_is_explained_and_tried_again(browser, out):
    server, reader = Server(), browser.reader()
    try:
        reader.open(server.url)
        reader.wait_for("(await navigator.serviceWorker.ready).active.state === 'activated'")
        room = reader.evaluate("location.href")
        assert server.stop() == 0, server.output
        reader.load(room)
        reader.wait_for(f"{SAID} === 'The library cannot be reached'")
        assert reader.evaluate("location.href") == room
        assert "Your place in each book is kept." in text_of(reader, "main p")
        reader.wait_for("document.activeElement.textContent === 'Try again'")
        size = "(({ width, height }) => [width, height])(document.activeElement.getBoundingClientRect())"
        assert min(reader.evaluate(size)) >= 44
        reader.screenshot(out / f"offline-{reader.name}.png")
        # Without the library another try ends here again.
        reader.evaluate("void (window.isOld = true)")
        click(reader, "button")
        loaded(reader, f"!window.isOld && {SAID} === 'The library cannot be reached'")
        server = Server(port=server.port)
        click(reader, "button")
        # This server has other data, so it does not know the room.
        loaded(reader, "document.querySelector('#state h2')?.textContent === 'This room is gone'")
        stored = reader.evaluate(
            "(async () => { const all = []; for (const name of await caches.keys()) for (const { url } of"
            " await (await caches.open(name)).keys()) all.push(new URL(url).pathname); return all.sort() })()"
        )
        assert stored == [
            "/css/offline.css", "/js/language.js", "/js/settings/offline.js", "/js/words/de/offline.js",
            "/js/words/offline.js", "/offline.html",
        ]
    finally:
        reader.close()
        server.stop()
    # The attempts to reach the library are in the log, as failures of the network.
    noise = (
        "Failed to load resource", "WebSocket", "establish a connection", "The connection to ws://", "net::ERR",
        "NetworkError", "FetchEvent",
    )
    strange = [error for error in reader.errors if not any(words in error for words in noise)]
    assert strange == []


def loaded(reader, condition):
    """Waits for a condition of the next document, which may come in the middle of a wait."""
    for _ in range(3):
        with contextlib.suppress(RuntimeError, playwright.Error):
            return reader.wait_for(condition)
    return reader.wait_for(condition)


def test_the_manifest_and_its_icons_are_served_as_what_they_are(server):
    def served(path):
        with urllib.request.urlopen(f"{server.url}{path}", timeout=5) as answer:
            return answer.headers["content-type"], answer.read()

    kind, text = served("manifest.webmanifest")
    assert kind.startswith("application/manifest+json")
    manifest = json.loads(text)
    for icon in manifest["icons"]:
        kind, data = served(icon["src"].lstrip("/"))
        assert kind == icon["type"] and data
    assert served("sw.js")[0].startswith("text/javascript")


def test_the_browser_accepts_the_manifest(reader, server):
    reader.open(server.url)
    told = reader._protocol.send("Page.getAppManifest")
    assert told["errors"] == [] and told["url"].endswith("/manifest.webmanifest")
    problems = reader._protocol.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # Windows of tests are private ones.
    assert [one["errorId"] for one in problems if one["errorId"] != "in-incognito"] == []
