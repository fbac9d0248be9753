/* X25519 of BearSSL. */
#include "bearssl_hash.h"
#include "bearssl_bits.h"
#include <string.h>

static uint8_t secret[32], key[32], common[32];

OPERATION(setup) {
    fill(secret, sizeof secret, 0x2b);
    key[0] = 9;
    return 1;
}

OPERATION(exchange) {
    memcpy(common, key, sizeof common);
    return CURVE25519->mul(common, sizeof common, secret, sizeof secret, BR_EC_curve25519);
}
