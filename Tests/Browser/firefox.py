"""Debian's Firefox, driven over its WebDriver BiDi socket without a driver program."""

import base64
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from reader import FINGER_MOVE_SECONDS, HEIGHT, INSECURE_HOST, INSTRUMENT, WIDTH, Reader, between

START_SECONDS = 40
STOP_SECONDS = 10
ANSWER_SECONDS = 60

PREFERENCES = {
    "remote.active-protocols": 1,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
    "dom.w3c_touch_events.enabled": 1,
    "privacy.reduceTimerPrecision": False,
    "network.dns.localDomains": INSECURE_HOST,
}

# Draws a quarter of the pixels, and a third of the frames.
COARSE = {"layout.css.devPixelsPerPx": "0.5", "layout.frame_rate": 20}

# WebDriver's codes for keys without a character.
KEYS = {
    "Tab": "\ue004",
    "Shift": "\ue008",
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "PageUp": "\ue00e",
    "PageDown": "\ue00f",
    "End": "\ue010",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
    "F3": "\ue033",
}


def evaluated(command, context, js):
    """Returns the value of an expression in a context."""
    answer = command(
        "script.evaluate",
        expression=f"(async () => JSON.stringify(await ({js})))()",
        target={"context": context},
        awaitPromise=True,
    )
    if answer["type"] != "success":
        raise RuntimeError(answer["exceptionDetails"]["text"])
    text = answer["result"].get("value")
    return None if text is None else json.loads(text)


class Firefox:
    """The browser process with its own profile, and the socket to it.

    With `is_coarse` it is faster, for tests that do not measure drawing.
    """

    def __init__(self, preferences=None, is_coarse=False):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        self._profile = tempfile.mkdtemp(prefix="lectern-firefox-")
        chosen = {**PREFERENCES, **(COARSE if is_coarse else {}), **(preferences or {})}
        pathlib.Path(self._profile, "user.js").write_text(
            "".join(
                f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
                for name, value in chosen.items()
            )
        )
        # A separate process group, so that the children can be ended with it.
        self._process = subprocess.Popen(
            [
                "/usr/bin/firefox-esr",
                "--headless",
                "--no-remote",
                "--profile",
                self._profile,
                "--remote-debugging-port",
                str(port),
                f"--width={WIDTH}",
                f"--height={HEIGHT}",
                # For `in_chrome`.
                "--remote-allow-system-access",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=dict(os.environ, HOME=self._profile),
            start_new_session=True,
        )
        self._open = contextlib.ExitStack()
        self._number = 0
        self._moves = True
        self.log = []
        try:
            self._socket = self._connect(port)
            self.command("session.new", capabilities={})
            self.command("session.subscribe", events=["log.entryAdded"])
        except BaseException:
            self._end()
            raise

    def _connect(self, port):
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                # Firefox rejects a handshake with an Origin header.
                return self._open.enter_context(
                    connect(
                        f"ws://127.0.0.1:{port}/session", origin=None, max_size=None, proxy=None
                    )
                )
            except (OSError, WebSocketException):
                if time.monotonic() > until or self._process.poll() is not None:
                    raise
                time.sleep(0.1)

    def command(self, method, **parameters):
        """Sends a command and returns its result; log entries that arrive before it are stored."""
        self._number += 1
        request = {"id": self._number, "method": method, "params": parameters}
        self._socket.send(json.dumps(request))
        while True:
            message = json.loads(self._socket.recv(timeout=ANSWER_SECONDS))
            if message.get("method") == "log.entryAdded":
                self.log.append(message["params"])
            if message.get("id") == self._number:
                if message["type"] == "error":
                    raise RuntimeError(f"{method}: {message['error']}: {message['message']}")
                return message["result"]

    def in_chrome(self, js):
        """Returns the value of an expression in the latest window of the program itself, outside of its pages."""
        scope = {"moz:scope": "chrome"}
        window = self.command("browsingContext.getTree", maxDepth=0, **scope)["contexts"][-1]["context"]
        return evaluated(self.command, window, js)

    @property
    def moves(self):
        """Whether pages are asked for the whole motion; otherwise they are asked for reduced motion."""
        return self._moves

    @moves.setter
    def moves(self, moves):
        if moves != self._moves:
            self.in_chrome(f"void Services.prefs.setIntPref('ui.prefersReducedMotion', {int(not moves)})")
        self._moves = moves

    def reader(self, width=WIDTH, height=HEIGHT, ratio=1):
        """Opens a new reader in its own window, in which animation frames run.

        The ratio is that of device pixels to CSS px; pages do not notice that a coarse browser has fewer.
        """
        return FirefoxReader(self, width, height, ratio)

    def close(self):
        """Ends the browser."""
        try:
            self.command("browser.close")
        except (RuntimeError, OSError, WebSocketException, TimeoutError):
            pass
        self._end()

    def _end(self):
        self._open.close()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        shutil.rmtree(self._profile, ignore_errors=True)


class FirefoxReader(Reader):
    """One window of Firefox."""

    name = "firefox"

    def __init__(self, firefox, width, height, ratio):
        self._firefox = firefox
        # A user context has its own storage, as the windows of Chromium have.
        self._user = firefox.command("browser.createUserContext")["userContext"]
        self._context = firefox.command(
            "browsingContext.create", type="window", userContext=self._user
        )["context"]
        self.resize(width, height, ratio)
        self._points = []
        self._touch = False
        self.before(INSTRUMENT)
        Reader.all_open.append(self)

    def _command(self, method, **parameters):
        return self._firefox.command(method, context=self._context, **parameters)

    @property
    def errors(self):
        """The errors that this window has logged."""
        return [
            entry.get("text", "")
            for entry in self._firefox.log
            if entry["level"] == "error" and entry["source"].get("context") == self._context
        ]

    def load(self, url):
        """Loads an address."""
        self._command("browsingContext.navigate", url=url, wait="complete")

    def before(self, js):
        """Runs statements in each page that loads from now on, before the page's own."""
        self._firefox.command(
            "script.addPreloadScript",
            functionDeclaration=f"() => {{ {js} }}",
            contexts=[self._context],
        )

    def resize(self, width, height, ratio=1):
        """Gives the window another size, and another ratio of device pixels to CSS px."""
        self._command(
            "browsingContext.setViewport",
            viewport={"width": width, "height": height},
            devicePixelRatio=ratio,
        )

    def evaluate(self, js):
        """Returns the value of an expression in the page."""
        return evaluated(self._firefox.command, self._context, js)

    def key(self, name):
        """Presses and releases a key, given by its DOM name; "Shift+Tab" is a key with a modifier."""
        keys = [KEYS.get(key, key) for key in (name.split("+") if len(name) > 1 else name)]
        downs = [{"type": "keyDown", "value": key} for key in keys]
        ups = [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self._perform({"type": "key", "id": "keys", "actions": downs + ups})

    def screenshot(self, path):
        """Writes a screenshot as PNG."""
        data = self._command("browsingContext.captureScreenshot")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def press(self, points, touch=False):
        """Puts fingers down, or the mouse button."""
        self._points, self._touch = points, touch
        self._hand(
            [
                [_to(point), {"type": "pointerDown", "button": 0}]
                for point in points
            ]
        )

    def _move(self, points, steps):
        ways = zip(*between(self._points, points, steps), strict=True)
        # A movement with a duration would consist of more events on some days than on others.
        pause = {"type": "pause", "duration": round(FINGER_MOVE_SECONDS * 1000)}
        self._hand([[action for point in way for action in (_to(point), pause)] for way in ways])
        self._points = points

    def lift(self):
        """Lifts all fingers, or the mouse button."""
        self._hand([[{"type": "pointerUp", "button": 0}] for _ in self._points])

    def hide(self):
        """Hides the window behind another tab."""
        self._other = self._firefox.command(
            "browsingContext.create", type="tab", referenceContext=self._context, userContext=self._user
        )["context"]
        self.wait_for("document.hidden")

    def show(self):
        """Shows the hidden window again."""
        self._firefox.command("browsingContext.close", context=self._other)
        self._command("browsingContext.activate")
        self.wait_for("!document.hidden")

    def _double_click(self, point):
        self._touch = False
        down, up = ({"type": f"pointer{way}", "button": 0} for way in ("Down", "Up"))
        self._hand([[_to(point), down, up, down, up]])

    def _hand(self, ways):
        kind = "touch" if self._touch else "mouse"
        self._perform(
            *(
                {
                    "type": "pointer",
                    "id": f"{kind}{index}",
                    "parameters": {"pointerType": kind},
                    "actions": way,
                }
                for index, way in enumerate(ways)
            )
        )

    def _perform(self, *sources):
        self._command("input.performActions", actions=list(sources))

    def _close(self):
        self._command("input.releaseActions")
        self._command("browsingContext.close")
        self._firefox.command("browser.removeUserContext", userContext=self._user)


def _to(point):
    x, y = point
    # Firefox ESR accepts only integers as viewport coordinates.
    return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}
