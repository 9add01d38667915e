// Finds where words may be hyphenated, with libhyphen.
#pragma once
#include <hyphen.h>
