"""The fixtures of the tests with real books: the books, and the server of the browser tests."""

import gzip
import pathlib
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "Browser")]

from corpora import DEBIAN, EPUBS, PHOTOGRAPHS, PYPI, fetched_from_debian, fetched_from_pypi  # noqa: E402


@pytest.fixture(scope="session")
def manuals():
    """The PDFs, by the name of their package."""
    found = {}
    for package, path in DEBIAN.items():
        book = fetched_from_debian(package) / path
        if book.suffix == ".gz":
            plain = book.with_suffix("")
            plain.write_bytes(gzip.decompress(book.read_bytes()))
            book = plain
        found[package] = book
    return found


@pytest.fixture(scope="session")
def epubs():
    """The EPUBs; compressed ones are unpacked."""
    found = []
    for package, pattern in EPUBS.items():
        for path in sorted(fetched_from_debian(package).glob(pattern)):
            if path.suffix == ".gz":
                plain = path.with_suffix("")
                plain.write_bytes(gzip.decompress(path.read_bytes()))
                path = plain
            if path not in found:
                found.append(path)
    return found


@pytest.fixture(scope="session")
def photographs():
    """Photographs of different sizes."""
    package, pattern = PHOTOGRAPHS
    return sorted(fetched_from_debian(package).glob(pattern))


@pytest.fixture(scope="session")
def corpus():
    """Every PDF and RAR of the source archives."""
    return sorted(
        path
        for project in PYPI
        for path in fetched_from_pypi(project).rglob("*")
        if path.suffix in (".pdf", ".rar") and path.is_file()
    )
