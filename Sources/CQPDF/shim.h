// Joins PDF documents, with QPDF.
#pragma once
#include <qpdf/qpdf-c.h>
