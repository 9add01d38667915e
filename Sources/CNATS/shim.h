// The client of NATS.
#pragma once
#include <nats/nats.h>
