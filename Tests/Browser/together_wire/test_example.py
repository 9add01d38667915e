"""The example follower, which is written from the protocol's documentation alone, shows the same frames."""

import json
import pathlib
import subprocess
import sys

import pytest

EXAMPLE = pathlib.Path(__file__).parents[3] / "Scripts" / "examples" / "follow.py"


@pytest.fixture
def follower(reading, library_server):
    """The example, as a process that follows the reading by its link."""
    link = f"{library_server.url}r/{reading.name}#{reading.links.follow}"
    process = subprocess.Popen(
        [sys.executable, EXAMPLE, link], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    yield process
    process.kill()
    process.communicate()


def test_the_example_follows_a_turn_to_its_rest(reading, follower):
    seen = json.loads(follower.stdout.readline())
    assert seen["settled"]
    host = reading.host
    number = host.frame.number
    host.key("ArrowRight")
    host.wait(lambda: host.frame.number > number and host.frame.settled, "turned")
    settled = 0
    for line in follower.stdout:
        seen = json.loads(line)
        settled += seen["settled"]
        if settled and seen["frame"] == host.frame.number:
            break
    assert seen["settled"]
    shown = {
        str(id) if isinstance(id, int) else f"{id[0]}/{id[1]}": placed
        for id, placed in host.frame.shown.items()
    }
    assert seen["shown"].keys() == shown.keys()
    for id, entry in seen["shown"].items():
        matrix, _, _, z = shown[id]
        assert entry["matrix"] == pytest.approx(list(matrix)), id
        assert entry["z"] == z, id
