"""A kernel without Landlock: the calls that belong to it fail in a program, as in some containers."""

import ctypes
import errno

ALLOW = 0x7FFF0000
CALLS = (b"landlock_create_ruleset", b"landlock_add_rule", b"landlock_restrict_self")


def without_landlock(code=errno.EPERM):
    """Takes Landlock away from this process and its children; for `preexec_fn`."""
    seccomp = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    seccomp.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(ALLOW)))
    fails = ctypes.c_uint32(0x00050000 | code)
    for call in CALLS:
        number = seccomp.seccomp_syscall_resolve_name(call)
        assert seccomp.seccomp_rule_add(rules, fails, number, 0) == 0
    assert seccomp.seccomp_load(rules) == 0
