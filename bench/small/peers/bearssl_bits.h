/* BearSSL's implementations of curves for products of 15 bits or of 31, as BITS says. */
#include "bearssl_ec.h"
#include "host.h"

#define JOINED(a, b, c) a##b##c
#define NAMED(a, b, c) JOINED(a, b, c)
#define SIGN NAMED(br_ecdsa_i, BITS, _sign_raw)
#define VERIFY NAMED(br_ecdsa_i, BITS, _vrfy_raw)
#define P256 (&NAMED(br_ec_p256_m, BITS, ))
#define CURVE25519 (&NAMED(br_ec_c25519_m, BITS, ))
