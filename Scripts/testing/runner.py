"""Runs suites beside each other, each as soon as what it needs is there, and runs failed cases once more."""

import asyncio
import dataclasses
import os
import pathlib
import re
import shutil
import tempfile
import time

import processes
import reports
import suites as kinds
from reports import FAILED, FLAKED, PASSED, Case, Result

# With more failures than that, something is broken, and running them again would only take time.
AGAIN_MAX = 30
PYTEST_SELECTED_NOTHING = 5
# What the package manager of Swift leaves over when it builds or runs tests.
OF_PACKAGE_MANAGER = re.compile(r"TemporaryDirectory\.|_.*\.lock$|swift-generated-sources$")
# What a simulation prints about its seed, and a soak about what it has measured.
SAID = re.compile(r"SEED=\d+ replays.*|^soak: .*", re.MULTILINE)
START = time.monotonic()


class Runner:
    """A run of suites, which leaves its reports in a folder and no temporary files."""

    def __init__(self, folder):
        self._folder = pathlib.Path(folder).resolve()
        # A short path, because the path of a Unix socket has at most 107 bytes.
        self._temporary = pathlib.Path(tempfile.mkdtemp(prefix="lt-"))
        self._changed = asyncio.Condition()
        self._free = os.cpu_count()
        # Whether each suite that has ended has passed, by its key.
        self._passed = {}
        # What the suites have left over.
        self._files, self._processes = [], []

    def close(self):
        """Removes the temporary files."""
        shutil.rmtree(self._temporary, ignore_errors=True)

    async def run(self, suites, chosen=None, name=""):
        """Runs suites and returns their results.

        `chosen` has the tests to run for the key of each suite that does not run whole. The files of a named run are
        in a folder of their own.
        """
        for suite in suites:
            self._passed.pop(suite.key, None)
        planned = {suite.key for suite in suites}
        tasks = [self._run_in_turn(suite, planned, (chosen or {}).get(suite.key, []), name) for suite in suites]
        return [result for result in await asyncio.gather(*tasks) if result is not None]

    async def end_rest(self):
        """Ends the processes that no suite is known to have started."""
        self._processes += await processes.end_all()

    def left_over(self):
        """Returns a result for the temporary files and one for the processes that the suites left over."""
        found = (("files", "temporary files", self._files), ("processes", "processes", self._processes))
        for key, title, names in found:
            cases = [Case(None, name, FAILED) for name in names] or [Case(None, f"no {title} are left over", PASSED)]
            yield Result(kinds.Suite(key, title), cases)

    async def _run_in_turn(self, suite, planned, tests, name):
        processors = min(suite.processors, os.cpu_count())

        def is_ready():
            before = set(suite.needs) | (set(suite.after) & planned)
            return before <= self._passed.keys() and processors <= self._free

        async with self._changed:
            await self._changed.wait_for(is_ready)
            self._free -= processors
        missing = [key for key in suite.needs if not self._passed[key]]
        result = None
        if missing:
            print(f"== {suite.title}: does not run, because it needs what failed: {', '.join(missing)}", flush=True)
        else:
            result = await self._run(suite, tests, self._folder / name)
        async with self._changed:
            self._free += processors
            self._passed[suite.key] = result is not None and not result.named(FAILED)
            self._changed.notify_all()
        return result

    async def _run(self, suite, tests, folder):
        """Runs a suite, and its failed cases once more."""
        began = time.monotonic() - START
        status, cases = await self._attempt(suite, tests, folder, suite.key)
        if tests and not cases and status == PYTEST_SELECTED_NOTHING:
            return None
        again = [suite.test_of(case) for case in cases if case.state == FAILED and case.group is not None]
        if 0 < len(again) <= AGAIN_MAX:
            _, second = await self._attempt(suite, again, folder, f"{suite.key}-again")
            passed = {(case.group, case.name) for case in second if case.state == PASSED}
            cases = [_flaked(case) if (case.group, case.name) in passed else case for case in cases]
        result = Result(suite, cases + _failure(status, cases), began, time.monotonic() - START)
        self._tell(result, folder)
        return result

    async def _attempt(self, suite, tests, folder, key):
        """Runs some tests of a suite, or all, and returns its status and its cases."""
        reported = folder / key
        reported.mkdir(parents=True)
        temporary = self._temporary / key
        temporary.mkdir()
        environment = kinds.environment(temporary, folder / "evidence" / key, suite.environment)
        command = suite.command(reported, temporary, tests)
        status = await processes.run(command, reported / "log", environment)
        self._processes += [f"{key}: {one}" for one in await processes.end_left_over(temporary)]
        # The temporary folders of pytest help to examine a failure, so pytest keeps them.
        shutil.rmtree(temporary / "pytest", ignore_errors=True)
        if suite.tests():
            names = sorted(name for name in os.listdir(temporary) if not OF_PACKAGE_MANAGER.match(name))
            self._files += [f"{key}: {name}" for name in names]
        shutil.rmtree(temporary)
        return status, suite.cases(reported, status)

    def _tell(self, result, folder):
        key = result.suite.key
        for path in (folder / key / "log", folder / f"{key}-again" / "log"):
            text = path.read_text(errors="replace") if path.exists() else ""
            if text and (result.named(FAILED) or result.named(FLAKED)):
                print(f"-- {path}\n{result.suite.trimmed(text)}")
            for line in SAID.findall(text):
                print(line)
        print(f"== {result.suite.title}: {result}, {result.ended - result.began:.0f} s", flush=True)


def _flaked(case):
    return dataclasses.replace(case, state=FLAKED) if case.state == FAILED else case


def _failure(status, cases):
    """Returns a failed case for a suite that crashed, or that ran no test."""
    if not cases:
        return [Case(None, f"ran no test, and ended with status {status}", FAILED)]
    # 1 is the status of a run with failed cases.
    if status not in (0, 1) or (status == 1 and all(case.state in (PASSED, reports.SKIPPED) for case in cases)):
        return [Case(None, f"ended with status {status}", FAILED)]
    return []
