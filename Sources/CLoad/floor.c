#define _GNU_SOURCE
#include "internal.h"
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int listen_on_any_port(void) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 4096) != 0)
    return -1;
  if (getsockname(fd, (struct sockaddr *)&address, &length) != 0) return -1;
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  return fd;
}

static int tick_at(double hz) {
  int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  long period = (long)(1e9 / hz);
  struct itimerspec when = {.it_interval = {period / 1000000000, period % 1000000000}};
  when.it_value = when.it_interval;
  return fd >= 0 && timerfd_settime(fd, 0, &when, NULL) == 0 ? fd : -1;
}

static void watch(int epoll, int fd) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
  epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

int load_floor(size_t size, double hz) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  signal(SIGPIPE, SIG_IGN);
  uint8_t *message = calloc(1, size);
  int *clients = malloc(sizeof(int) * 100000);
  int count = 0, listener = listen_on_any_port();
  int timer = tick_at(hz), epoll = epoll_create1(EPOLL_CLOEXEC);
  if (message == NULL || clients == NULL || listener < 0 || timer < 0 || epoll < 0) return 1;
  watch(epoll, listener);
  watch(epoll, timer);
  for (;;) {
    struct epoll_event events[64];
    int found = epoll_wait(epoll, events, 64, -1);
    for (int i = 0; i < found; i++) {
      uint64_t expirations;
      if (events[i].data.fd == listener) {
        int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), one = 1;
        if (fd < 0 || count == 100000) continue;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        clients[count++] = fd;
      } else if (read(timer, &expirations, sizeof expirations) == sizeof expirations) {
        for (int client = 0; client < count; client++) {
          ssize_t sent = send(clients[client], message, size, MSG_NOSIGNAL | MSG_DONTWAIT);
          if (sent >= 0 || errno == EAGAIN) continue;
          close(clients[client]);
          clients[client--] = clients[--count];
        }
      }
    }
  }
}
