// Encoding of WebP.
#pragma once
#include <webp/encode.h>
