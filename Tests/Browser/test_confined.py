"""What confines the press is said once: when the server starts, and by `lectern doctor`."""

import errno
import subprocess
from contextlib import contextmanager

import pytest
from confined import without_landlock
from server import PROGRAM, Server


@contextmanager
def serving(*arguments, **options):
    """A server until the end of a `with`."""
    server = Server(*arguments, **options)
    try:
        yield server
    finally:
        server.stop()


def doctor(data, **options):
    """Returns what `lectern doctor` finds about the confinement of the press."""
    command = [PROGRAM, "doctor", "--port", "0", "--data", str(data)]
    lines = subprocess.run(command, capture_output=True, text=True, timeout=60, **options).stdout.splitlines()
    return next(line for line in lines if " confinement " in line)


def said(server):
    """Waits until the server says what confines the press, and returns the lines that do."""
    server.wait_for_output("press.confined")
    return [line for line in server.output.splitlines() if "press.confined" in line]


def test_a_kernel_with_landlock_confines_the_press_wholly(tmp_path):
    assert doctor(tmp_path / "data").startswith("ok ")
    with serving() as server:
        assert ["Landlock, seccomp and limits confine the press" in line for line in said(server)] == [True]


@pytest.mark.parametrize("code", [errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP])
def test_doctor_warns_where_landlock_is_missing_and_books_still_open(tmp_path, code):
    found = doctor(tmp_path / "data", preexec_fn=lambda: without_landlock(code))
    assert found.startswith("warning ") and "has no Landlock" in found, found


def test_the_server_says_once_that_landlock_is_missing_and_opens_books(tmp_path):
    books = tmp_path / "books"
    books.mkdir()
    (books / "hello.txt").write_text("Hello\n\nIt was a quiet evening.\n")
    with serving("--library", books, preexec_fn=without_landlock) as server:
        assert ["has no Landlock" in line for line in said(server)] == [True]
        server.wait_for_output("import.finished")
        assert "press.unconfined" not in server.output
