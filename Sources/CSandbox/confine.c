#define _GNU_SOURCE
#include "CSandbox.h"

#include <dirent.h>
#include <errno.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "parts.h"

// Checks that there is one thread, because Landlock does not confine other existing threads.
static int has_one_thread(void) {
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return 1;  // Without /proc, this cannot be checked.
  int count = 0;
  for (struct dirent *task; (task = readdir(tasks));) count += task->d_name[0] != '.';
  closedir(tasks);
  return count == 1;
}

int lectern_drop_privileges(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
  return syscall(SYS_capset, &header, none) ? -1 : 0;
}

int lectern_confine(const char *const *readable, size_t count, unsigned threads,
                    const char **failed) {
  *failed = "one thread";
  if (!has_one_thread()) return -1;
  *failed = "prctl";
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) return -1;
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)) return -1;
  *failed = "landlock";
  int files = lectern_restrict_files(readable, count);
  if (files < 0) return -1;
  *failed = "capset";
  if (lectern_drop_privileges()) return -1;
  *failed = "pthread_create";
  if (lectern_start_threads(threads)) return -1;
  *failed = "sigaction";
  if (lectern_answer_trapped_calls()) return -1;
  *failed = "seccomp";
  if (lectern_filter_calls()) return -1;
  *failed = NULL;
  return files;
}

int lectern_close_others(const int *kept, size_t count) {
  unsigned next = 0;
  for (size_t i = 0; i < count; i++) {
    unsigned keep = (unsigned)kept[i];
    if (keep > next && syscall(SYS_close_range, next, keep - 1, 0)) return -1;
    next = keep + 1;
  }
  return syscall(SYS_close_range, next, ~0U, 0) ? -1 : 0;
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
  // The kernel counts whole seconds. One is added, so that rounding takes none away.
  limit.rlim_cur = used.ru_utime.tv_sec + used.ru_stime.tv_sec + seconds + 1;
  if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_CPU, &limit);
}
