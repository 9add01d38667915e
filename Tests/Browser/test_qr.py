"""QR codes are read by something else than what drew them."""

import re
import urllib.error
import urllib.request

import pytest
import zxingcpp

from server import Server

MODULE = 6


@pytest.fixture(scope="module")
def served():
    """A server on the loopback."""
    server = Server()
    yield server
    server.stop()


def drawn(server, link):
    """The QR code that the server draws of a link, as SVG."""
    request = urllib.request.Request(
        f"{server.url}api/qr", data=link.encode(), headers={"Content-Type": "text/plain"}
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        assert answer.headers["Content-Type"] == "image/svg+xml"
        return answer.read().decode()


def read(svg):
    """What a reader of QR codes finds in the drawing, printed black on white."""
    size = int(re.search(r'viewBox="0 0 (\d+) \1"', svg)[1])
    side = size * MODULE
    grey = bytearray(b"\xff" * side * side)
    for x, y, width, back in re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", svg):
        assert width == back
        row = b"\x00" * int(width) * MODULE
        for line in range(int(y) * MODULE, (int(y) + 1) * MODULE):
            start = line * side + int(x) * MODULE
            grey[start : start + len(row)] = row
    picture = memoryview(bytes(grey)).cast("B", (side, side))
    return [code.text for code in zxingcpp.read_barcodes(picture)]


@pytest.mark.parametrize("length", [0, 22, 64, 400])
def test_a_link_is_read_back_as_it_was(served, length):
    link = f"{served.url}r/ABCDEF#" + ("aZ09-_" * 100)[:length]
    assert read(drawn(served, link)) == [link]


def test_what_is_no_link_of_this_server_is_not_drawn(served):
    with pytest.raises(urllib.error.HTTPError) as refused:
        drawn(served, "https://elsewhere.example/r/ABCDEF")
    assert refused.value.code == 400
