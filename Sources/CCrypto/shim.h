// The digests of libcrypto, which uses the processor's instructions for them, and its certificates.
#pragma once
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
