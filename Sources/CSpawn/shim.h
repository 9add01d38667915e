// Functions of the C library that Swift's Glibc module omits; there is nothing to link or build.
// Their headers declare them only under _GNU_SOURCE. Defining that macro here would give the
// system's types another layout than Swift's own module of them.
#pragma once
#include <malloc.h>
#include <spawn.h>
#include <sys/statfs.h>

/* Creates a pipe. With O_CLOEXEC, no process that another thread starts inherits its ends. */
extern int pipe2(int descriptors[2], int flags);

/* Closes all descriptors from this number on in the process to start. */
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
