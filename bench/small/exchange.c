/* Operations of X25519 or X448, and of their field: each is counted. */
#include "ec_exchange.h"
#include "host.h"
#include "field.h"

static uint8_t secret[EC_KEY_BYTES], key[EC_KEY_BYTES], common[EC_KEY_BYTES];

OPERATION(setup) {
    fill(secret, sizeof secret, 0x2b);
    key[0] = 9;
    fill_elements();
    return 1;
}

OPERATION(exchange) {
    return ec_exchange(common, secret, key);
}
