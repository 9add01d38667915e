#define _GNU_SOURCE
#include "CSandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "filter.h"

// A thread that is there already would stay outside of Landlock.
static int has_one_thread(void) {
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return 1;  // No /proc: nothing to ask.
  int count = 0;
  for (struct dirent *task; (task = readdir(tasks));) count += task->d_name[0] != '.';
  closedir(tasks);
  return count == 1;
}

// Lets only files under the given folders be opened, and only for reading.
static int restrict_files(const char *const *readable, size_t count) {
  int abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (abi < 1) return 1;
  // The rights a kernel knows by its version: the headers may be older than the kernel.
  int bits = abi == 1 ? 13 : abi == 2 ? 14 : abi < 5 ? 15 : 16;
  uint64_t handled = (1ULL << bits) - 1;
  int rules = syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
  if (rules < 0) return -1;
  for (size_t i = 0; i < count; i++) {
    struct landlock_path_beneath_attr rule = {0};
    rule.parent_fd = open(readable[i], O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0) continue;  // Not every system has every folder.
    struct stat facts;
    rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
    // The right to list is refused for what is no folder.
    if (fstat(rule.parent_fd, &facts) == 0 && S_ISDIR(facts.st_mode))
      rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
    int added = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
    if (added < 0) return -1;
  }
  int done = syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
  return done;
}

int lectern_confine(const char *const *readable, size_t count, const char **failed) {
  *failed = "one thread";
  if (!has_one_thread()) return -1;
  *failed = "prctl";
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) return -1;
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)) return -1;
  *failed = "landlock";
  int files = restrict_files(readable, count);
  if (files < 0) return -1;
  *failed = "seccomp";
  if (lectern_filter_calls()) return -1;
  *failed = NULL;
  return files;
}

// A sanitizer maps terabytes of address space for its shadow memory, and cannot look for leaks in a
// process that may not be traced.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LIMITS_ADDRESS_SPACE 0
const char *__asan_default_options(void) { return "detect_leaks=0"; }
#else
#define LIMITS_ADDRESS_SPACE 1
#endif

int lectern_limit_memory(uint64_t bytes) {
  struct rlimit memory = {bytes, bytes}, none = {0, 0}, files = {64, 64};
  if (LIMITS_ADDRESS_SPACE && setrlimit(RLIMIT_AS, &memory)) return -1;
  if (setrlimit(RLIMIT_FSIZE, &none)) return -1;
  return setrlimit(RLIMIT_CORE, &none) || setrlimit(RLIMIT_NOFILE, &files) ? -1 : 0;
}

int lectern_allow_seconds(unsigned seconds) {
  struct rusage used;
  struct rlimit limit;
  if (getrusage(RUSAGE_SELF, &used) || getrlimit(RLIMIT_CPU, &limit)) return -1;
  // The kernel counts whole seconds; one more, so that none is lost to rounding.
  limit.rlim_cur = used.ru_utime.tv_sec + used.ru_stime.tv_sec + seconds + 1;
  if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_CPU, &limit);
}
