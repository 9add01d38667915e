"""Books from outside the project: fetched once from Debian and PyPI, unpacked, never installed."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BOOKS = ROOT / ".build" / "real-books"

DEBIAN = {
    "zsh-doc": "usr/share/doc/zsh-common/zsh.pdf",
    "debian-reference-ja": "usr/share/debian-reference/debian-reference.ja.pdf",
    "debian-policy": "usr/share/doc/debian-policy/policy.pdf.gz",
}
# EPUBs: a manual, one of them in Japanese, and short guides in other languages; by package, a pattern of their paths.
EPUBS = {
    "debian-policy": "**/policy.epub*",
    "developers-reference-ja": "**/*.epub*",
    "calibre": "**/quick_start/*.epub",
}
# Photographs, of which the tests make a comic.
PHOTOGRAPHS = ("mate-backgrounds", "**/*.jpg")
# Source archives whose test files are damaged, locked or unusual in many ways.
PYPI = ["pypdf", "rarfile"]


def fetched_from_debian(package):
    """Fetches a Debian package, and returns its unpacked folder."""
    folder = BOOKS / package
    if not folder.is_dir():
        BOOKS.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", package], cwd=BOOKS, check=True)
        archive = next(BOOKS.glob(f"{package}_*.deb"))
        subprocess.run(["dpkg-deb", "--extract", archive, folder], check=True)
    return folder


def fetched_from_pypi(project):
    """Fetches a source archive, and returns its unpacked folder."""
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
