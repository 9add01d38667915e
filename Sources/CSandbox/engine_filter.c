// What the engine that lays out books may not do. Unlike the press, it is a large program that
// makes many calls, so only those are denied with which it could reach beyond its own processes.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "parts.h"

static const int denied[] = {
    // The network, and the sockets of other programs; a pair of sockets of its own is allowed.
    SCMP_SYS(socket), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(accept),
    SCMP_SYS(accept4),
    // Other processes.
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_getfd), SCMP_SYS(kcmp), SCMP_SYS(process_madvise),
    // File systems and namespaces.
    SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(unshare),
    SCMP_SYS(setns), SCMP_SYS(open_by_handle_at), SCMP_SYS(name_to_handle_at), SCMP_SYS(mknod),
    SCMP_SYS(mknodat), SCMP_SYS(open_tree), SCMP_SYS(move_mount), SCMP_SYS(fsopen),
    SCMP_SYS(fsmount), SCMP_SYS(fanotify_init), SCMP_SYS(quotactl), SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    // The kernel.
    SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register), SCMP_SYS(keyctl), SCMP_SYS(add_key),
    SCMP_SYS(request_key), SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load), SCMP_SYS(reboot), SCMP_SYS(settimeofday), SCMP_SYS(clock_settime),
    SCMP_SYS(adjtimex), SCMP_SYS(clock_adjtime), SCMP_SYS(syslog), SCMP_SYS(personality),
    SCMP_SYS(vhangup), SCMP_SYS(acct), SCMP_SYS(iopl), SCMP_SYS(ioperm),
};

int lectern_filter_engine_calls(void) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (!filter) return -1;
  int failed = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  for (size_t i = 0; i < sizeof denied / sizeof *denied && !failed; i++)
    failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), denied[i], 0);
  // Its arguments are in memory, where no filter sees them; the C library falls back to clone.
  if (!failed) failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  if (!failed)
    failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                              SCMP_A0_64(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER));
  if (!failed) failed = seccomp_load(filter);
  seccomp_release(filter);
  if (failed < 0) errno = -failed;
  return failed ? -1 : 0;
}

// What the engine may read, and run: programs, libraries, fonts, and facts about the system.
static const char *const readable[] = {
    "/usr", "/lib", "/lib64", "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime", "/proc",
    "/sys/devices/system/cpu", "/var/cache/fontconfig", "/dev/null", "/dev/zero", "/dev/urandom",
    "/dev/random",
};

int lectern_restrict_engine_files(const char *folder) {
  int rules = lectern_open_rules();
  if (rules < 0) return rules == -2 ? 1 : -1;
  const uint64_t reading =
      LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE;
  int failed = 0;
  for (size_t i = 0; i < sizeof readable / sizeof *readable && !failed; i++)
    failed = lectern_allow_files(rules, readable[i], reading) < 0;
  if (!failed) failed = lectern_allow_files(rules, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE) < 0;
  if (!failed) failed = lectern_allow_files(rules, folder, ~0ULL) < 0;
  return failed ? -1 : lectern_apply_rules(rules);
}
