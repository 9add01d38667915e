"""What suites report: the cases of JUnit files, and what became of them after the failed ones ran again."""

import dataclasses
import pathlib
import xml.etree.ElementTree as tree

PASSED, FAILED, FLAKED, SKIPPED = "passed", "failed", "flaked", "skipped"


@dataclasses.dataclass(frozen=True)
class Case:
    """A test that ran. It is flaked if it failed, ran once more, and passed then.

    A case without a group is about a suite as a whole.
    """

    group: str | None
    name: str
    state: str
    seconds: float = 0


def read(folder):
    """Returns the cases of the reports in a folder; a case that is reported twice failed if it failed once."""
    cases = {}
    # Some toolchains add the name of the test library to that of the report.
    for path in sorted(pathlib.Path(folder).glob("report*.xml")):
        try:
            found = list(tree.parse(path).iter("testcase"))
        except tree.ParseError:
            # A runner that crashes leaves half a report; its status says that it failed.
            continue
        for one in found:
            case = Case(one.get("classname", ""), one.get("name", ""), _state(one), float(one.get("time") or 0))
            key = (case.group, case.name)
            if key not in cases or case.state == FAILED:
                cases[key] = case
    return list(cases.values())


def _state(element):
    if element.find("failure") is not None or element.find("error") is not None:
        return FAILED
    return PASSED if element.find("skipped") is None else SKIPPED


@dataclasses.dataclass
class Result:
    """What a suite has done, between two moments in seconds since the start of the run."""

    suite: object
    cases: list
    began: float = 0
    ended: float = 0

    def named(self, state):
        """Returns the names of the cases in a state."""
        return [self.name(case) for case in self.cases if case.state == state]

    def name(self, case):
        """Returns the name of a case, by which it can be run again."""
        return case.name if case.group is None else str(self.suite.test_of(case))

    def __str__(self):
        counts = [f"{sum(case.state == state for case in self.cases)} {state}" for state in (PASSED, FAILED, FLAKED)]
        return ", ".join(counts)
