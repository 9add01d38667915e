#define _GNU_SOURCE
#include "internal.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { head_max = 4096, buffer_size = 1 << 18 };

struct client {
  int fd;
  char head[head_max];
  size_t head_size;
  uint64_t left; /* Of the body. */
  bool is_in_body;
};

struct load_downloads {
  pthread_t thread;
  pthread_mutex_t lock;
  bool is_stopped;
  int count, epoll, failures;
  uint64_t bytes, responses;
  char request[512];
  size_t request_size;
  struct client *clients;
  uint8_t *buffer;
};

static void ask(struct load_downloads *downloads, struct client *client) {
  client->is_in_body = false;
  client->head_size = 0;
  send(client->fd, downloads->request, downloads->request_size, MSG_NOSIGNAL);
}

/* Takes a part of the head; returns the bytes consumed. */
static size_t take_head(struct load_downloads *downloads, struct client *client,
                        const uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count && client->head_size < head_max - 1; i++) {
    client->head[client->head_size++] = (char)bytes[i];
    client->head[client->head_size] = 0;
    if (client->head_size < 4 || memcmp(client->head + client->head_size - 4, "\r\n\r\n", 4) != 0)
      continue;
    const char *length = strcasestr(client->head, "content-length:");
    client->left = length == NULL ? 0 : strtoull(length + 15, NULL, 10);
    client->is_in_body = true;
    if (strncmp(client->head, "HTTP/1.1 200", 12) != 0) downloads->failures += 1;
    return i + 1;
  }
  return count;
}

static bool receive(struct load_downloads *downloads, struct client *client) {
  ssize_t count = recv(client->fd, downloads->buffer, buffer_size, MSG_DONTWAIT);
  if (count <= 0) return count < 0 && errno == EAGAIN;
  downloads->bytes += (uint64_t)count;
  for (size_t used = 0; used < (size_t)count;) {
    size_t rest = (size_t)count - used;
    if (!client->is_in_body) {
      used += take_head(downloads, client, downloads->buffer + used, rest);
    } else {
      size_t part = rest < client->left ? rest : (size_t)client->left;
      client->left -= part;
      used += part;
    }
    if (client->is_in_body && client->left == 0) {
      downloads->responses += 1;
      ask(downloads, client);
    }
  }
  return true;
}

static bool is_stopped(struct load_downloads *downloads) {
  pthread_mutex_lock(&downloads->lock);
  bool is = downloads->is_stopped;
  pthread_mutex_unlock(&downloads->lock);
  return is;
}

static void *run(void *context) {
  struct load_downloads *downloads = context;
  load_yield(1);
  for (int i = 0; i < downloads->count; i++) ask(downloads, downloads->clients + i);
  while (!is_stopped(downloads)) {
    struct epoll_event events[64];
    int found = epoll_wait(downloads->epoll, events, 64, 20);
    for (int i = 0; i < found; i++) {
      struct client *client = downloads->clients + events[i].data.u32;
      if (receive(downloads, client)) continue;
      epoll_ctl(downloads->epoll, EPOLL_CTL_DEL, client->fd, NULL);
      downloads->failures += 1;
    }
  }
  return NULL;
}

static void release(struct load_downloads *downloads) {
  for (int i = 0; downloads->clients != NULL && i < downloads->count; i++)
    if (downloads->clients[i].fd > 0) close(downloads->clients[i].fd);
  if (downloads->epoll >= 0) close(downloads->epoll);
  free(downloads->clients);
  free(downloads->buffer);
  free(downloads);
}

struct load_downloads *load_downloads_start(uint16_t port, const char *path, int count) {
  struct load_downloads *downloads = calloc(1, sizeof *downloads);
  if (downloads == NULL) return NULL;
  pthread_mutex_init(&downloads->lock, NULL);
  downloads->count = count;
  downloads->clients = calloc((size_t)count, sizeof(struct client));
  downloads->buffer = malloc(buffer_size);
  downloads->epoll = epoll_create1(EPOLL_CLOEXEC);
  int size = snprintf(downloads->request, sizeof downloads->request,
                      "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n\r\n", path, port);
  downloads->request_size = (size_t)size;
  bool is_good = downloads->clients != NULL && downloads->buffer != NULL && downloads->epoll >= 0 &&
                 size < (int)sizeof downloads->request;
  for (int i = 0; is_good && i < count; i++) {
    int fd = downloads->clients[i].fd = load_connect(port, i, false);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
    is_good = fd >= 0 && epoll_ctl(downloads->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
  }
  if (is_good && pthread_create(&downloads->thread, NULL, run, downloads) == 0) return downloads;
  int reason = errno;
  release(downloads);
  errno = reason;
  return NULL;
}

int load_downloads_stop(struct load_downloads *downloads, uint64_t *bytes, uint64_t *responses) {
  pthread_mutex_lock(&downloads->lock);
  downloads->is_stopped = true;
  pthread_mutex_unlock(&downloads->lock);
  pthread_join(downloads->thread, NULL);
  *bytes = downloads->bytes;
  *responses = downloads->responses;
  int failures = downloads->failures;
  pthread_mutex_destroy(&downloads->lock);
  release(downloads);
  return failures;
}
