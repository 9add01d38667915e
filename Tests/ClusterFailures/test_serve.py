"""What Scripts/cluster prints while it runs."""

import os
import queue
import re
import signal
import subprocess
import sys
import threading

import pytest

from machines import ROOT, START_SECONDS, request

LECTERN = re.compile(r"Lectern is open at (\S+) \(process (\d+)\)")
HEALTH = re.compile(r"its health is at (\S+), its metrics at (\S+)")
NATS = re.compile(r"NATS is at (\S+) \(process (\d+)\)")


class Running:
    """The script, until the end of a `with`."""

    def __enter__(self):
        command = [sys.executable, ROOT / "Tests" / "ClusterFailures" / "serve.py", "--ports", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self._lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def _read(self):
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def until(self, text):
        """Returns the lines up to one that contains a text."""
        lines = []
        while not lines or text not in lines[-1]:
            line = self._lines.get(timeout=4 * START_SECONDS)
            assert line is not None, "".join(lines)
            lines.append(line)
        return "".join(lines)

    def __exit__(self, *_):
        self.process.terminate()
        self.status = self.process.wait(4 * START_SECONDS)


@pytest.fixture
def running():
    """The script, which must end well."""
    with Running() as script:
        yield script
    assert script.status == 0


def test_a_server_that_ends_is_reported_with_its_log_and_the_others_run_on(running):
    said = running.until("Ctrl-C")
    nodes, states, brokers = LECTERN.findall(said), HEALTH.findall(said), NATS.findall(said)
    assert len(nodes) == len(states) == len(brokers) == 3, said
    for health, metrics in states:
        assert b"ready" in request(health) and b"lectern_cluster_nodes" in request(metrics)

    os.kill(int(nodes[1][1]), signal.SIGKILL)
    report = running.until("has ended")
    assert report == f"Lectern at {nodes[1][0]} has ended by signal 9 (Killed); the others run on. It said last:\n"
    assert "server.ready" in running.until("server.ready")

    os.kill(int(brokers[0][1]), signal.SIGTERM)
    assert f"NATS at {brokers[0][0]} has ended with status" in running.until("has ended")
    assert "Server Exiting" in running.until("Server Exiting")

    for number in (0, 2):
        assert b"ready" in request(states[number][0])
    assert request(states[1][0]) is None
