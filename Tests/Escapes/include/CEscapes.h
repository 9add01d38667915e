// Escapes that a process might try after it was taken over. Each does little harm if it succeeds.
#pragma once

/* How many attempts there are. */
int escape_count(void);

/* The name of one, such as `signal-server`. */
const char *escape_name(int index);

/* Makes an attempt on a process, or on a folder of its own. Returns 0 if it succeeded, else the
   errno of its refusal. */
int escape_try(int index, int server, const char *victim);

/* Has so many threads at the same time, asked for in the usual way, and waits for them. Returns how
   many there were. */
int escape_use_threads(int count);
