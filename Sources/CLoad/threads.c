#define _GNU_SOURCE
#include "internal.h"
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int load_bind(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int one = 0; one < CPU_SETSIZE; one++)
    if (processor < 0 || one == processor) CPU_SET(one, &set);
  return sched_setaffinity(0, sizeof set, &set);
}

int load_yield(int yields) {
  struct sched_param parameter = {0};
  return sched_setscheduler(0, yields ? SCHED_IDLE : SCHED_OTHER, &parameter);
}

struct thread {
  int id;
  uint64_t run;
};

enum { threads_max = 256 };

/* Stores the threads of a process and the nanoseconds that each has run; returns their number. */
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
    unsigned long long run = 0;
    snprintf(file, sizeof file, "/proc/%d/task/%.20s/schedstat", pid, task->d_name);
    FILE *stat = fopen(file, "r");
    if (stat == NULL) continue;
    if (fscanf(stat, "%llu", &run) == 1)
      threads[count++] = (struct thread){.id = atoi(task->d_name), .run = run};
    fclose(stat);
  }
  closedir(tasks);
  return count;
}

uint64_t load_run_time(int pid) {
  struct thread threads[threads_max];
  int count = read_threads(pid, threads);
  uint64_t total = 0;
  for (int i = 0; i < count; i++) total += threads[i].run;
  return total;
}

uint64_t load_own_run_time(void) {
  struct timespec time = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int by_run_time(const void *one, const void *other) {
  const struct thread *a = one, *b = other;
  return (a->run < b->run) - (a->run > b->run);
}

/* The layout that sched_setattr(2) takes; older headers of the C library do not declare it. */
struct attributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

int load_limit_busiest(int pid, int count, double share) {
  enum { deadline_policy = 6, reset_on_fork = 1, period = 10000000 };
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
                                  .runtime = (uint64_t)(share * period),
                                  .deadline = period,
                                  .period = period};
  for (int i = 0; i < count; i++)
    if (syscall(SYS_sched_setattr, threads[i].id, &attributes, 0) != 0) return -1;
  return 0;
}
