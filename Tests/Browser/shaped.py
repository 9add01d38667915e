"""A line to a server that is as bad as asked: late, uneven, lossy, narrow, silent or cut.

A line is clear until it is told to be bad, if it is told so: pages and pictures load at their
leisure then. What a bad line does is in shaped_model.py, the process that does it shaped_relay.py.
"""

import json
import pathlib
import subprocess
import sys

from shaped_model import Shape

RELAY = pathlib.Path(__file__).resolve().with_name("shaped_relay.py")


class Shaped:
    """A shaped line to a port of this machine, in a process of its own.

    A process: what a test or a benchmark computes meanwhile must not make the line worse.
    """

    def __init__(self, port, shape=Shape(), seed=1, is_clear=False):
        self.shape = shape
        self._process = subprocess.Popen(
            [
                sys.executable, RELAY, "--to", str(port),
                "--delay", str(1000 * shape.delay), "--jitter", str(1000 * shape.jitter),
                "--loss", str(100 * shape.loss), "--rate", str((shape.rate or 0) / 1000),
                "--seed", str(seed), *(["--clear"] if is_clear else []),
            ],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        self.port = int(self._process.stdout.readline())
        self.url = f"http://127.0.0.1:{self.port}/"

    def _say(self, word):
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def cut(self):
        """See `Relay.cut`."""
        self._say("cut")

    def mend(self):
        """See `Relay.mend`."""
        self._say("mend")

    def stall(self):
        """See `Relay.stall`."""
        self._say("stall")

    def flow(self):
        """See `Relay.flow`."""
        self._say("flow")

    def clear(self):
        """See `Relay.clear`."""
        self._say("clear")

    def worsen(self):
        """See `Relay.worsen`."""
        self._say("worsen")

    def count(self):
        """See `Relay.count`."""
        return self._say("count")

    def close(self):
        """Ends the line for good."""
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def has_netem():
    """Whether this kernel could shape a line itself; then a namespace of the network may too."""
    try:
        probe = "ip link set lo up && tc qdisc add dev lo root netem delay 1ms"
        asked = subprocess.run(["unshare", "--net", "sh", "-c", probe], capture_output=True)
    except OSError:
        return False
    return asked.returncode == 0
