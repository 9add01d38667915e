// Turns Markdown into HTML, with MD4C.
#pragma once
#include <md4c.h>
#include <md4c-html.h>

// The extensions that readers know; a macro of several flags, which Swift does not import.
static const unsigned lectern_markdown = MD_DIALECT_GITHUB | MD_FLAG_NOHTML;
