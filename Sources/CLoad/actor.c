#define _GNU_SOURCE
#include "internal.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { delays_max = 1 << 16, sent_max = 64 };

struct load_actor {
  pthread_t thread;
  pthread_mutex_t lock;
  int fd;
  bool is_stopped, is_paused, has_frame, has_role;
  uint8_t role[2];
  double hz, pause, next;
  uint8_t messages[2][256];
  size_t message_size, x_offset;
  float x_least, x_most;
  int first_count, first_sent, step;
  uint8_t first[8][64];
  size_t first_sizes[8];
  /* When the last messages were sent, and how many of all frames have answered. */
  double sent[sent_max];
  unsigned sent_count, answered_count;
  size_t delay_count;
  float delays[delays_max];
  struct load_reader reader;
};

static bool get(struct load_actor *actor, const bool *flag) {
  pthread_mutex_lock(&actor->lock);
  bool is = *flag;
  pthread_mutex_unlock(&actor->lock);
  return is;
}

static void take(struct load_actor *actor, const struct load_message *message) {
  if (message->frames > 0) actor->has_frame = true;
  /* Role: its number is at offset 1; orders to the stage carry it. */
  if (message->type == 0x8b) {
    memcpy(actor->role, actor->reader.head + 1, 2);
    actor->has_role = true;
  }
  if (message->type != 0x84) return;
  pthread_mutex_lock(&actor->lock);
  /* Each message of a finger that drives brings one frame. */
  if (actor->answered_count != actor->sent_count) {
    double sent = actor->sent[actor->answered_count++ % sent_max];
    if (actor->delay_count < delays_max)
      actor->delays[actor->delay_count++] = (float)(load_now() - sent);
  }
  pthread_mutex_unlock(&actor->lock);
}

static bool receive(struct load_actor *actor) {
  uint8_t bytes[65536];
  ssize_t count = recv(actor->fd, bytes, sizeof bytes, MSG_DONTWAIT);
  if (count <= 0) return count < 0 && errno == EAGAIN;
  for (size_t used = 0; used < (size_t)count;) {
    struct load_message message;
    bool is_whole;
    used += load_read(&actor->reader, bytes + used, (size_t)count - used, &message, &is_whole);
    if (is_whole && message.type == 0) load_pong(actor->fd);
    else if (is_whole) take(actor, &message);
  }
  return true;
}

static void act(struct load_actor *actor, double now) {
  if (actor->first_sent < actor->first_count) {
    uint8_t *bytes = actor->first[actor->first_sent];
    memcpy(bytes + 1, actor->role, 2);
    load_send(actor->fd, bytes, actor->first_sizes[actor->first_sent++]);
    actor->next = now + actor->pause;
    return;
  }
  uint8_t *message = actor->messages[actor->step % 2];
  if (actor->x_offset > 0) {
    /* There and back in four seconds at 60 messages a second. */
    float share = (float)(actor->step % 240) / 120;
    float x = actor->x_least + (actor->x_most - actor->x_least) * (share < 1 ? share : 2 - share);
    memcpy(message + actor->x_offset, &x, 4);
  }
  memcpy(message + 1, actor->role, 2);
  actor->step += 1;
  pthread_mutex_lock(&actor->lock);
  /* A message that was dropped brings none: what is too old is no longer waited for. */
  if (actor->sent_count - actor->answered_count == sent_max)
    actor->answered_count = actor->sent_count;
  actor->sent[actor->sent_count++ % sent_max] = load_now();
  pthread_mutex_unlock(&actor->lock);
  load_send(actor->fd, message, actor->message_size);
  actor->next += 1 / actor->hz;
  if (actor->next < now) actor->next = now;
}

static void *run(void *context) {
  struct load_actor *actor = context;
  /* Other clients on the same processor must not delay what this one measures. */
  struct sched_param first = {.sched_priority = 1};
  sched_setscheduler(0, SCHED_FIFO, &first);
  actor->next = load_now();
  while (!get(actor, &actor->is_stopped)) {
    double now = load_now();
    bool is_ready = actor->has_frame && actor->has_role && !get(actor, &actor->is_paused);
    if (is_ready && actor->next <= now) act(actor, now);
    double wait = is_ready ? actor->next - load_now() : .1;
    struct timespec timeout = {.tv_nsec = (long)(1e9 * (wait < 0 ? 0 : wait > .1 ? .1 : wait))};
    struct pollfd event = {.fd = actor->fd, .events = POLLIN};
    if (ppoll(&event, 1, &timeout, NULL) > 0 && !receive(actor)) break;
  }
  return NULL;
}

/* Waits for the end of the response to the handshake, byte by byte, so that nothing after it is
   lost. */
static int shake(struct load_actor *actor, const struct load_actor_plan *plan) {
  if (load_shake(actor->fd, plan->port) != 0) return -1;
  while (!actor->reader.is_open) {
    uint8_t byte;
    struct load_message message;
    bool is_whole;
    if (recv(actor->fd, &byte, 1, 0) != 1) return -1;
    load_read(&actor->reader, &byte, 1, &message, &is_whole);
  }
  return load_send(actor->fd, plan->hello, plan->hello_size);
}

struct load_actor *load_actor_start(const struct load_actor_plan *plan) {
  struct load_actor *actor = calloc(1, sizeof *actor);
  if (actor == NULL) return NULL;
  pthread_mutex_init(&actor->lock, NULL);
  actor->message_size = plan->message_size;
  actor->x_offset = plan->x_offset;
  actor->x_least = plan->x_least;
  actor->x_most = plan->x_most;
  actor->hz = plan->hz;
  actor->pause = plan->pause;
  actor->first_count = plan->first_count;
  bool fits = plan->message_size <= sizeof actor->messages[0] && plan->first_count <= 8;
  for (int i = 0; fits && i < plan->first_count; i++) {
    fits = plan->first_sizes[i] <= sizeof actor->first[i];
    if (!fits) break;
    memcpy(actor->first[i], plan->first[i], plan->first_sizes[i]);
    actor->first_sizes[i] = plan->first_sizes[i];
  }
  for (int i = 0; fits && i < 2; i++)
    memcpy(actor->messages[i], plan->messages[i], plan->message_size);
  actor->fd = load_connect(plan->port, 0, true);
  errno = fits ? errno : EMSGSIZE;
  if (!fits || actor->fd < 0 || shake(actor, plan) != 0 ||
      pthread_create(&actor->thread, NULL, run, actor) != 0) {
    if (actor->fd > 0) close(actor->fd);
    free(actor);
    return NULL;
  }
  return actor;
}

size_t load_actor_delays(struct load_actor *actor, float *delays, size_t count) {
  pthread_mutex_lock(&actor->lock);
  size_t found = actor->delay_count < count ? actor->delay_count : count;
  memcpy(delays, actor->delays, found * sizeof(float));
  actor->delay_count = 0;
  pthread_mutex_unlock(&actor->lock);
  return found;
}

void load_actor_pause(struct load_actor *actor, int pauses) {
  pthread_mutex_lock(&actor->lock);
  actor->is_paused = pauses != 0;
  /* What a finger held was released meanwhile. */
  if (actor->is_paused) actor->first_sent = 0;
  actor->answered_count = actor->sent_count;
  pthread_mutex_unlock(&actor->lock);
}

void load_actor_stop(struct load_actor *actor) {
  pthread_mutex_lock(&actor->lock);
  actor->is_stopped = true;
  pthread_mutex_unlock(&actor->lock);
  pthread_join(actor->thread, NULL);
  close(actor->fd);
  pthread_mutex_destroy(&actor->lock);
  free(actor);
}
