"""A TCP relay that can be cut, or stopped without a sign for either end."""

import contextlib
import socket
import threading


class Gate:
    """A relay to a port of this machine, on a port of its own.

    While it is stalled, connections stay open and bytes wait in it, as in a network that loses everything
    for a while.
    """

    def __init__(self, port):
        self._target = ("127.0.0.1", port)
        self._pairs = set()
        self._lock = threading.Lock()
        self._flows = threading.Event()
        self._flows.set()
        self._is_open = True
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near):
        self._flows.wait()
        try:
            far = socket.create_connection(self._target)
        except OSError:
            near.close()
            return
        with self._lock:
            self._pairs.add((near, far))
            is_open = self._is_open
        if not is_open:
            self._drop((near, far))
            return
        for source, sink in ((near, far), (far, near)):
            source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(
                target=self._relay, args=(source, sink, (near, far)), daemon=True
            ).start()

    def _relay(self, source, sink, pair):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self._flows.wait()
                sink.sendall(data)
        self._flows.wait()
        self._drop(pair)

    def _drop(self, pair):
        with self._lock:
            if pair not in self._pairs:
                return
            self._pairs.remove(pair)
        for end in pair:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def is_behind(self, port):
        """Returns whether the relay has a connection to its target from a port."""
        with self._lock:
            return any(far.getsockname()[1] == port for _, far in self._pairs)

    def stall(self):
        """Lets nothing pass until `flow`."""
        self._flows.clear()

    def flow(self):
        """Lets everything pass, with what has waited."""
        self._flows.set()

    def close(self):
        """Ends the relay and its connections."""
        self._is_open = False
        self._flows.set()
        # A thread that waits in accept() does not notice that the socket is closed.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            pairs = list(self._pairs)
        for pair in pairs:
            self._drop(pair)
