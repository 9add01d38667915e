// The parts of a confinement. Each returns 0, or -1 with errno, unless it says otherwise.
#pragma once
#include <stddef.h>

// Lets only files under the given folders be opened, and only for reading; no port and no abstract
// socket be connected to; and no process outside be signalled. Returns 1 without Landlock.
int lectern_restrict_files(const char *const *readable, size_t count);

// Gives up the privileges of the superuser, if the process has any.
int lectern_drop_privileges(void);

// Starts the threads that pthread_create hands out from now on.
int lectern_start_threads(unsigned count);

// Answers, in the place of the kernel, the calls that the filter has trapped.
int lectern_answer_trapped_calls(void);

// Refuses the system calls that a confined process has no use for, in all threads, for good.
int lectern_filter_calls(void);
