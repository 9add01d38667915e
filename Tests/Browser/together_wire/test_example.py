"""The example follower, which is written from the protocol's documentation alone, shows the same frames."""

import importlib.util
import json
import pathlib
import subprocess
import sys

import pytest

from sharing import KEY

EXAMPLE = pathlib.Path(__file__).parents[3] / "Scripts" / "examples" / "follow.py"


@pytest.fixture
def follower(reading, library_server):
    """The example, as a process that follows the session by its link."""
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


@pytest.mark.parametrize(("link", "address", "room", "key"), [
    ("https://books.example/r/QKDRTV#secret", "wss://books.example/ws", "QKDRTV", "secret"),
    ("http://10.0.0.5:8080/r/QKDRTV/k7/9#secret", "ws://10.0.0.5:8080/ws", "QKDRTV", "secret"),
    ("http://[::1]:8080/#key=KEY", "ws://[::1]:8080/ws", "", "KEY"),
    ("http://127.0.0.1:8080/", "ws://127.0.0.1:8080/ws", "", ""),
])
def test_every_link_that_a_server_prints_can_be_followed(link, address, room, key):
    spec = importlib.util.spec_from_file_location("follow", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    assert example.parse(link) == (address, room, key)


def run(link):
    """Returns the last line of the errors of the example, which ends by itself."""
    ended = subprocess.run([sys.executable, EXAMPLE, link], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    [line] = ended.stderr.splitlines()
    return line


def test_the_example_says_in_a_line_why_it_cannot_follow(library_server):
    assert "4012 The room is gone" in run(f"{library_server.url}r/QKDRTV#wrong")
    assert "http:// or https://" in run("books.example")
    assert "refused" in run("http://127.0.0.1:1/").lower()


def test_the_example_ends_with_the_reader_of_its_frames(library_server):
    link = f"{library_server.url}#key={KEY}"
    line = f"set -o pipefail; '{sys.executable}' '{EXAMPLE}' '{link}' | true"
    ended = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")
