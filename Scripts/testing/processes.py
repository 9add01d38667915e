"""The processes of a run: they are started, waited for and ended by their IDs, with all that they have started."""

import asyncio
import contextlib
import ctypes
import os
import pathlib
import signal
import subprocess

PR_SET_CHILD_SUBREAPER = 36
# The helpers of a browser end a moment after the browser.
GRACE_SECONDS = 5

# The processes that `run` waits for.
_running = set()


def adopt_orphans():
    """Makes this process the parent of all its descendants whose own parent has ended, so that none gets lost."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def start(command, log, environment):
    """Starts a command in a session of its own, so that Ctrl-C reaches only this process, which ends the others."""
    with open(log, "ab") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment, start_new_session=True
        )
    _running.add(process.pid)
    return process


def reap_orphans():
    """Reaps the adopted processes that have ended; until then, `/proc` lists them as if they still ran."""
    _reap(_orphans())


async def run(command, log, environment):
    """Runs a command, adds its output to a log and returns its exit status."""
    process = start(command, log, environment)
    await _ended(process.pid)
    _running.discard(process.pid)
    return process.wait()


async def end_left_over(folder):
    """Ends the processes whose temporary folder is this one and whose parent has ended. Returns their commands."""
    names = []
    while left := [pid for pid in _orphans() if f"TMPDIR={folder}".encode() in _environment(pid)]:
        await _wait(left)
        alive = [pid for pid in left if _is_alive(pid)]
        names += [f"{_command(pid)} (process {pid})" for pid in alive]
        await end(alive)
        _reap(left)
    return names


async def end_all():
    """Ends all processes that descend from this one. Returns the commands of those that had to be ended."""
    names = []
    while left := _descendants(os.getpid()):
        names += [f"{_command(pid)} (process {pid})" for pid in left if _is_alive(pid)]
        await end(left)
        _running.clear()
        _reap(left)
    return names


async def end(pids):
    """Ends processes; those that do not end when asked to are killed."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        await _wait(pids)


async def _wait(pids):
    """Waits until processes have ended, but not longer than the grace."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(GRACE_SECONDS):
            for pid in pids:
                await _ended(pid)


async def _ended(pid):
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    loop = asyncio.get_running_loop()
    end = loop.create_future()
    loop.add_reader(descriptor, lambda: end.done() or end.set_result(None))
    try:
        await end
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)


def _reap(pids):
    for pid in pids:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def _orphans():
    return [pid for pid in _children(os.getpid()) if pid not in _running]


def _descendants(pid):
    return [one for child in _children(pid) for one in (child, *_descendants(child))]


def _children(pid):
    found = []
    for path in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, path.read_text().split())
    return found


def _environment(pid):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return []


def _command(pid):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:150]
    return ""


def _is_alive(pid):
    """Returns whether a process runs. One that has ended, but has not been waited for, has no command."""
    return _command(pid) != ""
