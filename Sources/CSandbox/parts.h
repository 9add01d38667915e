// The parts of a confinement. Each returns 0, or -1 with errno, unless its comment says otherwise.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Allows the process to open only files under the given folders, and only for reading. Denies TCP
// ports, connections to abstract sockets, and signals to other processes. Returns 1 without
// Landlock.
int lectern_restrict_files(const char *const *readable, size_t count);

// Creates rules that deny every access to files unless a rule allows it, and the same as above for
// the rest. Returns their descriptor, or -2 without Landlock.
int lectern_open_rules(void);

// Adds a rule that allows accesses (LANDLOCK_ACCESS_FS_...) to a file, or to a folder and what it
// contains; a path that does not exist needs none.
int lectern_allow_files(int rules, const char *path, uint64_t access);

// Confines the process by rules, which are closed.
int lectern_apply_rules(int rules);

// Allows the process to open only what the engine for layouts needs, and its own folder for
// everything. Returns 1 without Landlock.
int lectern_restrict_engine_files(const char *folder);

// Denies the calls with which the engine for layouts could reach beyond its own processes.
int lectern_filter_engine_calls(void);

// Drops all capabilities of the process.
int lectern_drop_privileges(void);

// Starts the threads that pthread_create assigns from now on.
int lectern_start_threads(unsigned count);

// Installs the handler that answers the trapped calls in place of the kernel.
int lectern_answer_trapped_calls(void);

// Denies the system calls that a confined process does not need, in all threads, irrevocably.
int lectern_filter_calls(void);
