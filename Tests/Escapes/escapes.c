#include "CEscapes.h"

#include <pthread.h>

#include "attempts.h"

pid_t server;
const char *victim;

static const struct attempt *const lists[] = {on_files, on_processes, on_system, on_limits};

static const struct attempt *at(int index) {
  for (size_t list = 0; list < sizeof lists / sizeof *lists; list++)
    for (const struct attempt *attempt = lists[list]; attempt->name; attempt++)
      if (index-- == 0) return attempt;
  return NULL;
}

int escape_count(void) {
  int count = 0;
  while (at(count)) count++;
  return count;
}

const char *escape_name(int index) {
  const struct attempt *attempt = at(index);
  return attempt ? attempt->name : NULL;
}

int escape_try(int index, int process, const char *folder) {
  const struct attempt *attempt = at(index);
  if (!attempt) return EINVAL;
  server = process;
  victim = folder;
  return attempt->make() == -1 ? errno : 0;
}

static pthread_barrier_t all_are_there;

static void *wait_for_all(void *unused) {
  pthread_barrier_wait(&all_are_there);
  return unused;
}

int escape_use_threads(int count) {
  pthread_t threads[count];
  int started = 0;
  pthread_barrier_init(&all_are_there, NULL, (unsigned)count);
  while (started < count && !pthread_create(&threads[started], NULL, wait_for_all, NULL)) started++;
  if (started < count) return started;
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  return started;
}
