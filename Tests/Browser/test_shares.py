"""Books on a share: FUSE stands for NFS and SMB, because a watch learns as little of what happens on its other side."""

import json
import subprocess
import time
import urllib.error
import urllib.request

import pytest
from server import PROGRAM, ROOT, Server

PATIENCE = 30
SECONDS = 3  # between two scans


class Share:
    """A folder of another machine, and where it is mounted here."""

    def __init__(self, folder, kind=None):
        self.far, self.near = folder / "far", folder / "near"
        for path in (self.far, self.near):
            path.mkdir()
        self._kind = ("-o", f"subtype={kind}") if kind else ()

    def mount(self):
        self._process = subprocess.Popen(["bindfs", "-f", *self._kind, self.far, self.near], stderr=subprocess.PIPE)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and not self.near.is_mount():
            if self._process.poll() is not None:
                pytest.skip(f"this machine mounts nothing with FUSE: {self._process.stderr.read().decode()}")
            time.sleep(.02)

    def unmount(self):
        subprocess.run(["umount", "--lazy", self.near], capture_output=True)
        self._process.wait(PATIENCE)

    def crash(self):
        """Ends the program that answers for the share, which stays mounted."""
        self._process.kill()
        self._process.wait(PATIENCE)


@pytest.fixture
def share(tmp_path):
    share = Share(tmp_path)
    share.mount()
    yield share
    share.unmount()


@pytest.fixture
def server(share, tmp_path):
    (share.far / "one.txt").write_text("One\n\nIt was a quiet evening.\n")
    server = Server("--library", share.near, "--data", tmp_path / "data", "--scan-every", str(SECONDS))
    try:
        assert until(lambda: titles(server) == ["one"])
        yield server
    finally:
        assert server.stop() == 0


def titles(server):
    with urllib.request.urlopen(server.url + "api/books") as answer:
        return sorted(one["title"] for one in json.load(answer) if one["collection"])


def until(is_so):
    """Waits until something is so, and returns whether it is."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(.05)
    return True


def opens(server):
    """Whether the book can be read: its picture is drawn from its file."""
    with urllib.request.urlopen(server.url + "api/books") as answer:
        book = json.load(answer)[0]["id"]
    try:
        with urllib.request.urlopen(f"{server.url}b/{book}/p/0/zoom?x={time.monotonic()}") as answer:
            return answer.status == 200
    except urllib.error.HTTPError:
        return False


def test_a_book_that_another_machine_adds_or_removes_is_noticed(server, share):
    partial = share.far / "two.part"
    partial.write_text("Two\n\nThe ferry left at nine.\n")
    partial.rename(share.far / "two.txt")
    assert until(lambda: titles(server) == ["one", "two"])
    (share.far / "one.txt").unlink()
    assert until(lambda: titles(server) == ["two"])


@pytest.mark.parametrize("how", ["unmounted", "crashed"])
def test_a_share_that_goes_away_keeps_its_shelf_and_comes_back_by_itself(server, share, how):
    share.unmount() if how == "unmounted" else share.crash()
    server.wait_for_output("library.note")
    server.wait_for_output("its book stays on the shelf" if how == "unmounted" else "its books stay on the shelf")
    assert titles(server) == ["one"]
    share.unmount()
    share.mount()
    (share.far / "two.txt").write_text("Two\n\nThe ferry left at nine.\n")
    assert until(lambda: titles(server) == ["one", "two"])
    assert opens(server)


def test_a_server_that_starts_before_its_share_is_mounted_shows_its_books(server, share, tmp_path):
    server.stop()
    share.unmount()
    again = Server("--library", share.near, "--data", tmp_path / "data", "--scan-every", str(SECONDS))
    try:
        again.wait_for_output("its book stays on the shelf")
        assert titles(again) == ["one"]
        share.mount()
        (share.far / "two.txt").write_text("Two\n\nThe ferry left at nine.\n")
        assert until(lambda: titles(again) == ["one", "two"])
    finally:
        assert again.stop() == 0


def test_the_data_folder_is_refused_on_a_share_that_cannot_hold_a_database(tmp_path):
    share = Share(tmp_path, kind="sshfs")
    share.mount()
    try:
        data = share.near / "data"
        place = ("--port", "0", "--web", ROOT / "Web")
        for command in (("serve", *place), ("doctor", *place), ("import", "x.pdf")):
            done = subprocess.run([PROGRAM, *command, "--data", data], capture_output=True, text=True, timeout=PATIENCE)
            said = done.stdout + done.stderr
            assert done.returncode == 1 and f"{data} is on a network share (fuse.sshfs)" in said, said
        assert not data.exists()
    finally:
        share.unmount()
