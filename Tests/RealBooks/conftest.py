"""Books that nobody here wrote: fetched once from Debian and PyPI, unpacked, never installed."""

import gzip
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BOOKS = ROOT / ".build" / "real-books"
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))

DEBIAN = {
    "zsh-doc": "usr/share/doc/zsh-common/zsh.pdf",
    "debian-reference-ja": "usr/share/debian-reference/debian-reference.ja.pdf",
    "debian-policy": "usr/share/doc/debian-policy/policy.pdf.gz",
}
# Source archives whose test files are damaged, locked and odd in every way.
PYPI = ["pypdf", "rarfile"]


def fetched_from_debian(package):
    """The folder of an unpacked Debian package."""
    folder = BOOKS / package
    if not folder.is_dir():
        BOOKS.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", package], cwd=BOOKS, check=True)
        archive = next(BOOKS.glob(f"{package}_*.deb"))
        subprocess.run(["dpkg-deb", "--extract", archive, folder], check=True)
    return folder


def fetched_from_pypi(project):
    """The folder of an unpacked source archive."""
    folder = BOOKS / project
    if not folder.is_dir():
        BOOKS.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
            + ["--no-binary", project, "--dest", BOOKS, project],
            check=True,
        )
        archive = next(BOOKS.glob(f"{project}-*.tar.gz"))
        folder.mkdir()
        subprocess.run(["tar", "--extract", "--file", archive, "--directory", folder], check=True)
    return folder


@pytest.fixture(scope="session")
def manuals():
    """The PDFs by the name of their package."""
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
def corpus():
    """Every PDF and RAR of the source archives."""
    return sorted(
        path
        for project in PYPI
        for path in fetched_from_pypi(project).rglob("*")
        if path.suffix in (".pdf", ".rar") and path.is_file()
    )
