"""QR codes of the server, read by another program."""

import re
import urllib.error
import urllib.request

import pytest
import zxingcpp

MODULE = 6


def drawn(server, link):
    """Returns the server's QR code for a link, as SVG."""
    request = urllib.request.Request(
        f"{server.url}api/qr", data=link.encode(), headers={"Content-Type": "text/plain"}
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        assert answer.headers["Content-Type"] == "image/svg+xml"
        return answer.read().decode()


def read(svg):
    """Returns the text that a QR reader finds in the drawing, in black on white."""
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
def test_a_qr_code_contains_its_link(server, length):
    link = f"{server.url}r/ABCDEF#" + ("aZ09-_" * 100)[:length]
    assert read(drawn(server, link)) == [link]


def test_only_links_of_this_server_are_drawn(server):
    with pytest.raises(urllib.error.HTTPError) as refused:
        drawn(server, "https://elsewhere.example/r/ABCDEF")
    assert refused.value.code == 400
