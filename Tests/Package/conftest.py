"""The package that was built, and a bare Debian in which it is installed."""

import pathlib
import sys
import time

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "Browser")]

from bareroot import BareRoot  # noqa: E402

BUILT = FOLDER.parents[1] / ".build" / "package"


@pytest.fixture(scope="session")
def package():
    """The newest package."""
    found = sorted(BUILT.glob("lectern_*.deb"), key=lambda path: path.stat().st_mtime)
    assert found, f"there is no package in {BUILT}; run Scripts/package"
    return found[-1]


@pytest.fixture(scope="session")
def bare(package, tmp_path_factory):
    """A bare Debian with the package, and the seconds that its installation took."""
    root = BareRoot(tmp_path_factory.mktemp("bare"))
    began = time.monotonic()
    root.apt("update")
    root.apt("install", root.put(package, "lectern.deb"))
    root.seconds = time.monotonic() - began
    return root
