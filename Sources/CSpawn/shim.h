// Calls of the C library that Swift's Glibc module leaves out, for there is nothing to link or
// build. They are declared by their own headers only under _GNU_SOURCE. Defining that here would
// give the system's types another shape than in Swift's own module of them.
#pragma once
#include <spawn.h>
#include <sys/statfs.h>

/* A pipe whose ends no other process can inherit, not even one that is started meanwhile. */
extern int pipe2(int descriptors[2], int flags);

/* Closes every descriptor from this number on in the process to be started. */
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
