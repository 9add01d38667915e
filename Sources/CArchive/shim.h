// Reading of archives.
#pragma once
#include <archive.h>
#include <archive_entry.h>
