"""The kinds of suites: how each one is run, whole or in part, and what it reports."""

import dataclasses
import os
import pathlib
import re
import subprocess

import names
import reports

# What Swift Testing says when a test begins and ends.
BEGAN = re.compile(r"◇ Test (.+) started\.$")
ENDED = re.compile(r"^[✔✘] Test (.+?) (?:with \d+ test cases? )?(?:passed|failed) after ", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Suite:
    """A command that counts as one test: it passes if it exits with 0."""

    # Its files and folders are named after the key.
    key: str
    title: str
    run: tuple = ()
    # The keys of the suites that must have passed before, and of those that must have ended if they run at all.
    needs: tuple = ()
    after: tuple = ()
    # The processors that it keeps busy on average.
    processors: float = 1
    environment: dict = dataclasses.field(default_factory=dict)

    def tests(self):
        """Returns the tests that can be run by name."""
        return []

    def matching(self, words):
        """Returns the tests that match one of the words."""
        return [test for test in self.tests() if test.matches(words)]

    def command(self, folder, temporary, tests):
        """Returns the command that runs some tests, or all, and writes its report into a folder."""
        return self.run

    def cases(self, folder, status):
        """Returns the cases of the report in a folder."""
        return [reports.Case(None, self.title, reports.FAILED if status else reports.PASSED)]

    def test_of(self, case):
        """Returns the test of a case that a report contains, to run it again."""
        return None

    def trimmed(self, log):
        """Returns the lines of a log that help to understand a failure."""
        return log


@dataclasses.dataclass(frozen=True)
class Swift(Suite):
    """Swift tests, with options of `swift test`, of some modules or all, or all that another suite leaves."""

    options: tuple = ()
    modules: tuple = ()
    leaves: tuple = ()
    # Whether the tests have been built with the options of Scripts/build.
    are_built: bool = False

    def chosen(self):
        """Returns the names of the modules."""
        found = sorted(path.name for path in pathlib.Path("Tests").glob("*Tests"))
        return self.modules or [name for name in found if name not in self.leaves]

    def tests(self):
        return [test for module in self.chosen() for test in names.swift_tests(module)]

    def command(self, folder, temporary, tests):
        patterns = [rf"^{module}\." for module in self.chosen()]
        if tests:
            patterns = [rf"^{re.escape(test.name)}(\(|/|$)" for test in tests]
        filters = [option for pattern in patterns for option in ("--filter", pattern)]
        report = ("--xunit-output", f"{folder}/report.xml")
        built = ("--skip-build", *build_options()) if self.are_built else ()
        return (swift(), "test", "--disable-xctest", *report, *built, *self.options, *filters)

    def cases(self, folder, status):
        return reports.read(folder)

    def test_of(self, case):
        # The report has a period between all names, and the filter only after the module.
        module, *types = case.group.split(".")
        name = module + "." + "/".join([*types, case.name.partition("(")[0].strip("`")])
        titles = {test.name: test.title for test in self.tests()}
        return names.Test(name, "", titles.get(name, ""))

    def trimmed(self, log):
        # A test that began and did not end may be the one that crashed.
        ended = set(ENDED.findall(log))
        lines = [line for line in log.splitlines(True) if not re.match("✔ |◇ (Suite|Test case) ", line)]
        return "".join(line for line in lines if not (began := BEGAN.match(line)) or began[1] not in ended)


@dataclasses.dataclass(frozen=True)
class Node(Suite):
    """All tests for node."""

    def tests(self):
        return [test for path in self.files() for test in names.node_tests(path)]

    def files(self):
        """Returns the files of the tests."""
        return sorted(map(str, pathlib.Path("Tests").rglob("*.test.mjs")))

    def command(self, folder, temporary, tests):
        reporters = []
        destinations = {"spec": "stdout", "./Scripts/testing/node_reporter.mjs": f"{folder}/report.xml"}
        for reporter, destination in destinations.items():
            reporters += [f"--test-reporter={reporter}", f"--test-reporter-destination={destination}"]
        titles = [test.name.partition(": ")[2] for test in tests]
        patterns = [re.escape(title).replace(r"\*", ".*") for title in titles if title]
        chosen = sorted({test.path for test in tests}) if tests else self.files()
        return ("node", "--test", *reporters, *(f"--test-name-pattern=^{one}$" for one in patterns), *chosen)

    def cases(self, folder, status):
        return reports.read(folder)

    def test_of(self, case):
        return names.Test(f"{case.group}: {case.name}" if case.name else case.group, case.group)

    def trimmed(self, log):
        return log.partition("✖ failing tests:")[2] or log


@dataclasses.dataclass(frozen=True)
class Python(Suite):
    """Tests for pytest in a folder or a file, with options of pytest."""

    place: str = ""
    options: tuple = ()

    def tests(self):
        path = pathlib.Path(self.place)
        files = sorted(path.rglob("test_*.py")) if path.is_dir() else [path]
        return [test for file in files for test in names.python_tests(file)]

    def matching(self, words):
        return names.python_matches(self.tests(), words)

    def command(self, folder, temporary, tests):
        chosen = [test.name for test in tests] or [self.place]
        files = (f"--junitxml={folder}/report.xml", f"--basetemp={temporary}/pytest")
        return (*self.pytest("--tb=short", *files), *chosen)

    def pytest(self, *options):
        """Returns the command that runs pytest with these options and those of the suite."""
        common = ("-q", "-p", "no:cacheprovider", "--rootdir=.")
        return ("Scripts/python", "-m", "pytest", *common, *options, *self.options)

    def collected(self):
        """Returns the names of the tests, with their parameters, as pytest collects them."""
        return [line for line in _lines(*self.pytest("--collect-only"), self.place) if "::" in line]

    def cases(self, folder, status):
        return reports.read(folder)

    def test_of(self, case):
        # A file that cannot be imported is a case without a group.
        path = (case.group or case.name).replace(".", "/") + ".py"
        return names.Test(f"{path}::{case.name}" if case.group else path, path)


@dataclasses.dataclass(frozen=True)
class Fuzzer(Suite):
    """A parser of outside bytes, which is named by the key and gets inputs of libFuzzer for some minutes."""

    minutes: int = 1

    # The inputs that tests replay, and those that earlier runs have found; each parser has a folder.
    CORPUS, FOUND = pathlib.Path("Tests/Fuzz/Corpus"), pathlib.Path(".build/fuzz/found")

    def tests(self):
        return [names.Test(self.key, str(self.CORPUS / self.key))]

    def command(self, folder, temporary, tests):
        found = self.FOUND / self.key
        found.mkdir(parents=True, exist_ok=True)
        # A parser that takes ten seconds for 64 KiB takes more than linear time. 1 is the status of a failed test.
        limits = (f"-max_total_time={60 * self.minutes}", "-max_len=65536", "-timeout=10", "-rss_limit_mb=2048")
        failure = (f"-artifact_prefix={folder}/", "-error_exitcode=1", "-timeout_exitcode=1")
        return (".build/fuzz/debug/fuzz", *limits, *failure, found, self.CORPUS / self.key)

    def trimmed(self, log):
        # The lines about new inputs.
        return re.sub(r"^\s*(#\d+|NEW_FUNC).*\n", "", log, flags=re.MULTILINE)


def swift():
    """Returns the path of the Swift compiler."""
    return _lines("Scripts/find-swift")[0]


def build_options():
    """Returns the options with which the programs and the tests are built."""
    return _lines("Scripts/build", "--test-options")


def program():
    """Returns the path of the server as it is built for the tests."""
    options = build_options()
    folder, configuration = (options[options.index(one) + 1] for one in ("--scratch-path", "--configuration"))
    return os.path.abspath(os.path.join(folder, configuration, "lectern"))


def environment(temporary, evidence, more):
    """Returns the environment of a suite."""
    return {
        **os.environ,
        "LECTERN_PROGRAM": program(),
        "LECTERN_EVIDENCE": str(evidence),
        "TMPDIR": str(temporary),
        **more,
    }


def _lines(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
