// Reads and writes JSON, with Jansson.
#pragma once
#include <jansson.h>
