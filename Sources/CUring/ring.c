#include "CUring.h"
#include <errno.h>
#include <liburing.h>
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

int lectern_ring_send(struct lectern_ring *ring, const int *sockets, unsigned count,
                      const void *bytes, size_t size, int *results) {
  for (unsigned i = 0; i < count; i++) {
    struct io_uring_sqe *entry = io_uring_get_sqe(&ring->ring);
    if (entry == NULL) return -EBUSY;
    io_uring_prep_send(entry, sockets[i], bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    io_uring_sqe_set_data64(entry, i);
    results[i] = lectern_ring_unknown;
  }
  unsigned seen = 0;
  int submitted = io_uring_submit_and_wait(&ring->ring, count);
  if (submitted < 0 && submitted != -EINTR) return submitted;
  while (seen < count) {
    struct io_uring_cqe *done;
    int result = io_uring_wait_cqe(&ring->ring, &done);
    if (result == -EINTR) continue;
    if (result < 0) return result;
    unsigned head, part = 0;
    io_uring_for_each_cqe(&ring->ring, head, done) {
      results[io_uring_cqe_get_data64(done)] = done->res;
      part++;
    }
    io_uring_cq_advance(&ring->ring, part);
    seen += part;
  }
  return 0;
}
