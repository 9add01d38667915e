// Draws QR codes.
#pragma once
#include <qrencode.h>
