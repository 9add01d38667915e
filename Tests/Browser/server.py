"""A Lectern server for a test, and a connection to it that can be cut."""

import os
import pathlib
import queue
import re
import signal
import socket
import subprocess
import tempfile
import threading
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(
    os.environ.get("LECTERN_PROGRAM", ROOT / ".build" / "release" / "lectern")
)
ADMIN = re.compile(r"Health and metrics are at (http://127\.0\.0\.1:\d+)/")
ADDRESS = re.compile(r"(?:Lectern is open|  and) at (http://127\.0\.0\.1:(\d+)/)")
START_SECONDS = 20
STOP_SECONDS = 10
METRIC_SECONDS = 10


class Server:
    """`lectern serve` on a free port of the loopback interface.

    Without `--data` among the arguments it uses a temporary folder.
    """

    def __init__(self, *arguments, port=0, preexec_fn=None):
        self._data = tempfile.TemporaryDirectory(prefix="lectern-data-")
        if "--data" not in arguments:
            arguments += ("--data", self._data.name)
        if "--web" not in arguments:
            arguments += ("--web", ROOT / "Web")
        self._lines = []
        self._said = threading.Condition()
        found = queue.Queue()
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--listen", "127.0.0.1", "--port", str(port),
             "--admin-listen", "127.0.0.1:0", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=ROOT,
            preexec_fn=preexec_fn,
        )
        self._reader = threading.Thread(target=self._read, args=(found,), daemon=True)
        self._reader.start()
        try:
            self.url, port = found.get(timeout=START_SECONDS)
        except queue.Empty:
            self.process.kill()
            raise RuntimeError(f"the server printed no address but: {self.output}") from None
        if self.url is None:
            status = self.process.wait()
            raise RuntimeError(f"the server ended with {status}, saying: {self.output}")
        self.port = int(port)

    def _read(self, found):
        for line in self.process.stdout:
            with self._said:
                self._lines.append(line)
                self._said.notify_all()
            match = ADDRESS.search(line)
            if match:
                found.put((match[1], match[2]))
        found.put((None, None))

    @property
    def admin_url(self):
        """The address of health and metrics."""
        return ADMIN.search(self.output)[1] + "/"

    @property
    def output(self):
        """The output of the server so far."""
        return "".join(self._lines)

    @property
    def presses(self):
        """The numbers of the processes that open documents for the server."""
        asked = ["pgrep", "--parent", str(self.process.pid), "--full", "lectern-press"]
        return [int(line) for line in subprocess.run(asked, capture_output=True, text=True).stdout.split()]

    def metric(self, name):
        """Returns the value of a metric, with its labels in braces if it has any."""
        with urllib.request.urlopen(f"{self.admin_url}metrics", timeout=METRIC_SECONDS) as answer:
            text = answer.read().decode()
        for line in text.splitlines():
            if line.startswith(name + " "):
                return float(line.split()[-1])
        raise AssertionError(f"there is no metric {name}")

    def wait_for_output(self, text):
        """Waits until a line of the output contains a text."""
        with self._said:
            if not self._said.wait_for(lambda: text in self.output, START_SECONDS):
                raise AssertionError(f"the server did not say {text!r} but: {self.output}")

    def wait(self):
        """Waits until the server has ended and its output was read; returns its exit status."""
        status = self.process.wait()
        # Whatever the server leaves behind may still have its output open.
        self._reader.join(STOP_SECONDS)
        return status

    def stop(self):
        """Ends the server, and returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise RuntimeError(f"the server did not end; it printed: {self.output}") from None
        finally:
            self._data.cleanup()


class Line:
    """A TCP relay to the server, on its own port, which can be cut.

    For both ends a cut is like a lost network, without a close frame or a goodbye. A connection that is lost is silent:
    what is sent waits, and new connections work, as after a phone has slept.
    """

    def __init__(self, port):
        self._target = ("127.0.0.1", port)
        self._pairs = []
        self._flows = []
        self._lock = threading.Lock()
        self._open = True
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                if not self._open:
                    near.close()
                    continue
                try:
                    far = socket.create_connection(self._target)
                except OSError:
                    # The server restarts.
                    near.close()
                    continue
                flows = threading.Event()
                flows.set()
                self._pairs.append((near, far))
                self._flows.append(flows)
            for source, sink in ((near, far), (far, near)):
                source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._relay, args=(source, sink, flows), daemon=True).start()

    @staticmethod
    def _relay(source, sink, flows):
        try:
            while data := source.recv(65536):
                flows.wait()
                sink.sendall(data)
            flows.wait()
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def cut(self):
        """Drops every connection and rejects new ones until `mend`."""
        with self._lock:
            self._open = False
            for pair in self._pairs:
                for end in pair:
                    try:
                        end.shutdown(socket.SHUT_RDWR)
                    except OSError:
                        pass
                    end.close()
            self._pairs.clear()
            self._release()
            self._flows.clear()

    def lose(self):
        """Holds what present connections carry until `find`."""
        with self._lock:
            for flows in self._flows:
                flows.clear()

    def find(self):
        """Delivers what lost connections have carried."""
        with self._lock:
            self._release()

    def _release(self):
        for flows in self._flows:
            flows.set()

    def mend(self):
        """Accepts connections again."""
        with self._lock:
            self._open = True

    def close(self):
        """Ends the relay."""
        self.cut()
        self._listener.close()
