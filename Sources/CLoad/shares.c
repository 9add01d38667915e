#include "CLoad.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The layout that sched_setattr(2) takes; older headers of the C library do not declare it. */
struct attributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

enum { deadline_policy = 6, reset_on_fork = 1, threads_max = 256 };

struct thread {
  int id;
  unsigned long long run;
};

static int by_run_time(const void *one, const void *other) {
  const struct thread *a = one, *b = other;
  return (a->run < b->run) - (a->run > b->run);
}

static int read_threads(int pid, struct thread *threads) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *tasks = opendir(path);
  if (tasks == NULL) return 0;
  int count = 0;
  struct dirent *task;
  while (count < threads_max && (task = readdir(tasks)) != NULL) {
    if (task->d_name[0] == '.') continue;
    char file[128];
    snprintf(file, sizeof file, "/proc/%d/task/%.20s/schedstat", pid, task->d_name);
    FILE *stat = fopen(file, "r");
    if (stat == NULL) continue;
    threads[count].id = atoi(task->d_name);
    if (fscanf(stat, "%llu", &threads[count].run) == 1) count += 1;
    fclose(stat);
  }
  closedir(tasks);
  return count;
}

int load_limit_busiest(int pid, int count, double share) {
  struct thread threads[threads_max];
  int found = read_threads(pid, threads);
  if (found < count) {
    errno = ESRCH;
    return -1;
  }
  qsort(threads, (size_t)found, sizeof *threads, by_run_time);
  struct attributes attributes = {.size = sizeof attributes,
                                  .policy = deadline_policy,
                                  .flags = reset_on_fork,
                                  .period = 10000000,
                                  .deadline = 10000000};
  attributes.runtime = (uint64_t)(share * (double)attributes.period);
  for (int i = 0; i < count; i++)
    if (syscall(SYS_sched_setattr, threads[i].id, &attributes, 0) != 0) return -1;
  return 0;
}
