#pragma once
#include "CLoad.h"
#include <stdbool.h>

double load_now(void);

/* The state of reading one connection's WebSocket frames; payloads are skipped, except their
   beginning. */
struct load_reader {
  uint8_t header[10], opcode;
  uint8_t head[24];
  uint8_t header_size, head_size;
  bool is_open; /* The response to the handshake has ended. */
  uint32_t matched; /* Bytes of the end of the response that have been seen. */
  uint64_t left;
};

/* What one message was; a ping has type 0 and is answered with load_pong. */
struct load_message {
  uint8_t type;
  uint64_t size;
  uint32_t number; /* Of the last frame in it. */
  int frames;
  double time; /* Of its only frame. */
};

/* Reads the next message; returns the bytes consumed, and sets is_whole if a message has ended
   there. */
size_t load_read(struct load_reader *reader, const uint8_t *bytes, size_t count,
                 struct load_message *message, bool *is_whole);

/* Connects to a port of this machine, from an address that depends on a number. Returns a
   descriptor or -1. */
int load_connect(uint16_t port, int number, bool waits);

/* Sends the request of a WebSocket's handshake. */
int load_shake(int fd, uint16_t port);

/* Leaves for good with a close frame, and closes the socket. */
void load_leave(int fd);

/* Answers a ping whose payload is empty. */
int load_pong(int fd);

/* Sends a message in one masked frame, with a mask of zeros. */
int load_send(int fd, const uint8_t *bytes, size_t size);
