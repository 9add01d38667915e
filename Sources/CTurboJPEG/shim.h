// Encodes JPEG.
#pragma once
#include <turbojpeg.h>
