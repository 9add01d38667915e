#include "CUring.h"
#include <errno.h>
#include <liburing.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>

struct lectern_ring {
  struct io_uring ring;
};

struct lectern_ring *lectern_ring_open(unsigned depth) {
  struct lectern_ring *ring = calloc(1, sizeof *ring);
  if (ring == NULL) return NULL;
  /* Older systems do not know these flags, which only save time. */
  unsigned best = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CLAMP;
  int result = io_uring_queue_init(depth, &ring->ring, best);
  if (result == -EINVAL) result = io_uring_queue_init(depth, &ring->ring, 0);
  if (result == 0) return ring;
  free(ring);
  errno = -result;
  return NULL;
}

void lectern_ring_close(struct lectern_ring *ring) {
  io_uring_queue_exit(&ring->ring);
  free(ring);
}

/* Stores the results that have arrived; returns their number. */
static unsigned reap(struct io_uring *ring, int *results) {
  struct io_uring_cqe *done;
  unsigned head, part = 0;
  io_uring_for_each_cqe(ring, head, done) {
    results[io_uring_cqe_get_data64(done)] = done->res;
    part++;
  }
  io_uring_cq_advance(ring, part);
  return part;
}

int lectern_ring_send(struct lectern_ring *context, const int *sockets, unsigned count,
                      const void *bytes, size_t size, int *results) {
  /* Of results that do not arrive, nothing more is known. */
  enum { attempts_max = 64, unseen = (1 << 30) + 1 };
  struct io_uring *ring = &context->ring;
  unsigned added = 0, seen = 0, attempts = 0;
  for (unsigned i = 0; i < count; i++) results[i] = lectern_ring_unsent;
  for (; added < count; added++) {
    struct io_uring_sqe *entry = io_uring_get_sqe(ring);
    if (entry == NULL) break;
    io_uring_prep_send(entry, sockets[added], bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    io_uring_sqe_set_data64(entry, added);
    results[added] = unseen;
  }
  int failure = added == count ? 0 : -EBUSY;
  while (seen < added) {
    /* Submits what is left, and waits for all results. */
    int submitted = io_uring_submit_and_wait(ring, added - seen);
    unsigned part = reap(ring, results);
    seen += part;
    attempts = part > 0 || submitted > 0 ? 0 : attempts + 1;
    bool is_passing = submitted == -EINTR || submitted == -EAGAIN || submitted == -EBUSY;
    if (submitted >= 0 || (is_passing && attempts < attempts_max)) continue;
    failure = submitted;
    break;
  }
  /* The system has not looked at the last ones; the others may have been sent. */
  unsigned untouched = io_uring_sq_ready(ring);
  for (unsigned i = 0; i < added; i++)
    if (results[i] == unseen) results[i] = i >= added - untouched ? lectern_ring_unsent : -EIO;
  return failure;
}
