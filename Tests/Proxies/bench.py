"""Prints the measurements of a server at home as rows of a table; see Scripts/bench.

Usage: Scripts/python Tests/Proxies/bench.py [restart|https]

All processes share this machine. One thread plays the members, and also decrypts what those behind Caddy hear, so the
differences between members include its work. Other work on the machine delays all of them.
"""

import asyncio
import gc
import pathlib
import ssl
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Browser"))

from guests import Guest, tend, until  # noqa: E402
from households import Household  # noqa: E402
from proxies import AUTHORITY, SECURE_HOST, free_port, proxied  # noqa: E402
from server import Server  # noqa: E402

from figures.reading import Reading  # noqa: E402
from figures.table import ms, note, row  # noqa: E402
from timing import percentile  # noqa: E402

RESTARTS = 3
MEMBERS, BESIDE = 200, 10
DRAGS, DRAG_SECONDS, WARM_SECONDS = 3, 12, 2


def figure_restart(folder):
    """Measures how long readers at a server with many books are away from their pages when it starts again."""
    with Household(folder) as home:
        for what, end in (("killed", Household.kill), ("stopped", Household.stop)):
            gaps, starts = [], []
            for _ in range(RESTARTS):
                gone, started = asyncio.run(home.restarted(end))
                gaps += gone
                starts.append(started)
                note(f"{what}: {at_shares(gone, 0.5, 0.95)}, the new process listened after {ms(started)}")
            row(
                f"server of {home.books} books {what} and started again: until its {home.members} readers are back at"
                f" their pages, {RESTARTS} times", "p95 <= 2 s",
                f"{at_shares(gaps, 0.5, 0.95)}, longest {ms(max(gaps))}; the new process listens after"
                f" {ms(statistics.median(starts))}",
            )


def figure_https(folder):
    """Measures members of one room behind Caddy, with HTTPS, beside members without a proxy."""
    port, own = free_port(), free_port()
    book = folder / "library" / "Shelf" / "Book"
    book.mkdir(parents=True)
    for page in range(40):
        (book / f"{page:02}.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="362" height="568"/>')
    server = Server("--library", folder / "library", "--open-library", "--trust-proxy", "loopback", "--public-url",
                    f"https://{SECURE_HOST}:{port}", port=own)
    try:
        with proxied("secure", folder, own, False, port=port) as url:
            asyncio.run(dragged(server, url, ssl.create_default_context(cafile=folder / AUTHORITY / "root.crt")))
    finally:
        server.stop()


async def dragged(server, url, trust):
    """Joins members through the proxy, and beside each few of them one without it, and drags a leaf."""
    reading = await asyncio.to_thread(Reading, server)
    everybody, pairs = [], []
    for number in range(MEMBERS + MEMBERS // BESIDE):
        is_direct = number % (BESIDE + 1) == 0
        way = (server.url, None) if is_direct else (url, trust)
        guest = Guest(number, way[0], reading.name, reading.key, trust=way[1])
        everybody.append(guest)
        if is_direct:
            direct = guest
        else:
            pairs.append((guest, direct))
        guest.join()
        await until(lambda: guest.is_shown, "joined")  # noqa: B023
    tending = asyncio.create_task(tend(everybody))
    gc.disable()
    through, without, added = [], [], []
    for _ in range(DRAGS):
        for guest in everybody:
            guest.driven.clear()
        used = time.process_time()
        began, ended = await asyncio.to_thread(reading.drag, DRAG_SECONDS)
        used = (time.process_time() - used) / (ended - began)
        times = {
            guest: {number: at for number, at in guest.driven if began + WARM_SECONDS <= at <= ended}
            for guest in everybody
        }
        through += apart([times[guest] for guest, _ in pairs])
        without += apart([times[guest] for guest in dict(pairs).values()])
        added += [
            times[guest][number] - times[direct][number]
            for guest, direct in pairs for number in times[guest].keys() & times[direct].keys()
        ]
        note(f"{len(times[direct]) / (ended - began - WARM_SECONDS):.0f} frames a second; the members and the presenter"
             f" are one process, which used {100 * used:.0f} % of a processor")
    gc.enable()
    tending.cancel()
    assert not any(guest.losses for guest in everybody), "members have lost their connections"
    for guest in everybody:
        guest.leave()
    await asyncio.to_thread(reading.close)
    row(
        f"room of {MEMBERS} behind Caddy with HTTPS: arrival of a frame apart, {len(through)} frames", "p95 <= 17 ms",
        f"{at_shares(through)}; at {MEMBERS // BESIDE} without a proxy {at_shares(without)}",
    )
    row(
        f"the same: delay that Caddy adds to a driven frame, {len(added)} pairs of members", "p99 <= 5 ms",
        at_shares(added),
    )


def at_shares(values, *shares):
    """Returns percentiles of times, as text."""
    return ", ".join(f"p{100 * share:.0f} {ms(percentile(values, share))}" for share in shares or (0.5, 0.95, 0.99))


def apart(times):
    """Returns how far apart members received each frame that all of them received."""
    shared = set.intersection(*(set(one) for one in times))
    return [max(one[number] for one in times) - min(one[number] for one in times) for number in shared]


FIGURES = {"restart": figure_restart, "https": figure_https}


def main():
    """Measures, and prints a row for each measurement."""
    sys.setswitchinterval(0.0005)
    for name in sys.argv[1:] or FIGURES:
        with tempfile.TemporaryDirectory(prefix="lectern-bench-") as folder:
            FIGURES[name](pathlib.Path(folder))


if __name__ == "__main__":
    main()
