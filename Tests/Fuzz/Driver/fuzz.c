#include "fuzz.h"

__attribute__((weak)) int LLVMFuzzerRunDriver(int *, char ***, int (*)(const uint8_t *, size_t));

int lectern_fuzz(int argc, char **argv, int (*check)(const uint8_t *, size_t)) {
  return LLVMFuzzerRunDriver ? LLVMFuzzerRunDriver(&argc, &argv, check) : -1;
}
