// The digests of libcrypto, which uses what the processor has for them.
#pragma once
#include <openssl/evp.h>
#include <openssl/hmac.h>
