// Forbids io_uring as containers do, for tests.
#pragma once

/* Makes io_uring_setup fail with an error number, in the calling thread and in threads that it
   starts. Returns 0, or -1 with errno. */
int forbid_ring(int error);
