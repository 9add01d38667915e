// Confines a process before it reads untrusted data. Linux only.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Confines the calling process irrevocably: from now on it can only compute, read the files under
// the given folders, and read and write its open descriptors. It must have one thread, and the
// kernel kills it when the thread that started it ends.
//
// The process can create no more threads. This function starts the given number of threads
// instead, which wait for work; pthread_create then assigns them to the libraries in the process.
//
// Returns 0; 1 if the kernel has no Landlock, so that the reading of files is not confined; or -1
// with errno if a call failed, whose name is then in *failed.
int lectern_confine(const char *const *readable, size_t count, unsigned threads,
                    const char **failed);

// Closes all descriptors except the given ones, which are in ascending order. Returns 0, or -1 with
// errno.
int lectern_close_others(const int *kept, size_t count);

// Limits the address space to this many bytes, forbids core files and the growth of files, and
// allows at most 64 descriptors. Returns 0, or -1 with errno.
int lectern_limit_memory(uint64_t bytes);

// Allows this many more seconds of CPU time, after which SIGXCPU ends the process. May be called
// again, even in a confined process. Returns 0, or -1 with errno.
int lectern_allow_seconds(unsigned seconds);

// The program that lays out books, and its limits.
struct lectern_engine {
  const char *program;
  // The size of the memory that each of its processes may write, in bytes.
  uint64_t memory;
  // The CPU time of each of its processes, in seconds.
  uint64_t seconds;
};

// Starts the guardian of an engine, which waits. The engine starts with the first bytes that are
// written to *to, in a confinement of its own: with a private folder, no network, and nothing to
// read except programs, libraries and fonts. Its replies arrive at *from. When the caller ends or
// closes *to, the guardian ends the engine and all its processes, and removes the folder.
//
// Must be called before the caller is confined, with one thread. Returns 0, or -1 with errno.
int lectern_prepare_engine(const struct lectern_engine *engine, int *to, int *from);

#ifdef __cplusplus
}
#endif
