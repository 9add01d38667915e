// Reads PDF documents, and draws them on the surfaces of Cairo.
#pragma once
#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <poppler.h>
