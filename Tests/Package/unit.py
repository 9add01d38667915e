"""Runs a command under the filters of system calls that the service's unit asks systemd for.

Usage: unit.py COMMAND...
"""

import ctypes
import errno
import os
import pathlib
import subprocess
import sys

UNIT = pathlib.Path(__file__).resolve().parents[2] / "Scripts" / "deploy" / "lectern.service"
# Actions of libseccomp, and a kind of comparison.
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
MASKED_EQUAL = 7
NAMESPACES = {
    "cgroup": 0x02000000, "ipc": 0x08000000, "mnt": 0x00020000, "net": 0x40000000, "pid": 0x20000000,
    "user": 0x10000000, "uts": 0x04000000,
}
NO_NEW_PRIVILEGES = 38


class Comparison(ctypes.Structure):
    """A condition on an argument of a call."""

    _fields_ = [("argument", ctypes.c_uint), ("kind", ctypes.c_int), ("one", ctypes.c_uint64),
                ("other", ctypes.c_uint64)]


def setting(name):
    """Returns the words of a setting, of all its lines."""
    lines = [line.partition("=") for line in UNIT.read_text().splitlines()]
    return [word for key, _, value in lines if key == name for word in value.split()]


def calls(words):
    """Returns the names of calls, with those of the groups among them."""
    names = set()
    for word in words:
        if not word.startswith("@"):
            names.add(word)
            continue
        command = ["systemd-analyze", "--no-pager", "syscall-filter", word]
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
        members = [line.strip() for line in listed[1:] if line.startswith("    ")]
        names |= calls(member for member in members if member and not member.startswith("#"))
    return names


def confine():
    """Confines this process as systemd does for the unit."""
    library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    library.seccomp_init.restype = ctypes.c_void_p

    def load(otherwise, rules):
        context = ctypes.c_void_p(library.seccomp_init(otherwise))
        for action, name, *conditions in rules:
            number = library.seccomp_syscall_resolve_name(name.encode())
            # A call of another architecture has a negative number here.
            array = (Comparison * len(conditions))(*conditions)
            if number >= 0:
                status = library.seccomp_rule_add_array(context, action, number, len(conditions), array)
                assert status == 0, (name, status)
        assert library.seccomp_load(context) == 0

    flags = [flag for name, flag in NAMESPACES.items() if name not in setting("RestrictNamespaces")]
    allowed = calls(setting("SystemCallFilter"))
    ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    load(ALLOW, [(REFUSE | errno.ENOSYS, "clone3")] + [
        (REFUSE | errno.EPERM, name, Comparison(0, MASKED_EQUAL, flag, flag))
        for name in ("clone", "unshare") for flag in flags])
    load(REFUSE | errno.EPERM, [(ALLOW, name) for name in sorted(allowed)])


if __name__ == "__main__":
    confine()
    os.execvp(sys.argv[1], sys.argv[1:])
