"""Follows a shared room without a browser and prints each frame as it arrives, as a line of JSON.

Usage: follow.py LINK    (a link from Share, or the address that a server prints; needs the PyPI package
websockets; see Protocol.md)
"""

import json
import os
import struct
import sys
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

# The entries of a matrix in the order of the bits of a mask: m11 m13 m41 m43 m22 m31 m33 ...
ORDER = (0, 2, 12, 14, 5, 8, 10, 4, 6, 1, 13, 3, 7, 11, 9, 15)
IDENTITY = [float(entry % 5 == 0) for entry in range(16)]
NUMBERS = ((1, "opacity", "<H"), (2, "shade", "<H"), (4, "z", "<h"))


def hello(room, key):
    texts = [room, key, "", "", "Follower"]  # No resume token, no reader's secret.
    packed = b"".join(struct.pack("<H", len(one.encode())) + one.encode() for one in texts)
    return b"\x01\x07" + packed + struct.pack("<BfffB", 255, 1024, 768, 1, 0)  # An empty set.


def read_number(frame, at):
    """Returns a number, which has seven bits in each byte, and the next offset."""
    value, scale = 0, 1
    while frame[at] > 127:
        value, scale, at = value + frame[at] % 128 * scale, 128 * scale, at + 1
    return value + frame[at] * scale, at + 1


def single(value):
    """Returns a number as binary32 has it, without negative zero."""
    return struct.unpack("<f", struct.pack("<f", value))[0] + 0.0


def derive(matrix, given, bits):
    """Derives the entries of a matrix that are not sent from those that are."""
    rules = [(8, 2, lambda m13: -m13), (10, 0, lambda m11: m11)] if bits & 32 else []
    if bits & 64:
        rules += [(row + 3, row + 2, lambda depth: depth * -0.0005) for row in (0, 4, 8)]
        rules += [(15, 14, lambda m43: 1 + m43 * -0.0005)]
    for place, source, rule in rules:
        if source in given and place not in given:
            matrix[place] = single(rule(matrix[source]))
            given.add(place)


def fold(frame, shown):
    """Applies a frame, without its type byte, to the shown elements."""
    number, time, state, count, at = *struct.unpack_from("<IdBH", frame), 15
    element, heads = 0, [(0, 0), (0, 0)]
    for _ in range(count):
        start, at = read_number(frame, at)
        step = start >> 3
        element += -(step + 1) // 2 if step % 2 else step // 2
        if start & 3 == 0:  # A new head; otherwise it is one of the last two.
            mask, at = read_number(frame, at)
            heads, at = [(mask, frame[at]), heads[0]], at + 1
        elif start & 3 == 2:
            heads.reverse()
        mask, bits = heads[0]
        name = str(element)
        if start & 4:  # A part of the element, such as a strip of a bent leaf.
            name, at = f"{element}/{frame[at]}", at + 1
        entry = shown.pop(name, {})
        if bits & 8:
            continue
        entry["matrix"] = list(IDENTITY if bits & 16 else entry["matrix"])
        given = {place for bit, place in enumerate(ORDER) if mask >> bit & 1}
        for place in filter(given.__contains__, ORDER):
            (entry["matrix"][place],) = struct.unpack_from("<f", frame, at)
            at += 4
        derive(entry["matrix"], given, bits)
        for _, value, form in (one for one in NUMBERS if bits & one[0]):
            (entry[value],) = struct.unpack_from(form, frame, at)
            at += 2
        shown[name] = entry
    print(json.dumps(dict(frame=number, t=time, settled=state & 1, shown=shown)), flush=True)


def parse(link):
    """Returns the address of the server's WebSocket, the room, and the key or secret."""
    parts = urlsplit(link)
    secure = {"http": "", "https": "s"}.get(parts.scheme)
    if secure is None or not parts.hostname:
        raise ValueError(f"{link} is not a link of Lectern, which begins with http:// or https://")
    # /r/ROOM, which the book and its page may follow; a server's own address has no room.
    path = parts.path.split("/")
    room = path[2] if len(path) > 2 and path[1] == "r" else ""
    return f"ws{secure}://{parts.netloc}/ws", room, parts.fragment.removeprefix("key=")


def follow(link):
    """Prints frames until the server closes the connection, and returns why it did."""
    address, room, key = parse(link)
    shown = {}
    with connect(address, subprotocols=["lectern.v1"], max_size=None) as socket:
        socket.send(hello(room, key))
        try:
            while True:
                take(socket.recv(), shown)
        except ConnectionClosed as closed:
            end = closed.rcvd
            return f"{end.code} {end.reason}" if end else "the connection was lost"


def take(message, shown):
    """Folds the frames of a message into the shown elements."""
    if message[0] == 0x83:  # Elements that it does not list are hidden.
        shown.clear()
    if message[0] in (0x83, 0x84):
        fold(message[1:], shown)
    at = 2
    while message[0] == 0x85 and at < len(message):  # Deltas, each preceded by its length.
        length = int.from_bytes(message[at : at + 2], "little")
        fold(message[at + 2 : at + 2 + length], shown)
        at += 2 + length


def main(words):
    if len(words) != 1 or words[0] in ("-h", "--help"):
        sys.exit(__doc__.strip())
    try:
        sys.exit(f"follow.py: the server closed the connection: {follow(words[0])}")
    except BrokenPipeError:  # Nobody reads the frames any more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except KeyboardInterrupt:
        pass
    except (OSError, ValueError, WebSocketException) as fault:
        sys.exit(f"follow.py: {fault}")


if __name__ == "__main__":
    main(sys.argv[1:])
