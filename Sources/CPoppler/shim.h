// Reads PDF documents, and draws them on the surfaces of Cairo.
#pragma once
#include <cairo.h>
#include <poppler.h>
