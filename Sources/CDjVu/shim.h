// Reads DjVu documents, with DjVuLibre.
#pragma once
#include <stdio.h>
#include <libdjvu/ddjvuapi.h>
#include <libdjvu/miniexp.h>

// The value that stands for a text that is not read yet; a macro, which Swift does not import.
static inline miniexp_t lectern_unread(void) { return miniexp_dummy; }
