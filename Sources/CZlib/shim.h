// Compression of what is sent over HTTP.
#pragma once
#include <zlib.h>
