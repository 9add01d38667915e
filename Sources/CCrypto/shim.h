// The digests of libcrypto, which uses the processor's instructions for them.
#pragma once
#include <openssl/evp.h>
#include <openssl/hmac.h>
