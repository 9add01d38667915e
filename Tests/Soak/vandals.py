"""Clients that are killed in the middle of something, or that were never good ones, and killers of presses."""

import contextlib
import os
import signal
import socket
import struct

import wire

# Their limits are not those of the readers.
ADDRESS = "127.0.0.9"
TAKEN_BYTES = 1024
GARBAGE = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"


class Vandals:
    """Bad clients of a server and of one of its rooms; `held` are those that stay, and do nothing any more.

    All of them are one reader, because the server remembers 10,000 readers.
    """

    def __init__(self, port, room, key, image, reader):
        self._port, self._room, self._key, self._image, self._reader = port, room, key, image, reader
        self.held = []
        self.kinds = [
            self.reset_in_mid_stream, self.stop_reading, self.answer_nothing, self.ask_half, self.send_half_a_body,
            self.say_half_a_message, self.talk_nonsense, self.send_garbage, self.abort_a_picture,
        ]

    def close(self):
        """Ends the clients that stay."""
        while self.held:
            self.held.pop().close()

    def _line(self, buffer=None):
        line = socket.socket()
        if buffer:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        line.settimeout(10)
        line.bind((ADDRESS, 0))
        line.connect(("127.0.0.1", self._port))
        return line

    def _head(self, method, path, *fields):
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self._port}", *fields]
        return "\r\n".join(lines).encode() + b"\r\n\r\n"

    def _member(self, buffer=None):
        """Returns the connection of a member that has just said hello."""
        line = self._line(buffer)
        line.sendall(self._head(
            "GET", "/ws", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", f"Sec-WebSocket-Protocol: {wire.SUBPROTOCOL}",
            f"Origin: http://127.0.0.1:{self._port}",
        ))
        assert line.recv(TAKEN_BYTES).startswith(b"HTTP/1.1 101")
        line.sendall(framed(wire.encode(
            "hello", wire.VERSION, self._room, self._key, "", self._reader, "", wire.NO_COLOUR, 1024, 768, 1.0, [])))
        return line

    def reset_in_mid_stream(self):
        """Joins, and resets the connection while frames are under way."""
        line = self._member()
        line.recv(TAKEN_BYTES)
        reset(line)

    def stop_reading(self):
        """Joins, and reads nothing at all."""
        self.held.append(self._member(buffer=TAKEN_BYTES))

    def answer_nothing(self):
        """Joins like one whose network is gone: it answers no ping."""
        line = self._member()
        line.recv(TAKEN_BYTES)
        self.held.append(line)

    def ask_half(self):
        """Sends half a request."""
        line = self._line()
        line.sendall(self._head("GET", "/api/books", "Accept: application/json")[:-20])
        self.held.append(line)

    def send_half_a_body(self):
        """Announces more than it sends, and resets."""
        line = self._line()
        line.sendall(self._head("POST", "/api/uploads", "Content-Length: 400") + b'{"name":')
        reset(line)

    def say_half_a_message(self):
        """Sends half a message over a WebSocket, and resets."""
        line = self._member()
        line.sendall(framed(bytes(100))[:30])
        reset(line)

    def talk_nonsense(self):
        """Sends messages that are none, until it is closed."""
        with self._member() as line, contextlib.suppress(OSError):
            while line.recv(TAKEN_BYTES):
                line.sendall(framed(b"\xff" * 20))

    def send_garbage(self):
        """Speaks another protocol."""
        with self._line() as line:
            line.sendall(GARBAGE)

    def abort_a_picture(self):
        """Asks for a large image, and resets after its first bytes."""
        line = self._line()
        line.sendall(self._head("GET", f"/{self._image}"))
        line.recv(TAKEN_BYTES)
        reset(line)


def framed(message):
    """Returns a message of a client as a frame of a WebSocket; the mask of zeros changes nothing."""
    size = bytes([0x80 + len(message)]) if len(message) < 126 else bytes([0xFE]) + struct.pack(">H", len(message))
    return b"\x82" + size + bytes(4) + message


def reset(line):
    """Ends a connection by a reset, as a process that is killed with unread bytes does."""
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()


def kill_presses(server, share=1.0, chance=None):
    """Kills the presses of a server, or some of them, and returns how many."""
    chosen = [press for press in server.presses if chance is None or chance.random() < share]
    for press in chosen:
        with contextlib.suppress(ProcessLookupError):
            os.kill(press, signal.SIGKILL)
    return len(chosen)
