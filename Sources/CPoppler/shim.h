// PDF documents, and the surfaces that they are drawn on.
#pragma once
#include <cairo.h>
#include <poppler.h>
