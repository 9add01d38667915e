// The client of NATS, which is loaded at first use: a process without NATS does not map it, and the
// program starts where it is not installed.
#pragma once
#include <nats/nats.h>

/* Loads the library; its functions may be called if this returns NULL. Otherwise the result says
   what is missing. To be called once. */
const char *lectern_nats_load(void);

/* The Debian package of the library. */
const char *lectern_nats_package(void);
