"""Follows a shared room without a browser and prints each frame as it arrives, as a line of JSON.

Usage: follow.py LINK    (a link from Share; needs the PyPI package websockets; see Protocol.md)
"""

import json
import struct
import sys

from websockets.sync.client import connect

IDENTITY = [float(entry % 5 == 0) for entry in range(16)]
NUMBERS = ((1, "opacity", "<H"), (2, "shade", "<H"), (4, "z", "<h"))


def hello(room, key):
    texts = [room, key, "", "", "Follower"]  # No resume token, no reader's secret.
    packed = b"".join(struct.pack("<H", len(one.encode())) + one.encode() for one in texts)
    return b"\x01\x05" + packed + struct.pack("<BfffB", 255, 1024, 768, 1, 0)  # An empty set.


def distance(frame, at):
    """Returns the distance of an element's number from the previous one, and the next offset."""
    value, scale = 0, 1
    while frame[at] > 127:
        value, scale, at = value + frame[at] % 128 * scale, 128 * scale, at + 1
    value += frame[at] * scale
    return (-(value + 1) // 2 if value % 2 else value // 2), at + 1


def fold(frame, shown):
    """Applies a frame, without its type byte, to the shown elements."""
    number, time, _, flags, count, at = *struct.unpack_from("<IdBBH", frame), 16
    element = 0
    for _ in range(count):
        step, at = distance(frame, at)
        element += step
        mask, bits = struct.unpack_from("<HB", frame, at)
        at += 3
        name = str(element)
        if bits & 32:  # A part of the element, such as a strip of a bent leaf.
            name, at = f"{element}/{frame[at]}", at + 1
        entry = shown.pop(name, {})
        if bits & 8:
            continue
        entry["matrix"] = list(IDENTITY if bits & 16 else entry["matrix"])
        for place in filter(lambda place: mask >> place & 1, range(16)):
            (entry["matrix"][place],) = struct.unpack_from("<f", frame, at)
            at += 4
        for _, value, form in (one for one in NUMBERS if bits & one[0]):
            (entry[value],) = struct.unpack_from(form, frame, at)
            at += 2
        shown[name] = entry
    print(json.dumps(dict(frame=number, t=time, settled=flags & 1, shown=shown)), flush=True)


def follow(link):
    server, room, key = link.removeprefix("http://").replace("/r/", "#").split("#")
    shown = {}
    with connect(f"ws://{server}/ws", subprotocols=["lectern.v1"]) as socket:
        socket.send(hello(room, key))
        for message in socket:
            if message[0] == 0x83:  # Elements that it does not list are hidden.
                shown.clear()
            if message[0] in (0x83, 0x84):
                fold(message[1:], shown)
            at = 2
            while message[0] == 0x85 and at < len(message):  # Deltas, each preceded by its length.
                length = int.from_bytes(message[at : at + 2], "little")
                fold(message[at + 2 : at + 2 + length], shown)
                at += 2 + length


follow(sys.argv[1])
