// Declarations that Swift's importer cannot see: macros of libwebsockets, and the Linux calls that
// its Glibc module omits. Every function is static inline, so there is no C target to build.
#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <libwebsockets.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* POLLRDHUP, which poll.h declares only under _GNU_SOURCE. */
#define LECTERN_POLLRDHUP 0x2000

#ifndef TCP_NOTSENT_LOWAT
#define TCP_NOTSENT_LOWAT 25
#endif

/* sys/socket.h declares this only under _GNU_SOURCE. Defining that macro here would give the
   system's types another layout than Swift's own module of them, which the compiler rejects. */
extern int accept4(int, struct sockaddr *, socklen_t *, int);

/* The number of free bytes that lws_write needs before the payload. */
static const size_t lectern_write_margin = LWS_PRE;

/* Creates a listener on a literal address. Returns its descriptor; -1 with errno; or -2 if the
   address is not a literal. The port belongs to it alone (sharing 0), or it is the first (1) or
   another one (2) of several. The first fails if any other socket has the port, because it asks to
   share the port only when it has it. */
static inline int lectern_listen(const char *address, uint16_t port, int backlog, int sharing) {
  struct addrinfo hints, *found = NULL;
  memset(&hints, 0, sizeof hints);
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  char service[8];
  snprintf(service, sizeof service, "%u", (unsigned)port);
  if (getaddrinfo(address, service, &hints, &found) != 0) return -2;
  int one = 1;
  int fd = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd >= 0) {
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    bool is_bound =
        (sharing != 2 || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one) == 0) &&
        bind(fd, found->ai_addr, found->ai_addrlen) == 0 &&
        (sharing != 1 || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one) == 0);
    if (!is_bound || listen(fd, backlog) != 0) {
      int reason = errno;
      close(fd);
      errno = reason;
      fd = -1;
    }
  }
  int reason = errno;
  freeaddrinfo(found);
  errno = reason;
  return fd;
}

/* Returns the port to which a socket is bound, or -1. */
static inline int lectern_bound_port(int fd) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  if (getsockname(fd, (struct sockaddr *)&address, &length) != 0) return -1;
  if (address.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
  return ntohs(((struct sockaddr_in *)&address)->sin_port);
}

/* Accepts one connection. Unless text is NULL, writes the numeric address of the peer to it, in at
   most INET6_ADDRSTRLEN bytes; an IPv4-mapped IPv6 address is written as IPv4. */
static inline int lectern_accept(int listener, char *text) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  int fd = accept4(listener, (struct sockaddr *)&address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) return fd;
  if (text != NULL) {
    *text = 0;
    if (address.ss_family == AF_INET) {
      inet_ntop(AF_INET, &((struct sockaddr_in *)&address)->sin_addr, text, INET6_ADDRSTRLEN);
    } else if (address.ss_family == AF_INET6) {
      const uint8_t *bytes = ((struct sockaddr_in6 *)&address)->sin6_addr.s6_addr;
      static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
      if (memcmp(bytes, mapped, sizeof mapped) == 0) {
        inet_ntop(AF_INET, bytes + 12, text, INET6_ADDRSTRLEN);
      } else {
        inet_ntop(AF_INET6, bytes, text, INET6_ADDRSTRLEN);
      }
    }
  }
  int one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return fd;
}

/* Limits the bytes that wait unsent in the kernel, so that a slow reader gets recent frames. */
static inline void lectern_limit_unsent(int fd, int bytes) {
  setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes);
}

/* Creates a disarmed timer of CLOCK_MONOTONIC. */
static inline int lectern_timer(void) {
  return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
}

/* Arms a timer once, at an absolute time of CLOCK_MONOTONIC; zero disarms it. */
static inline int lectern_timer_set(int fd, int64_t nanoseconds) {
  struct itimerspec when;
  memset(&when, 0, sizeof when);
  when.it_value.tv_sec = nanoseconds / 1000000000;
  when.it_value.tv_nsec = nanoseconds % 1000000000;
  return timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL);
}

/* Blocks SIGINT and SIGTERM in this thread and in threads that it starts. Returns a descriptor from
   which they can be read. */
static inline int lectern_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

/* Sends a part of a file from the kernel's cache. Returns the number of bytes sent, or -1 with
   errno. */
static inline ssize_t lectern_send_file(int socket, int file, int64_t offset, size_t count) {
  off_t position = offset;
  return sendfile(socket, file, &position, count);
}

/* Creates a list of sockets to watch. Returns a descriptor, readable when a socket has an event. */
static inline int lectern_watch_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

/* Adds a socket to the list or changes the events to watch for. Kinds: 0 a hang-up, 1 room to
   write, 2 input, 3 new input only, 4 input or room; a kind below 0 removes the socket. */
static inline int lectern_watch(int watch, int fd, bool is_known, int kind, uint64_t token) {
  static const uint32_t kinds[] = {EPOLLRDHUP, EPOLLOUT, EPOLLIN | EPOLLRDHUP,
                                   EPOLLIN | EPOLLRDHUP | EPOLLET, EPOLLIN | EPOLLRDHUP | EPOLLOUT};
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.events = kind < 0 ? 0 : kinds[kind];
  event.data.u64 = token;
  int what = kind < 0 ? EPOLL_CTL_DEL : is_known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  return epoll_ctl(watch, what, fd, &event);
}

/* Whether the peer sends nothing more: it has closed or reset the connection. */
static inline bool lectern_has_ended(int fd) {
  struct pollfd event = {fd, LECTERN_POLLRDHUP, 0};
  return poll(&event, 1, 0) > 0;
}

/* Returns another descriptor of the same socket, or -1 with errno. */
static inline int lectern_duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 0); }

/* Creates two connected sockets. Returns 0, or -1 with errno. */
static inline int lectern_socket_pair(int *near, int *far) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0) return -1;
  *near = pair[0];
  *far = pair[1];
  return 0;
}

/* Stores the tokens of at most count sockets with events, at most 64. Returns their number. */
static inline int lectern_watch_take(int watch, uint64_t *tokens, int count) {
  struct epoll_event events[64];
  int found = epoll_wait(watch, events, count < 64 ? count : 64, 0);
  for (int i = 0; i < found; i++) tokens[i] = events[i].data.u64;
  return found;
}
