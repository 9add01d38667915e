"""The program behind Scripts/test, whose header says what it does. It runs in the root of the repository."""

import asyncio
import dataclasses
import fcntl
import os
import pathlib
import shutil
import signal
import sys
import time

import plans
import processes
import runner
import summary
from reports import FAILED
from suites import Python

RESULTS = ".build/test-results"
LOCK = ".build/test.lock"
BROWSERS = ("chromium", "firefox")
USAGE_STATUS = 2


@dataclasses.dataclass
class Arguments:
    """What a run is asked to do."""

    plan: str = ""
    minutes: int = 0
    lists: bool = False
    rounds: int = 0
    has_load: bool = False
    words: list = dataclasses.field(default_factory=list)

    def lists_of_suites(self):
        """Returns the lists of suites of the plan."""
        return plans.plan(self.plan, self.minutes)


def parse(arguments):
    """Returns the arguments, or says what is wrong with them and exits."""
    found, rest = Arguments(), list(arguments)
    while rest:
        one = rest.pop(0)
        if one in ("--all", *plans.PLANS):
            if found.plan:
                reject(f"{found.plan} and {one} are different runs; use one of them")
            found.plan = one
            if one in ("--fuzz", "--soak") and rest and rest[0].isdecimal():
                found.minutes = max(1, int(rest.pop(0)))
        elif one == "--list":
            found.lists = True
        elif one == "--load":
            found.has_load = True
        elif one == "--repeat":
            count = rest.pop(0) if rest else ""
            if not count.isdecimal() or int(count) == 0:
                reject(f"--repeat needs a number of rounds, not '{count}'; for example: --repeat 10")
            found.rounds = int(count)
        elif one.startswith("-") or not one:
            reject(f"unknown argument '{one}'; see Scripts/test --help")
        else:
            found.words.append(one)
    if found.has_load and not found.rounds:
        reject("--load is for --repeat; for example: --repeat 10 --load")
    return found


def reject(problem):
    """Says what is wrong with the arguments, and exits."""
    print(f"test: {problem}", file=sys.stderr)
    sys.exit(USAGE_STATUS)


def choose(suites, words):
    """Returns the suites that have tests which match, with those that they need, and these tests by suite."""
    if not words:
        return suites, {}
    chosen = {suite.key: suite.matching(words) for suite in suites}
    chosen = {key: tests for key, tests in chosen.items() if tests}
    return plans.only(suites, chosen), chosen


def print_list(arguments):
    """Prints the tests of all suites, or those that match, after the names of their suites."""
    for suites in arguments.lists_of_suites():
        for suite in suites:
            tests = suite.matching(arguments.words) if arguments.words else suite.tests()
            names = map(str, tests)
            if tests and isinstance(suite, Python):
                # Only pytest knows which tests a suite selects, and their parameters.
                wanted = {test.name.partition("[")[0] for test in tests}
                names = [name for name in suite.collected() if name.partition("[")[0] in wanted]
            for name in names:
                print(f"{suite.title}: {name}")


async def run_plan(run, arguments):
    """Runs the suites of a plan once, and returns their results."""
    results = []
    for number, suites in enumerate(arguments.lists_of_suites(), 1):
        suites, chosen = choose(suites, arguments.words)
        # The lists of a plan have suites with the same keys.
        results += await run.run(suites, chosen, "" if number == 1 else f"list-{number}")
    return results


async def run_rounds(run, arguments):
    """Runs the browser tests, or the tests that match, several times, and returns all results."""
    suites, chosen = choose(sum(arguments.lists_of_suites(), []), arguments.words)
    if not arguments.words:
        suites = plans.only(suites, BROWSERS)
    tests = [suite for suite in suites if suite.tests()]
    results = await run.run([suite for suite in suites if suite not in tests])
    busy = []
    if arguments.has_load:
        loop = [sys.executable, "-c", "while True: pass"]
        busy = [processes.start(loop, os.devnull, dict(os.environ)) for _ in range(os.cpu_count())]
    for number in range(1, arguments.rounds + 1):
        of_round = await run.run(tests, chosen, f"round-{number}")
        print(f"== round {number} of {arguments.rounds}: {summary.totals(of_round)}", flush=True)
        results += of_round
        # A part of the browser tests may have none that match.
        tests = [result.suite for result in of_round]
    await processes.end([process.pid for process in busy])
    return results


async def run_all(arguments):
    """Runs what is asked for, prints the summary, and returns the status to exit with."""
    main = asyncio.current_task()
    caught = []
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, lambda one=number: (caught.append(one), main.cancel()))
    processes.adopt_orphans()
    asyncio.get_running_loop().add_signal_handler(signal.SIGCHLD, processes.reap_orphans)
    run = runner.Runner(RESULTS)
    try:
        results = await (run_rounds if arguments.rounds else run_plan)(run, arguments)
        await run.end_rest()
    except asyncio.CancelledError:
        print(f"test: interrupted by {signal.Signals(caught[0]).name}", file=sys.stderr)
        return 128 + caught[0]
    finally:
        asyncio.get_running_loop().remove_signal_handler(signal.SIGCHLD)
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().remove_signal_handler(number)
            signal.signal(number, signal.SIG_IGN)
        await processes.end_all()
        run.close()
    if arguments.words and not any(result.suite.tests() or result.named(FAILED) for result in results):
        reject("only variants match, which run with --all only; add --all")
    results += run.left_over()
    if not arguments.rounds:
        summary.print_slowest(results)
        summary.print_suites(results)
    summary.print_end(results, RESULTS, time.monotonic() - runner.START)
    return int(any(result.named(FAILED) for result in results))


def main():
    """Runs the program."""
    arguments = parse(sys.argv[1:])
    if arguments.words and not any(choose(suites, arguments.words)[0] for suites in arguments.lists_of_suites()):
        reject(f"no test matches {' or '.join(arguments.words)}; Scripts/test --list prints all names")
    if arguments.lists:
        # A reader such as head may end first.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        print_list(arguments)
        return 0
    pathlib.Path(".build").mkdir(exist_ok=True)
    with open(LOCK, "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Waiting for another run of the tests of this folder", file=sys.stderr)
            fcntl.flock(lock, fcntl.LOCK_EX)
        # A report of an earlier run must not be mistaken for one of this run.
        shutil.rmtree(RESULTS, ignore_errors=True)
        pathlib.Path(RESULTS).mkdir()
        return asyncio.run(run_all(arguments))


if __name__ == "__main__":
    sys.exit(main())
