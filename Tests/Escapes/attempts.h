#pragma once
#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

// The targets of the attempts.
extern pid_t server;        // the process that started this one
extern const char *victim; // a folder of that process

struct attempt {
  const char *name;
  long (*make)(void);  // returns -1 and sets errno if the attempt is rejected
};

// Lists that end with a NULL name.
extern const struct attempt on_files[], on_processes[], on_system[], on_limits[];
