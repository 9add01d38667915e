// The threads of a confined process.
//
// The filter cannot count, so it allows no new threads: 20,000 of them would exhaust the system's
// process numbers. Libraries need some threads, however. These threads are started before the
// filter is loaded and wait here. The pthread_create of this file, which the libraries call instead
// of the C library's, assigns them. Before they are started, it calls that of the C library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "parts.h"

#define THREADS_MAX 32
// How long a library waits for a thread to become idle, in seconds.
#define PATIENCE 10

struct worker {
  pthread_t thread;
  pthread_cond_t has_work;
  enum { IDLE, BUSY, DONE, GONE } state;
  int is_detached;
  void *(*work)(void *);
  void *argument, *result;
};

static struct worker workers[THREADS_MAX];
static atomic_uint worker_count;
// The number of threads that have begun. A beginning thread makes calls that the filter denies.
static unsigned begun;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// Signalled when a worker has begun, has finished its work, or was joined or detached.
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

// Records that a worker has finished, also by pthread_exit.
static void finish(struct worker *worker, void *result, int is_gone) {
  pthread_mutex_lock(&lock);
  worker->result = result;
  // After pthread_exit the thread itself ends and is never assigned again.
  worker->state = is_gone ? GONE : worker->is_detached ? IDLE : DONE;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

static void on_exit_of(void *worker) { finish(worker, NULL, 1); }

static void *serve(void *own) {
  struct worker *worker = own;
  pthread_mutex_lock(&lock);
  begun++;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  for (;;) {
    pthread_mutex_lock(&lock);
    while (worker->state != BUSY) pthread_cond_wait(&worker->has_work, &lock);
    pthread_mutex_unlock(&lock);
    void *result;
    pthread_cleanup_push(on_exit_of, worker);
    result = worker->work(worker->argument);
    pthread_cleanup_pop(0);
    finish(worker, result, 0);
  }
}

typedef int creator(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int joiner(pthread_t, void **);
typedef int detacher(pthread_t);

// A sanitizer has its own functions between these and the C library's.
creator __interceptor_pthread_create __attribute__((weak));
joiner __interceptor_pthread_join __attribute__((weak));
detacher __interceptor_pthread_detach __attribute__((weak));

#define REAL(type, name) \
  (__interceptor_##name ? __interceptor_##name : (type *)dlsym(RTLD_NEXT, #name))

int lectern_start_threads(unsigned count) {
  if (count > THREADS_MAX) {
    errno = EINVAL;
    return -1;
  }
  creator *create = REAL(creator, pthread_create);
  for (unsigned i = 0; i < count; i++) {
    pthread_cond_init(&workers[i].has_work, NULL);
    int code = create(&workers[i].thread, NULL, serve, &workers[i]);
    if (code) {
      errno = code;
      return -1;
    }
  }
  pthread_mutex_lock(&lock);
  while (begun < count) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  atomic_store(&worker_count, count);
  return 0;
}

static struct worker *worker_of(pthread_t thread) {
  unsigned count = atomic_load(&worker_count);
  for (unsigned i = 0; i < count; i++)
    if (pthread_equal(workers[i].thread, thread)) return &workers[i];
  return NULL;
}

// Waits for an idle worker and returns it; NULL after PATIENCE seconds. The lock must be held.
static struct worker *idle_worker(unsigned count) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += PATIENCE;
  for (;;) {
    for (unsigned i = 0; i < count; i++)
      if (workers[i].state == IDLE) return &workers[i];
    if (pthread_cond_timedwait(&changed, &lock, &end)) return NULL;
  }
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *),
                   void *argument) {
  unsigned count = atomic_load(&worker_count);
  if (!count) return REAL(creator, pthread_create)(thread, attributes, work, argument);
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes) pthread_attr_getdetachstate(attributes, &detached);
  pthread_mutex_lock(&lock);
  struct worker *worker = idle_worker(count);
  if (worker) {
    worker->work = work;
    worker->argument = argument;
    worker->is_detached = detached == PTHREAD_CREATE_DETACHED;
    *thread = worker->thread;
    worker->state = BUSY;
    pthread_cond_signal(&worker->has_work);
  }
  pthread_mutex_unlock(&lock);
  return worker ? 0 : EAGAIN;
}

int pthread_join(pthread_t thread, void **result) {
  struct worker *worker = worker_of(thread);
  if (!worker) return REAL(joiner, pthread_join)(thread, result);
  pthread_mutex_lock(&lock);
  while (worker->state == BUSY) pthread_cond_wait(&changed, &lock);
  if (result) *result = worker->result;
  if (worker->state == DONE) worker->state = IDLE;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}

int pthread_detach(pthread_t thread) {
  struct worker *worker = worker_of(thread);
  if (!worker) return REAL(detacher, pthread_detach)(thread);
  pthread_mutex_lock(&lock);
  worker->is_detached = 1;
  if (worker->state == DONE) worker->state = IDLE;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}
