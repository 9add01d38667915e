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
// Returns 0; 1 if the kernel has no Landlock, so that reading of files is not confined; or -1 if
// a call failed, whose name is then in *failed. errno says why.
int lectern_confine(const char *const *readable, size_t count, const char **failed);

// Limits the address space to so many bytes, forbids files to grow and core files, and allows 64
// descriptors. Returns 0, or -1 with errno.
int lectern_limit_memory(uint64_t bytes);

// Allows so many seconds of the processor from now on; then SIGXCPU ends the process. May be
// called again, also when confined. Returns 0, or -1 with errno.
int lectern_allow_seconds(unsigned seconds);

// Things that a confined process must not be able to do.
typedef enum {
  LECTERN_OPEN_FILE,    // open /etc/passwd for reading
  LECTERN_LIST_FOLDER,  // list /
  LECTERN_CREATE_FILE,  // create a file in /tmp
  LECTERN_CHANGE_FILE,  // change the permissions of /tmp/...
  LECTERN_SOCKET,       // make a socket
  LECTERN_EXECUTE,      // execute /bin/true
  LECTERN_FORK,         // make a process
  LECTERN_SIGNAL,       // send a signal to the parent
  LECTERN_TRACE,        // trace the parent
  LECTERN_ATTEMPTS      // how many there are
} lectern_attempt;

// Tries one of them. Returns 0 if it succeeded, else the errno of the refusal.
int lectern_try(lectern_attempt attempt);

#ifdef __cplusplus
}
#endif
