"""What the process of a server holds at a quiet point, and whether that has grown."""

import dataclasses
import pathlib
import statistics
import time

# An idle thread of Dispatch, and what libwebsockets and SQLite put off, end within this time.
PAUSE_SECONDS, SAMPLES = 8, 16
QUIET_SECONDS = 60
LIMIT = 0.03


@dataclasses.dataclass(frozen=True)
class Measure:
    """Memory in KiB, and numbers of descriptors and threads.

    `anonymous` is what the process has allocated. PSS also depends on what other processes map, such as presses.
    """

    anonymous: int
    pss: int
    rss: int
    descriptors: int
    threads: int

    def __str__(self):
        return (f"anonymous {self.anonymous} KiB, PSS {self.pss} KiB, RSS {self.rss} KiB, "
                f"{self.descriptors} descriptors, {self.threads} threads")


NAMES = [field.name for field in dataclasses.fields(Measure)]


def measured(process):
    """Returns what a process holds now."""
    folder = pathlib.Path("/proc", str(process))
    sizes = {}
    for line in (folder / "smaps_rollup").read_text().splitlines()[1:]:
        name, size, _ = line.split()
        sizes[name.rstrip(":")] = int(size)
    return Measure(
        sizes["Anonymous"], sizes["Pss"], sizes["Rss"],
        len(list((folder / "fd").iterdir())), len(list((folder / "task").iterdir())),
    )


def settled(server, websockets):
    """Waits until a server has these WebSockets and nothing else to do, and returns the least that it then holds."""
    until = time.monotonic() + QUIET_SECONDS

    def left():
        """What is not quiet yet."""
        # The request for the metrics is a page.
        kinds = {"websocket": websockets, "page": 1}
        found = {kind: server.metric(f'lectern_connections{{kind="{kind}"}}') for kind in kinds}
        return {"presses": server.presses, "connections": found} if server.presses or found != kinds else None

    while rest := left():
        assert time.monotonic() < until, f"the server is not quiet: {rest}"
        time.sleep(0.2)
    samples = []
    for _ in range(SAMPLES):
        time.sleep(PAUSE_SECONDS / SAMPLES)
        samples.append(measured(server.process.pid))
    return Measure(*(min(getattr(one, name) for one in samples) for name in NAMES))


def thirds(series, name):
    """Returns the medians of the first and of the last third of a series."""
    values = [getattr(one, name) for one in series]
    third = len(values) // 3
    return statistics.median(values[:third]), statistics.median(values[-third:])


def growth(series, name):
    """Returns by which share a series has grown."""
    first, last = thirds(series, name)
    return (last - first) / first


def children(process):
    """Returns the states and names of the children of a process, and of their children."""
    found = []
    for task in pathlib.Path("/proc", str(process), "task").iterdir():
        for child in (task / "children").read_text().split():
            name, state = pathlib.Path("/proc", child, "stat").read_text().split("(", 1)[1].rsplit(") ", 1)
            found += [f"{child} {name} {state[0]}", *children(child)]
    return found


def files(folder, besides=()):
    """Returns the files below a folder, without the page images of some books."""
    found = [path.relative_to(folder) for path in pathlib.Path(folder).rglob("*") if path.is_file()]
    return {str(path) for path in found if path.parts[0] != "pages" or path.name.split(".")[0] not in besides}
