// Runs libFuzzer, if it is linked: only Scripts/build --fuzzers links it.
#include <stddef.h>
#include <stdint.h>

// Returns the status of libFuzzer; -1 without it.
int lectern_fuzz(int argc, char **argv, int (*check)(const uint8_t *, size_t));
