"""The instrument: the events that the browsers report for the gestures of these tests."""

import functools
import http.server
import pathlib
import threading

import pytest

from reader import CENTRE
from steps import BOTH

pytestmark = BOTH


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, *_):
        """Logs nothing."""


@pytest.fixture(scope="module")
def pointers():
    """The address of a page that logs its pointer events."""
    folder = pathlib.Path(__file__).parent
    handler = functools.partial(Quiet, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/pointers.html"
    server.shutdown()
    server.server_close()


def of_type(log, kind):
    """Returns the events of a type."""
    return [event for event in log if event["type"] == kind]


def test_a_pinch_consists_of_two_touch_pointers_that_move_apart(reader, pointers):
    reader.goto(pointers)
    reader.pinch(CENTRE, 50, 200)
    log = reader.evaluate("log")
    assert len({event["id"] for event in of_type(log, "pointerdown")}) == 2
    assert {event["kind"] for event in log} == {"touch"}
    assert len(of_type(log, "pointermove")) >= 40
    assert len(of_type(log, "pointerup")) == 2
    assert of_type(log, "pointercancel") == []
    ends = sorted(event["x"] for event in of_type(log, "pointerup"))
    assert ends == pytest.approx([CENTRE[0] - 200, CENTRE[0] + 200], abs=1)


def test_fingers_stay_down_between_movements(reader, pointers):
    reader.goto(pointers)
    reader.spread(CENTRE, 50, 80, steps=5)
    assert of_type(reader.evaluate("log"), "pointerup") == []
    reader.dwell([(CENTRE[0] - 80, CENTRE[1]), (CENTRE[0] + 80, CENTRE[1])], steps=4)
    reader.lift()
    log = reader.evaluate("log")
    assert len(of_type(log, "pointerdown")) == 2
    assert len(of_type(log, "pointerup")) == 2


def test_a_mouse_drag_is_one_mouse_pointer(reader, pointers):
    reader.goto(pointers)
    reader.drag((700, 384), (300, 384))
    log = reader.evaluate("log")
    assert {event["kind"] for event in log} == {"mouse"}
    assert of_type(log, "pointerup")[0]["x"] == pytest.approx(300, abs=1)
    assert len(of_type(log, "pointermove")) >= 20


def test_a_swipe_is_lifted_in_motion(reader, pointers):
    reader.goto(pointers)
    reader.swipe((700, 384), (400, 384))
    log = reader.evaluate("log")
    took = log[-1]["time"] - log[0]["time"]
    assert took < 400, "a swipe this slow is a drag"


def test_keys_arrive_with_their_names(reader, pointers):
    reader.goto(pointers)
    names = ["ArrowRight", "ArrowLeft", "PageDown", "PageUp", "Home", "End", "Enter", "Escape"]
    for name in names:
        reader.key(name)
    assert [event["key"] for event in of_type(reader.evaluate("log"), "keydown")] == names
