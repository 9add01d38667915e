"""What a run prints at its end."""

import collections
import pathlib

from reports import FAILED, FLAKED, PASSED, SKIPPED

SLOWEST = 10
STATES = (PASSED, FAILED, FLAKED, SKIPPED)


def print_slowest(results):
    """Prints the slowest cases of each suite that reports their times."""
    for result in results:
        if any(case.seconds for case in result.cases):
            print(f"\nSlowest of {result.suite.title}:")
            for case in sorted(result.cases, key=lambda case: -case.seconds)[:SLOWEST]:
                print(f"{case.seconds:8.2f} s  {result.name(case)}")


def print_suites(results):
    """Prints a table with the claims that each suite tests and the seconds that it takes."""
    print(f"\n{'suite':36}{'claims':>8}" + "".join(f"{state:>9}" for state in STATES) + "  seconds")
    for result in results:
        counts = collections.Counter(case.state for case in result.cases)
        numbers = f"{len(result.cases):8}" + "".join(f"{counts[state]:9}" for state in STATES)
        seconds = f"{result.ended - result.began:9.0f}, from {result.began:.0f} to {result.ended:.0f}"
        print(f"{result.suite.title:36}{numbers}{seconds if result.ended else ''}")


def print_end(results, folder, seconds):
    """Prints the flaked and the failed cases, where their evidence is, and the totals."""
    print()
    for path in sorted({path.parent for path in pathlib.Path(folder).rglob("evidence/*/*/*")}):
        print(f"evidence: {path}")
    for state in (FLAKED, FAILED):
        names = collections.Counter(f"{one.suite.title}: {name}" for one in results for name in one.named(state))
        for name, times in names.items():
            print(f"{state}: {name}" + (f" ({times} times)" if times > 1 else ""))
    print(f"In all {seconds:.0f} s")
    print(totals(results))


def totals(results):
    """Returns how many cases passed, failed and flaked."""
    counts = collections.Counter(case.state for result in results for case in result.cases)
    return ", ".join(f"{counts[state]} {state}" for state in (PASSED, FAILED, FLAKED))
