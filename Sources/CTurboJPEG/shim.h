// Encoding of JPEG.
#pragma once
#include <turbojpeg.h>
