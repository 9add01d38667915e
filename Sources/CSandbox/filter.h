#pragma once

// Refuses system calls that a confined process has no use for, in all threads, for good.
// Returns 0, or -1 with errno.
int lectern_filter_calls(void);
