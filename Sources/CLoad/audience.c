#define _GNU_SOURCE
#include "internal.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { buffer_size = 1 << 18, delays_max = 1 << 20, sample_every = 16 };

struct member {
  int fd;
  bool has_greeted, has_frame, owes_ack;
  uint32_t number;
  double began, probe_at, ack_at;
  struct load_reader reader;
};

struct load_audience {
  struct load_plan plan;
  struct member *members;
  int epoll, shown, wrong, connected;
  double longest;
  double tended;
  struct load_counts counts;
  size_t delay_count;
  float *delays;
  uint8_t *buffer;
};

static uint8_t *copy(const uint8_t *bytes, size_t size) {
  uint8_t *kept = malloc(size + 1);
  if (kept != NULL && bytes != NULL) memcpy(kept, bytes, size);
  return kept;
}

static const uint8_t *const *copy_all(const struct load_plan *plan) {
  const uint8_t **kept = calloc((size_t)plan->hello_count + 1, sizeof *kept);
  for (int i = 0; kept != NULL && i < plan->hello_count; i++)
    kept[i] = copy(plan->hellos[i], plan->hello_sizes[i]);
  return kept;
}

static void take(struct load_audience *audience, struct member *member,
                 const struct load_message *message, double now) {
  audience->counts.messages += 1;
  audience->counts.bytes += message->size;
  if (message->frames == 0) return;
  member->number = message->number;
  if (!member->has_frame) {
    member->has_frame = true;
    audience->shown += 1;
    audience->wrong += message->type != 0x83;
    if (now - member->began > audience->longest) audience->longest = now - member->began;
  }
  if (message->type == 0x85) audience->counts.flown += (uint64_t)message->frames;
  if (message->type == 0x84) {
    audience->counts.driven += 1;
    if ((member - audience->members) % sample_every == 0 && audience->delay_count < delays_max)
      audience->delays[audience->delay_count++] = (float)(now - message->time);
  }
  if (!member->owes_ack && audience->plan.ack_after > 0) {
    member->owes_ack = true;
    member->ack_at = now + audience->plan.ack_after;
  }
}

static void receive(struct load_audience *audience, struct member *member) {
  ssize_t count = recv(member->fd, audience->buffer, buffer_size, MSG_DONTWAIT);
  if (count <= 0) {
    if (count < 0 && errno == EAGAIN) return;
    epoll_ctl(audience->epoll, EPOLL_CTL_DEL, member->fd, NULL);
    audience->counts.closed += 1;
    return;
  }
  audience->counts.reads += 1;
  if (audience->plan.hello_count == 0) {
    audience->counts.bytes += (uint64_t)count;
    if (!member->has_frame) {
      member->has_frame = true;
      audience->shown += 1;
    }
    return;
  }
  double now = load_now();
  for (size_t used = 0; used < (size_t)count;) {
    struct load_message message;
    bool is_whole;
    used += load_read(&member->reader, audience->buffer + used, (size_t)count - used, &message,
                      &is_whole);
    if (is_whole && message.type == 0) load_pong(member->fd);
    else if (is_whole) take(audience, member, &message, now);
  }
  if (member->reader.is_open && !member->has_greeted) {
    member->has_greeted = true;
    int hello = (int)((member - audience->members) % audience->plan.hello_count);
    load_send(member->fd, audience->plan.hellos[hello], audience->plan.hello_sizes[hello]);
  }
}

/* Sends the probes and acks that are due. */
static void tend(struct load_audience *audience, double now) {
  const struct load_plan *plan = &audience->plan;
  uint8_t bytes[256];
  if (plan->hello_count == 0 || now - audience->tended < .01) return;
  audience->tended = now;
  for (int i = 0; i < audience->connected; i++) {
    struct member *member = audience->members + i;
    if (!member->has_frame) continue;
    if (plan->probe_every > 0 && member->probe_at <= now) {
      member->probe_at = now + plan->probe_every;
      memcpy(bytes, plan->probe, plan->probe_size);
      memcpy(bytes + 1, &now, 8);
      load_send(member->fd, bytes, plan->probe_size);
    }
    if (member->owes_ack && member->ack_at <= now) {
      member->owes_ack = false;
      memcpy(bytes, plan->ack, plan->ack_size);
      memcpy(bytes + 1, &member->number, 4);
      load_send(member->fd, bytes, plan->ack_size);
    }
  }
}

static void turn(struct load_audience *audience, int wait) {
  struct epoll_event events[256];
  int found = epoll_wait(audience->epoll, events, 256, wait);
  for (int i = 0; i < found; i++) receive(audience, audience->members + events[i].data.u32);
  tend(audience, load_now());
}

void load_audience_run(struct load_audience *audience, double seconds) {
  double end = load_now() + seconds;
  while (load_now() < end) turn(audience, 5);
}

static int add(struct load_audience *audience, int index) {
  struct member *member = audience->members + index;
  const struct load_plan *plan = &audience->plan;
  member->fd = load_connect(plan->port, index, false);
  if (member->fd < 0) return -1;
  /* The members' probes are spread over their interval. */
  member->began = load_now();
  member->probe_at = member->began + plan->probe_every * (index % 997) / 997;
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)index};
  if (epoll_ctl(audience->epoll, EPOLL_CTL_ADD, member->fd, &event) != 0) return -1;
  return plan->hello_count == 0 ? 0 : load_shake(member->fd, plan->port);
}

struct load_audience *load_audience_open(const struct load_plan *plan, double timeout,
                                         double *took) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  struct load_audience *audience = calloc(1, sizeof *audience);
  if (audience == NULL) return NULL;
  audience->plan = *plan;
  audience->plan.hellos = copy_all(plan);
  audience->plan.hello_sizes =
      (const size_t *)copy((const uint8_t *)plan->hello_sizes,
                           sizeof(size_t) * (size_t)plan->hello_count);
  audience->plan.probe = copy(plan->probe, plan->probe_size);
  audience->plan.ack = copy(plan->ack, plan->ack_size);
  audience->members = calloc((size_t)plan->members, sizeof(struct member));
  audience->buffer = malloc(buffer_size);
  audience->delays = malloc(sizeof(float) * delays_max);
  audience->epoll = epoll_create1(EPOLL_CLOEXEC);
  double began = load_now();
  for (int i = 0; i < plan->members; i++) {
    audience->members[i].fd = -1;
    if (add(audience, i) != 0) goto failed;
    audience->connected = i + 1;
    double due = began + plan->join_within * (i + 1) / plan->members;
    do turn(audience, plan->join_within > 0 ? 1 : 0);
    while (load_now() < due);
  }
  while (audience->shown < plan->members) {
    turn(audience, 5);
    errno = audience->counts.closed > 0 ? ECONNRESET : ETIMEDOUT;
    if (audience->counts.closed > 0 || load_now() - began > timeout) goto failed;
  }
  errno = EPROTO;
  if (plan->hello_count > 0 && audience->wrong > 0) goto failed;
  *took = plan->join_within > 0 ? audience->longest : load_now() - began;
  return audience;
failed:;
  int reason = errno;
  load_audience_close(audience);
  errno = reason;
  return NULL;
}

struct load_counts load_audience_take(struct load_audience *audience) {
  struct load_counts counts = audience->counts;
  audience->counts = (struct load_counts){0};
  return counts;
}

size_t load_audience_delays(struct load_audience *audience, float *delays, size_t count) {
  size_t found = audience->delay_count < count ? audience->delay_count : count;
  memcpy(delays, audience->delays, found * sizeof(float));
  audience->delay_count = 0;
  return found;
}

void load_audience_close(struct load_audience *audience) {
  for (int i = 0; i < audience->plan.members; i++)
    if (audience->members[i].fd > 0) load_leave(audience->members[i].fd);
  close(audience->epoll);
  for (int i = 0; audience->plan.hellos != NULL && i < audience->plan.hello_count; i++)
    free((void *)audience->plan.hellos[i]);
  free((void *)audience->plan.hellos);
  free((void *)audience->plan.hello_sizes);
  free((void *)audience->plan.probe);
  free((void *)audience->plan.ack);
  free(audience->members);
  free(audience->buffer);
  free(audience->delays);
  free(audience);
}
