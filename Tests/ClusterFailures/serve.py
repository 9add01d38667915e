"""Runs a cluster until it is interrupted; see Scripts/cluster."""

import argparse
import queue
import signal
import sys
import threading

from machines import ROOT, SIZE, Cluster

# The lines of a log that a report has.
LINES = 10


def ports(text):
    """Returns the ports of the nodes from an argument."""
    numbers = [int(one) for one in text.split(",")]
    if len(numbers) == 1:
        first = numbers[0]
        numbers = [first and first + place for place in range(SIZE)]
    if len(numbers) != SIZE or any(not 0 <= number <= 65535 for number in numbers):
        raise argparse.ArgumentTypeError(f"give one port, or {SIZE} with commas between them")
    return numbers


def watch(server, name, ended):
    """Puts a server into a queue, with its name and its exit status, as soon as it has ended."""
    def wait():
        ended.put((server, name, server.wait()))

    threading.Thread(target=wait, daemon=True).start()


def report(server, name, status):
    """Prints how a server has ended, and what it said last."""
    how = f"with status {status}" if status >= 0 else f"by signal {-status} ({signal.strsignal(-status)})"
    print(f"{name} has ended {how}; the others run on. It said last:")
    for line in server.output.splitlines()[-LINES:]:
        print(f"  {line}")
    sys.stdout.flush()


def serve(cluster):
    """Prints the addresses, and reports each server that ends."""
    ended = queue.Queue()
    for node in cluster.nodes:
        server = node.server
        print(f"Lectern is open at {node.url} (process {server.process.pid}),")
        print(f"  its health is at {server.admin_url}readyz, its metrics at {server.admin_url}metrics")
        watch(server, f"Lectern at {node.url}", ended)
    for one in cluster.nats:
        state = f"http://127.0.0.1:{one.monitor_port}/"
        print(f"NATS is at {one.address} (process {one.process.pid}), its state at {state}")
        watch(one, f"NATS at {one.address}", ended)
    print("Ctrl-C stops all of them.", flush=True)
    while True:
        report(*ended.get())


def main():
    """Starts the cluster, prints the addresses and reports what ends."""
    parser = argparse.ArgumentParser(prog="Scripts/cluster", allow_abbrev=False)
    parser.add_argument("--library", metavar="DIR", help="the folder of books (the sample library)")
    parser.add_argument(
        "--ports", type=ports, default=ports("8081"), metavar="PORT[,PORT,PORT]",
        help="the ports of the three servers, or the first of three in a row; 0 for free ones (8081)",
    )
    asked = parser.parse_args()
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def stop(*_):
        # The end must not be interrupted.
        for one in signals:
            signal.signal(one, signal.SIG_IGN)
        raise KeyboardInterrupt

    for one in signals:
        signal.signal(one, stop)
    library = asked.library or ROOT / "Web" / "library"
    try:
        with Cluster(library, has_gates=False, ports=asked.ports) as cluster:
            serve(cluster)
    except KeyboardInterrupt:
        pass
    except RuntimeError as error:
        print(f"cluster: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
