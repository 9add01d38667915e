// Answers queries about files by path, by opening the files.
//
// The kernel reports the size, the owner and the times of every file to any process, even one that
// may not open the file; Landlock does not change that. The filter therefore traps these calls.
// This code answers them only with facts that the process can get anyway: those of a file that it
// may open. The code needs no trust, because it runs with the rights of the process itself.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "parts.h"

static long facts_of(int descriptor, void *facts) {
  return syscall(SYS_fstat, descriptor, facts) ? -errno : 0;
}

static long opened(int folder, const char *path, int flags) {
  long descriptor = syscall(SYS_openat, folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags, 0);
  return descriptor < 0 ? -errno : descriptor;
}

static long stat_path(int folder, const char *path, void *facts, int flags) {
  // The C library implements fstat in this way.
  if (flags & AT_EMPTY_PATH && *path == 0) return facts_of(folder, facts);
  long descriptor = opened(folder, path, flags & AT_SYMLINK_NOFOLLOW ? O_NOFOLLOW : 0);
  if (descriptor < 0) return descriptor;
  long result = facts_of((int)descriptor, facts);
  close((int)descriptor);
  return result;
}

static long access_path(int folder, const char *path, int mode) {
  if (mode & W_OK) return -EACCES;
  long descriptor = opened(folder, path, 0);
  if (descriptor < 0) return descriptor;
  close((int)descriptor);
  return 0;
}

static long answer(int call, const unsigned long long *arguments) {
#define PATH(n) ((const char *)arguments[n])
#define FACTS(n) ((void *)arguments[n])
  switch (call) {
#if defined(__x86_64__)
    case SYS_stat:
      return stat_path(AT_FDCWD, PATH(0), FACTS(1), 0);
    case SYS_lstat:
      return stat_path(AT_FDCWD, PATH(0), FACTS(1), AT_SYMLINK_NOFOLLOW);
    case SYS_access:
      return access_path(AT_FDCWD, PATH(0), (int)arguments[1]);
#endif
    case SYS_newfstatat:
      return stat_path((int)arguments[0], PATH(1), FACTS(2), (int)arguments[3]);
    case SYS_faccessat:
    case SYS_faccessat2:
      return access_path((int)arguments[0], PATH(1), (int)arguments[2]);
    default:
      return -EPERM;
  }
}

// Runs on the stack of the thread that made the call, and shares no data.
static void on_trap(int signal, siginfo_t *info, void *context) {
  (void)signal;
  int code = errno;
  mcontext_t *state = &((ucontext_t *)context)->uc_mcontext;
#if defined(__x86_64__)
  const greg_t *registers = state->gregs;
  unsigned long long arguments[] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                                    registers[REG_R10]};
  state->gregs[REG_RAX] = answer(info->si_syscall, arguments);
#elif defined(__aarch64__)
  state->regs[0] = answer(info->si_syscall, state->regs);
#else
#error "Trapped calls are answered on x86-64 and arm64."
#endif
  errno = code;
}

int lectern_answer_trapped_calls(void) {
  struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_RESTART};
  return sigaction(SIGSYS, &action, NULL);
}
