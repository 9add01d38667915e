"""A bad line is bad for who is behind it, and ends in the same place."""

from shaped import Shaped
from shaped_model import Shape
from sharing import caught, swing


def test_a_reader_that_stopped_reading_and_is_gone_holds_up_nobody(reading, house, join):
    line = Shaped(house.port)
    try:
        stalled = reading.guest()
        slow = join(line.url, room=reading.name, key=reading.links.follow)
        line.stall()
        reading.host.drag(swing, 1.5)
        assert stalled.frame.number > slow.frame.number
        line.cut()
        slow.wait_closed()
        with reading.host.settling("book"):
            reading.host.key("ArrowRight")
        ours, theirs = caught(stalled, reading.host)
        assert ours == theirs
    finally:
        line.close()


def test_a_far_narrow_lossy_line_ends_on_the_same_frame(reading, house, join):
    line = Shaped(house.port, Shape(delay=0.04, jitter=0.02, loss=0.02, rate=400_000), is_clear=True)
    try:
        far = join(line.url, room=reading.name, key=reading.links.follow)
        line.worsen()
        reading.host.drag(swing, 1)
        far.wait(lambda: far.frame.settled and far.frame.number == reading.host.frame.number, "there")
        assert far.faces() == reading.host.faces()
        assert far.code is None
    finally:
        line.close()
