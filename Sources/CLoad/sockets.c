#define _GNU_SOURCE
#include "internal.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

double load_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int load_connect(uint16_t port, int number, bool waits) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
  if (fd < 0) return -1;
  /* Servers limit the connections of one address; the members of an audience come from many. */
  struct sockaddr_in own = {.sin_family = AF_INET,
                            .sin_addr.s_addr = htonl(0x7f010001u + (uint32_t)(number / 25))};
  struct sockaddr_in server = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (bind(fd, (struct sockaddr *)&own, sizeof own) != 0 ||
      connect(fd, (struct sockaddr *)&server, sizeof server) != 0) {
    int reason = errno;
    close(fd);
    errno = reason;
    return -1;
  }
  struct timeval patience = {.tv_sec = 10};
  if (waits) setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  return fd;
}

int load_shake(int fd, uint16_t port) {
  char text[256];
  int count = snprintf(text, sizeof text,
                       "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n"
                       "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                       "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                       "Sec-WebSocket-Version: 13\r\n"
                       "Sec-WebSocket-Protocol: lectern.v1\r\n\r\n",
                       port);
  return send(fd, text, (size_t)count, MSG_NOSIGNAL) == count ? 0 : -1;
}

int load_send(int fd, const uint8_t *bytes, size_t size) {
  uint8_t frame[1024];
  size_t start = size < 126 ? 6 : 8;
  if (size + start > sizeof frame) return -1;
  memset(frame, 0, start);
  frame[0] = 0x82;
  if (size < 126) {
    frame[1] = 0x80 | (uint8_t)size;
  } else {
    frame[1] = 0x80 | 126;
    frame[2] = (uint8_t)(size >> 8);
    frame[3] = (uint8_t)size;
  }
  memcpy(frame + start, bytes, size);
  return send(fd, frame, size + start, MSG_NOSIGNAL) == (ssize_t)(size + start) ? 0 : -1;
}

void load_leave(int fd) {
  /* The code is 1000. */
  static const uint8_t frame[] = {0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8};
  (void)!send(fd, frame, sizeof frame, MSG_NOSIGNAL | MSG_DONTWAIT);
  close(fd);
}

int load_pong(int fd) {
  static const uint8_t pong[] = {0x8a, 0x80, 0, 0, 0, 0};
  return send(fd, pong, sizeof pong, MSG_NOSIGNAL) == sizeof pong ? 0 : -1;
}

static size_t skip_response(struct load_reader *reader, const uint8_t *bytes, size_t count) {
  static const char end[] = "\r\n\r\n";
  for (size_t i = 0; i < count; i++) {
    bool is_next = bytes[i] == (uint8_t)end[reader->matched];
    reader->matched = is_next ? reader->matched + 1 : bytes[i] == '\r';
    if (reader->matched == 4) {
      reader->is_open = true;
      return i + 1;
    }
  }
  return count;
}

static void describe(const struct load_reader *reader, struct load_message *message) {
  const uint8_t *head = reader->head;
  message->type = head[0];
  message->frames = 0;
  if (head[0] == 0x83 || head[0] == 0x84) {
    memcpy(&message->number, head + 1, 4);
    memcpy(&message->time, head + 5, 8);
    message->frames = 1;
  } else if (head[0] == 0x85) {
    memcpy(&message->number, head + 4, 4);
    message->frames = head[1];
    message->number += (uint32_t)head[1] - 1;
  }
}

size_t load_read(struct load_reader *reader, const uint8_t *bytes, size_t count,
                 struct load_message *message, bool *is_whole) {
  *is_whole = false;
  if (!reader->is_open) return skip_response(reader, bytes, count);
  size_t used = 0;
  while (used < count && reader->left == 0) {
    reader->header[reader->header_size++] = bytes[used++];
    uint8_t length = reader->header_size > 1 ? reader->header[1] & 0x7f : 0;
    size_t wanted = length < 126 ? 2 : length == 126 ? 4 : 10;
    if (reader->header_size < 2 || reader->header_size < wanted) continue;
    uint64_t size = length;
    if (wanted > 2) {
      size = 0;
      for (size_t i = 2; i < wanted; i++) size = size << 8 | reader->header[i];
    }
    message->size = reader->left = size;
    reader->opcode = reader->header[0] & 0x0f;
    reader->header_size = reader->head_size = 0;
    if (size > 0) break;
    *is_whole = true;
    message->type = 0;
    message->frames = 0;
    return used;
  }
  size_t part = count - used < reader->left ? count - used : (size_t)reader->left;
  size_t room = sizeof reader->head - reader->head_size;
  size_t kept = room < part ? room : part;
  memcpy(reader->head + reader->head_size, bytes + used, kept);
  reader->head_size += (uint8_t)kept;
  reader->left -= part;
  if (reader->left == 0 && reader->head_size > 0 && reader->opcode == 2) {
    *is_whole = true;
    describe(reader, message);
  }
  return used + part;
}
