/* X25519 of Monocypher. */
#include "monocypher.h"
#include "host.h"

static uint8_t secret[32], key[32], common[32];

OPERATION(setup) {
    fill(secret, sizeof secret, 0x2b);
    key[0] = 9;
    return 1;
}

OPERATION(exchange) {
    crypto_x25519(common, secret, key);
    return 1;
}
