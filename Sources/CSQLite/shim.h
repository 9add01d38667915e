// SQLite, and the destructor constants whose casts Swift's importer cannot see.
#pragma once
#include <sqlite3.h>

/* Makes sqlite3_bind_text and similar functions copy their value before they return. */
static inline sqlite3_destructor_type lectern_sqlite_transient(void) { return SQLITE_TRANSIENT; }
