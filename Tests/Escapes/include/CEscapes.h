// Escapes that a compromised process might attempt. Each does little harm if it succeeds.
#pragma once

/* Returns the number of attempts. */
int escape_count(void);

/* Returns the name of an attempt, such as `signal-server`. */
const char *escape_name(int index);

/* Makes an attempt on a process or on a folder of that process. Returns 0 if the attempt succeeds,
   otherwise the errno of its rejection. */
int escape_try(int index, int server, const char *victim);

/* Runs this many threads at the same time, created in the usual way, and waits for them. Returns
   how many were started. */
int escape_use_threads(int count);
