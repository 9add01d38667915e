"""Runs a cluster until it is interrupted; see Scripts/cluster."""

import argparse
import signal
import sys

from machines import ROOT, SIZE, Cluster


def ports(text):
    """Returns the ports of the nodes from an argument."""
    numbers = [int(one) for one in text.split(",")]
    if len(numbers) == 1:
        first = numbers[0]
        numbers = [first and first + place for place in range(SIZE)]
    if len(numbers) != SIZE or any(not 0 <= number <= 65535 for number in numbers):
        raise argparse.ArgumentTypeError(f"give one port, or {SIZE} with commas between them")
    return numbers


def main():
    """Starts the cluster, prints the addresses and waits."""
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
            for node in cluster.nodes:
                print(f"Lectern is open at {node.url}", flush=True)
            for one in cluster.nats:
                print(f"NATS is at {one.address}, its state at http://127.0.0.1:{one.monitor_port}/")
            print("Ctrl-C stops all of them.", flush=True)
            while True:
                signal.pause()
    except KeyboardInterrupt:
        pass
    except RuntimeError as error:
        print(f"cluster: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
