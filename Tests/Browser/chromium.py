"""Debian's Chromium, driven by Playwright and by Chromium's debugging protocol."""

import contextlib
import os
import signal
import time

from playwright.sync_api import sync_playwright

from reader import FINGER_MOVE_SECONDS, HEIGHT, INSECURE_HOST, INSTRUMENT, WIDTH, Reader, between

# Draws a quarter of the pixels, in half the time. Pages do not notice, and screenshots have all pixels.
COARSE = "--force-device-scale-factor=0.5"
# Without this option, Chromium loads the lists below its address bar in separate processes for each window. The option
# replaces Playwright's, so all other features have Chromium's defaults.
NO_LISTS = "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup"
# A name of this machine that is not secure without HTTPS, as its addresses are.
NAMED = f"--host-resolver-rules=MAP {INSECURE_HOST} 127.0.0.1"


class Chromium:
    """The browser process; each of its readers is a window with its own storage.

    With `is_coarse` it is faster, for tests that do not measure drawing. With `beside` it is another process next to
    one that this program has started. With `keeps_pages` it keeps pages for the way back, as it does for readers.
    """

    # Whether windows ask for the whole motion; without it, they ask for reduced motion.
    moves = True

    def __init__(self, is_coarse=False, beside=None, keeps_pages=False):
        self._keeps_pages = keeps_pages
        # A process can start Playwright only once.
        self._starts = beside is None
        self._playwright = sync_playwright().start() if beside is None else beside._playwright
        # The sandbox does not work for root.
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        self._browser = self._playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=[NO_LISTS, NAMED, *sandbox, *[COARSE][:is_coarse]],
            ignore_default_args=["--disable-back-forward-cache"] if keeps_pages else None,
        )

    def reader(self, width=WIDTH, height=HEIGHT, moves=None, ratio=None):
        """Opens a new reader with its own storage; the ratio is that of device pixels to CSS px."""
        moves = self.moves if moves is None else moves
        pixels = {} if ratio is None else {"device_scale_factor": ratio}
        return (KeepingReader if self._keeps_pages else ChromiumReader)(
            self._browser.new_context(
                viewport={"width": width, "height": height},
                has_touch=True,
                **pixels,
                reduced_motion="no-preference" if moves else "reduce",
            )
        )

    @contextlib.contextmanager
    def frozen(self):
        """Freezes all pages meanwhile, as a phone does that sleeps."""
        processes = self._browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
        pages = [process["id"] for process in processes if process["type"] == "renderer"]
        for page in pages:
            os.kill(page, signal.SIGSTOP)
        try:
            yield
        finally:
            for page in pages:
                os.kill(page, signal.SIGCONT)

    def close(self):
        """Ends the browser."""
        self._browser.close()
        if self._starts:
            self._playwright.stop()


class ChromiumReader(Reader):
    """One window of Chromium."""

    name = "chromium"

    def __init__(self, context):
        self._context = context
        self.errors = []
        self.page = context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._note)
        self._protocol = context.new_cdp_session(self.page)
        self._points = []
        self._touch = False
        self._stamp = 0.0
        self.before(INSTRUMENT)
        Reader.all_open.append(self)

    def _note(self, message):
        url = message.location.get("url", "")
        # Chromium requests this for a document that names no icon.
        if message.type == "error" and not url.endswith("/favicon.ico"):
            self.errors.append(f"{message.text} {url}")

    def load(self, url):
        """Loads an address."""
        self.page.goto(url)

    def before(self, js):
        """Runs statements in each page that loads from now on, before the page's own."""
        self.page.add_init_script(js)

    def resize(self, width, height, ratio=1):
        """Gives the window another size, and another ratio of device pixels to CSS px."""
        self._protocol.send(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": False},
        )

    def evaluate(self, js):
        """Returns the value of an expression in the page."""
        return self.page.evaluate(f"async () => await ({js})")

    def key(self, name):
        """Presses and releases a key, given by its DOM name; "Shift+Tab" is a key with a modifier."""
        self.page.keyboard.press(name)

    def screenshot(self, path):
        """Writes a screenshot as PNG."""
        self.page.screenshot(path=path)

    def press(self, points, touch=False):
        """Puts fingers down, or the mouse button."""
        self._points, self._touch = points, touch
        if touch:
            self._stamp = time.time()
            self._send("touchStart", points)
        else:
            self.page.mouse.move(*points[0])
            self.page.mouse.down()
            self._stamp = time.time()

    def _move(self, points, steps):
        for now in between(self._points, points, steps):
            self._stamp += FINGER_MOVE_SECONDS
            # An event must not have a time in the future.
            time.sleep(max(0.0, self._stamp - time.time()))
            if self._touch:
                self._send("touchMove", now)
            else:
                self.page.mouse.move(*now[0])
        self._points = points

    def lift(self):
        """Lifts all fingers, or the mouse button."""
        if self._touch:
            self._send("touchEnd", [])
        else:
            self.page.mouse.up()

    def hide(self):
        """Hides the window. Chromium without a screen shows all of its windows, so the page is told."""
        self.evaluate("__window.see(false)")

    def show(self):
        """Shows the hidden window again."""
        self.evaluate("__window.see(true)")

    def _double_click(self, point):
        self.page.mouse.dblclick(*point)

    def _send(self, kind, points):
        touches = [{"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)]
        self._protocol.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def _close(self):
        self._context.close()


class KeepingReader(ChromiumReader):
    """A window whose pages are kept for the way back, which Playwright does not know of."""

    def evaluate(self, js):
        """Returns the value of an expression in the page."""
        asked = {"expression": f"(async () => await ({js}))()", "awaitPromise": True, "returnByValue": True}
        answer = self._protocol.send("Runtime.evaluate", asked)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def leave(self, url):
        """Leaves the page for an address, as a link does."""
        self._protocol.send("Page.navigate", {"url": url})
        self.wait_for(f"location.href === '{url}'")

    def back(self):
        """Goes back to the page before."""
        self._protocol.send("Runtime.evaluate", {"expression": "setTimeout(() => history.back())"})
