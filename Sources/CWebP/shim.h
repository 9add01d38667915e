// Encodes WebP.
#pragma once
#include <webp/encode.h>
