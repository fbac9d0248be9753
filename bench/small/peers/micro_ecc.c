/* Operations of micro-ecc, with its least work: nonces by its form of RFC 6979, neither blinding nor checks of keys. */
#include "uECC.h"
#include "host.h"

static const uint8_t digest[32] = {0x5a, 1, 2, 3};
static uint8_t secret[32], key[64], signature[64], common[32];

static void init(const uECC_HashContext *hash) {
    host_init((void *)hash, "sha256");
}

static void update(const uECC_HashContext *hash, const uint8_t *bytes, unsigned length) {
    host_update((void *)hash, bytes, length);
}

static void final(const uECC_HashContext *hash, uint8_t *result) {
    host_final((void *)hash, result, 32);
}

OPERATION(setup) {
    fill(secret, sizeof secret, 0x2b);
    return 1;
}

OPERATION(keygen) {
    return uECC_compute_public_key(secret, key, CURVE());
}

OPERATION(sign) {
    uint8_t room[32 + 32 + 64];
    uECC_HashContext hash = {init, update, final, 64, 32, room};
    return uECC_sign_deterministic(secret, digest, sizeof digest, &hash, signature, CURVE());
}

OPERATION(verify) {
    return uECC_verify(key, digest, sizeof digest, signature, CURVE());
}

OPERATION(exchange) {
    return uECC_shared_secret(key, secret, common, CURVE());
}
