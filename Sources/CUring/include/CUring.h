// Sends to many sockets with one system call, by io_uring. The functions of liburing are macros and
// inline functions over bit fields, of which Swift imports few.
#pragma once
#include <stddef.h>

struct lectern_ring;

/* Opens a ring for at most depth sends at a time, used by the calling thread only. Returns NULL,
   with errno, if the system does not permit it. */
struct lectern_ring *lectern_ring_open(unsigned depth);

void lectern_ring_close(struct lectern_ring *ring);

/* The result of a send that did not happen, because the ring failed before. */
enum { lectern_ring_unsent = 1 << 30 };

/* Sends the same bytes to at most depth sockets without waiting for them. Stores for each the
   number of bytes that it accepted, or a negated errno; -EIO also if the ring failed before it
   reported the result. Returns 0; or a negated errno if the ring failed, after which it must be
   closed, and some results may be lectern_ring_unsent. */
int lectern_ring_send(struct lectern_ring *ring, const int *sockets, unsigned count,
                      const void *bytes, size_t size, int *results);
