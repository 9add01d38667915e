// Reads books in the formats of Mobipocket and Kindle, with libmobi.
#pragma once
#include <stdio.h>
#include <mobi.h>
