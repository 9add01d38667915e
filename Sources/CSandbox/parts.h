// The parts of a confinement. Each returns 0, or -1 with errno, unless its comment says otherwise.
#pragma once
#include <stddef.h>

// Allows the process to open only files under the given folders, and only for reading. Denies TCP
// ports, connections to abstract sockets, and signals to other processes. Returns 1 without
// Landlock.
int lectern_restrict_files(const char *const *readable, size_t count);

// Drops all capabilities of the process.
int lectern_drop_privileges(void);

// Starts the threads that pthread_create assigns from now on.
int lectern_start_threads(unsigned count);

// Installs the handler that answers the trapped calls in place of the kernel.
int lectern_answer_trapped_calls(void);

// Denies the system calls that a confined process does not need, in all threads, irrevocably.
int lectern_filter_calls(void);
