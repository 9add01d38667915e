// Counts what the program takes from the heap, for tests of paths that must not allocate.
//
// The functions of this target replace malloc and its relatives in the whole program. They count on
// the calling thread and pass every call on to the C library.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Whether allocations are counted; false under a sanitizer, which replaces the same functions. */
bool allocations_are_counted(void);

/* The number of blocks that the calling thread has allocated or resized since it started. */
uint64_t allocations_count(void);

/* The bytes of these blocks. */
uint64_t allocations_bytes(void);
