"""The soak, which all claims about it share. SOAK_MINUTES says how long it is, and SEED which one."""

import os
import pathlib
import random
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent
TESTS = FOLDER.parent
sys.path[:0] = [str(FOLDER), *(str(TESTS / name) for name in ("Browser", "Browser/together_wire", "ClusterFailures"))]

from soak import Soak  # noqa: E402

MINUTES = float(os.environ.get("SOAK_MINUTES", 5))
SEED = int(os.environ.get("SEED", random.randrange(1_000_000)))
# The rest is for the kills.
SHARE = 0.8
said = [f"SEED={SEED} replays this soak of {MINUTES:g} minutes"]


@pytest.fixture(scope="session")
def soak(tmp_path_factory):
    """The soak."""
    done = Soak(tmp_path_factory.mktemp("soak"), SEED, 60 * MINUTES * SHARE)
    said.extend(f"soak: {line}" for line in done.report())
    return done


def pytest_terminal_summary(terminalreporter):
    """Prints what was measured, also if all claims hold."""
    for line in said:
        terminalreporter.write_line(line)
