"""A connection to a server with a given latency, jitter, loss and rate, which can also stall or be cut.

With `is_clear` it has no faults until `worsen`, so that pages and images load quickly. shaped_model.py has the
model of the faults, and shaped_relay.py the process that applies them.
"""

import json
import pathlib
import subprocess
import sys

from shaped_model import Shape

RELAY = pathlib.Path(__file__).resolve().with_name("shaped_relay.py")


class Shaped:
    """A shaped connection to a port of this machine.

    It runs in a separate process, so that the work of a test or a benchmark does not disturb it.
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
        """Ends the process."""
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def has_netem():
    """Returns whether this kernel can shape connections itself."""
    try:
        probe = "ip link set lo up && tc qdisc add dev lo root netem delay 1ms"
        asked = subprocess.run(["unshare", "--net", "sh", "-c", probe], capture_output=True)
    except OSError:
        return False
    return asked.returncode == 0
