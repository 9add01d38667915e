"""The service's unit: systemd finds no fault in it, it is confined, and what it denies hinders nothing."""

import os
import pathlib
import re
import subprocess
import sys

import formats
from bareroot import Serving
from unit import UNIT

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".build" / "package" / "release" / "lectern"
EXPOSURE_MAX = 2.5
NOBODY = "65534"
# Folders that this user can reach, and /proc as ProtectProc=invisible has it.
PLACE = 'mount --bind "$1" /mnt && mount --bind "$2" /media && mount -t proc -o hidepid=invisible proc /proc && ' \
    'shift 2 && cd / && exec "$@"'


def test_systemd_finds_no_fault_in_the_unit(tmp_path):
    unit = tmp_path / UNIT.name
    # Only the program is not where the package puts it.
    unit.write_text(UNIT.read_text().replace("ExecStart=/usr/bin/lectern", "ExecStart=/bin/true"))
    command = ["systemd-analyze", "verify", "--man=no", unit]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_service_is_exposed_little():
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", UNIT]
    said = subprocess.run(command, capture_output=True, text=True).stdout
    assert float(re.search(r"Overall exposure level for lectern.service: ([\d.]+)", said)[1]) <= EXPOSURE_MAX, said


def test_what_the_unit_denies_hinders_no_press_and_no_layout_engine(tmp_path):
    # Pytest's own folder is for root only.
    shared, pictures = tmp_path / "shared", tmp_path / "pictures"
    library, data = shared / "library", shared / "data"
    for folder in (shared, pictures, library, data):
        folder.mkdir()
    os.chown(data, int(NOBODY), int(NOBODY))
    titles = formats.make(library, pictures) | {"text"}
    (library / "text.txt").write_text("Hello\n\nIt was a quiet evening.\n")
    server = [f"/media/{PROGRAM.relative_to(ROOT)}", "serve", "--port", "0", "--web", "/media/Web",
              "--library", "/mnt/library", "--data", "/mnt/data"]
    user = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "--"]
    unit = [sys.executable, ROOT / "Tests" / "Package" / "unit.py"]
    command = ["unshare", "--mount", "sh", "-c", PLACE, "sh", shared, ROOT, *unit, *user, *server]
    with Serving([str(word) for word in command]) as serving:
        formats.expect_pages(serving.url, titles)
    assert serving.status == 0
    confined = [line for line in serving.lines if " press.confined: " in line]
    assert confined and " info " in confined[0], serving.lines
