"""A bad connection affects only its own member, which still reaches the same frame."""

from shaped import Shaped
from shaped_model import Shape
from sharing import caught, swing


def test_a_member_that_has_stopped_reading_delays_no_other(reading, library_server, join):
    line = Shaped(library_server.port)
    try:
        stalled = reading.guest()
        slow = join(line.url, room=reading.name, key=reading.links.follow)
        line.stall()
        reading.host.drag(swing, 0.5)
        assert stalled.frame.number > slow.frame.number
        line.cut()
        slow.wait_closed()
        with reading.host.settling("book"):
            reading.host.key("ArrowRight")
        ours, theirs = caught(stalled, reading.host)
        assert ours == theirs
    finally:
        line.close()


def test_a_member_on_a_slow_lossy_connection_reaches_the_same_frame(reading, library_server, join):
    line = Shaped(library_server.port, Shape(delay=0.04, jitter=0.02, loss=0.02, rate=400_000), is_clear=True)
    try:
        far = join(line.url, room=reading.name, key=reading.links.follow)
        line.worsen()
        reading.host.drag(swing, 0.5)
        far.wait(lambda: far.frame.settled and far.frame.number == reading.host.frame.number, "at the host's frame")
        assert far.faces() == reading.host.faces()
        assert far.code is None
    finally:
        line.close()
