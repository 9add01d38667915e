// Confinement of a process that is about to read something it does not trust. Linux only.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Confines the calling process for good: from now on it can read the files under the given
// folders (and what it has open), compute, and write to what it has open; nothing else. It must
// have one thread, and dies with the thread that started it.
//
// No thread can be made any more. So many are started here instead, and wait for what
// pthread_create is asked for: the libraries in the process get theirs from them.
//
// Returns 0; 1 if the kernel has no Landlock, so that reading of files is not confined; or -1 if
// a call failed, whose name is then in *failed. errno says why.
int lectern_confine(const char *const *readable, size_t count, unsigned threads,
                    const char **failed);

// Closes all descriptors but these, which ascend. Returns 0, or -1 with errno.
int lectern_close_others(const int *kept, size_t count);

// Limits the address space to so many bytes, forbids files to grow and core files, and allows 64
// descriptors. Returns 0, or -1 with errno.
int lectern_limit_memory(uint64_t bytes);

// Allows so many seconds of the processor from now on; then SIGXCPU ends the process. May be
// called again, also when confined. Returns 0, or -1 with errno.
int lectern_allow_seconds(unsigned seconds);

#ifdef __cplusplus
}
#endif
