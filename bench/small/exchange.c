/* Operations of X25519 or X448, and of their field: each is counted. */
#include "ec_exchange.h"
#include "host.h"

static uint8_t secret[EC_KEY_BYTES], u[EC_KEY_BYTES], common[EC_KEY_BYTES];
static ec_fe a, b, c;

OPERATION(setup) {
    fill(secret, sizeof secret, 0x2b);
    u[0] = 9;
    fill((uint8_t *)&a, sizeof a - 4, 3);
    fill((uint8_t *)&b, sizeof b - 4, 7);
    return 1;
}

OPERATION(product) {
    ec_fe_mul(&c, &a, &b);
    return 1;
}

OPERATION(square) {
    ec_fe_sqr(&c, &a);
    return 1;
}

OPERATION(sum) {
    ec_fe_add(&c, &a, &b);
    return 1;
}

OPERATION(exchange) {
    return ec_exchange(common, secret, u);
}
