// The list of allowed system calls. All others fail, including those of future kernels. The list
// contains only the calls of the press's libraries, with the arguments that they use. If a library
// makes another call after an update, it gets EPERM, as on a system that denies the call.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "parts.h"

// Calls that affect only the process and its open descriptors.
static const int allowed[] = {
    // Open descriptors. Calls with paths are listed below.
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(writev),
    SCMP_SYS(lseek), SCMP_SYS(close), SCMP_SYS(dup), SCMP_SYS(fstat), SCMP_SYS(fstatfs),
    SCMP_SYS(getdents64), SCMP_SYS(fadvise64), SCMP_SYS(poll), SCMP_SYS(ppoll),
    // Memory that cannot become executable.
    SCMP_SYS(brk), SCMP_SYS(munmap),
    // Waiting, time, random numbers.
    SCMP_SYS(futex), SCMP_SYS(sched_yield), SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep),
    SCMP_SYS(restart_syscall), SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(getrandom),
    // The identity of the process and of the system.
    SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid),
    SCMP_SYS(getegid), SCMP_SYS(uname), SCMP_SYS(sysinfo), SCMP_SYS(sched_getaffinity),
    // Its own signals and its exit.
    SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(exit),
    SCMP_SYS(exit_group),
};

// Calls that name a file by its path and that Landlock does not check. The handler that answers
// them in place of the kernel opens the file, which Landlock does check.
static const int trapped[] = {
    SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(newfstatat), SCMP_SYS(access), SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
};

// Calls that fail with ENOSYS, so that the libraries use older ones.
static const int unknown[] = {
    SCMP_SYS(clone3), SCMP_SYS(statx), SCMP_SYS(openat2), SCMP_SYS(rseq),
};

// Conditions on arguments. Of an int, only the lower 32 bits are compared, because the kernel
// ignores the others.
#define INT_IS(n, value) SCMP_CMP64(n, SCMP_CMP_MASKED_EQ, 0xFFFFFFFFULL, (unsigned)(value))
#define INT_HAS_ONLY(n, bits) SCMP_CMP64(n, SCMP_CMP_MASKED_EQ, (unsigned)~(bits), 0)
#define IS_NULL(n) SCMP_CMP64(n, SCMP_CMP_EQ, 0)
#define HAS_ONLY(n, bits) SCMP_CMP64(n, SCMP_CMP_MASKED_EQ, ~(unsigned long long)(bits), 0)
#define COUNT(array) (sizeof(array) / sizeof *(array))

static int add(scmp_filter_ctx filter, uint32_t action, int call, unsigned count,
               struct scmp_arg_cmp first, struct scmp_arg_cmp second) {
  struct scmp_arg_cmp arguments[] = {first, second};
  return seccomp_rule_add_array(filter, action, call, count, arguments);
}

#define ALLOW_IF(call, test) add(filter, SCMP_ACT_ALLOW, SCMP_SYS(call), 1, test, test)
#define ALLOW_IF_BOTH(call, test, other) add(filter, SCMP_ACT_ALLOW, SCMP_SYS(call), 2, test, other)

static int allow_files(scmp_filter_ctx filter) {
  // For reading only, even without Landlock; not O_PATH, which needs no permission.
  // The C library adds the kernel's O_LARGEFILE, though its own is 0: it is 0100000 on x86-64, and
  // 0400000 on arm64. The other one of these is O_NOFOLLOW.
  const int flags = O_CLOEXEC | O_DIRECTORY | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK | O_LARGEFILE |
                    0100000 | 0400000;
  if (ALLOW_IF(openat, INT_HAS_ONLY(2, flags)) || ALLOW_IF(open, INT_HAS_ONLY(1, flags))) return -1;
  // Not the commands that set the recipient of a signal, nor those that cause the signal.
  const int commands[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL};
  for (size_t i = 0; i < COUNT(commands); i++)
    if (ALLOW_IF(fcntl, INT_IS(1, commands[i]))) return -1;
  return 0;
}

static int allow_memory(scmp_filter_ctx filter) {
  // No executable memory, because no data that is read here may run.
  const int kinds = MAP_SHARED | MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS | MAP_NORESERVE |
                    MAP_STACK | MAP_DENYWRITE | MAP_POPULATE;
  if (ALLOW_IF_BOTH(mmap, HAS_ONLY(2, PROT_READ | PROT_WRITE), HAS_ONLY(3, kinds))) return -1;
  if (ALLOW_IF(mprotect, HAS_ONLY(2, PROT_READ | PROT_WRITE))) return -1;
  if (ALLOW_IF(mremap, HAS_ONLY(3, MREMAP_MAYMOVE))) return -1;
  const int advices[] = {MADV_NORMAL,   MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED,
                         MADV_DONTNEED, MADV_FREE,   MADV_HUGEPAGE,   MADV_NOHUGEPAGE};
  for (size_t i = 0; i < COUNT(advices); i++)
    if (ALLOW_IF(madvise, INT_IS(2, advices[i]))) return -1;
  return 0;
}

static int allow_process(scmp_filter_ctx filter) {
  if (ALLOW_IF(getrusage, INT_IS(0, RUSAGE_SELF))) return -1;
  // Every limit can be read, and the limit of CPU time can be changed.
  if (ALLOW_IF_BOTH(prlimit64, INT_IS(0, 0), IS_NULL(2))) return -1;
  if (ALLOW_IF_BOTH(prlimit64, INT_IS(0, 0), INT_IS(1, RLIMIT_CPU))) return -1;
  if (ALLOW_IF(prctl, INT_IS(0, PR_SET_NAME))) return -1;
  // For abort().
  if (ALLOW_IF_BOTH(tgkill, INT_IS(0, getpid()), INT_IS(2, SIGABRT))) return -1;
  if (ALLOW_IF(rt_sigaction, INT_IS(0, SIGABRT))) return -1;
  // For isatty() and similar functions.
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOTTY), SCMP_SYS(ioctl), 0);
}

static int fill(scmp_filter_ctx filter) {
  // Other architectures, including x32, have other numbers for the same calls.
  if (seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) ||
      seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) ||
      seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2))
    return -1;
  for (size_t i = 0; i < COUNT(allowed); i++)
    if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0)) return -1;
  for (size_t i = 0; i < COUNT(trapped); i++)
    if (seccomp_rule_add(filter, SCMP_ACT_TRAP, trapped[i], 0)) return -1;
  for (size_t i = 0; i < COUNT(unknown); i++)
    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), unknown[i], 0)) return -1;
  return allow_files(filter) || allow_memory(filter) || allow_process(filter) ? -1 : 0;
}

int lectern_filter_calls(void) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (!filter) {
    errno = ENOMEM;
    return -1;
  }
  errno = EINVAL;
  int done = fill(filter);
  if (!done) {
    int code = seccomp_load(filter);
    if (code) errno = -code;
    done = code ? -1 : 0;
  }
  seccomp_release(filter);
  return done;
}
