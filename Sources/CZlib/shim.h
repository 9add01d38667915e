// Compresses HTTP responses.
#pragma once
#include <zlib.h>
