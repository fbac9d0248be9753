/* Ed25519 of Monocypher's functions for EdDSA with any hash function: the host's SHA-512.
 *
 * The owner of a seed has the public key beside it, which Monocypher's signatures read.
 */
#include "monocypher.h"
#include "host.h"
#include <string.h>

static const uint8_t message[32] = {0x5a, 1, 2, 3};
static uint8_t secret[32], key[32], signature[64];

/* SHA-512 of up to three strings of 32 bytes. */
static void hash(uint8_t result[64], const uint8_t *a, const uint8_t *b, const uint8_t *c) {
    uint8_t state[8];
    host_init(state, "sha512");
    host_update(state, a, 32);
    if (b) {
        host_update(state, b, 32);
    }
    if (c) {
        host_update(state, c, 32);
    }
    host_final(state, result, 64);
}

static void reduced(uint8_t result[32], const uint8_t *a, const uint8_t *b, const uint8_t *c) {
    uint8_t wide[64];
    hash(wide, a, b, c);
    crypto_eddsa_reduce(result, wide);
}

OPERATION(setup) {
    fill(secret, sizeof secret, 0x2b);
    return 1;
}

OPERATION(keygen) {
    uint8_t expanded[64];
    hash(expanded, secret, NULL, NULL);
    crypto_eddsa_trim_scalar(expanded, expanded);
    crypto_eddsa_scalarbase(key, expanded);
    crypto_wipe(expanded, sizeof expanded);
    return 1;
}

OPERATION(sign) {
    uint8_t expanded[64], nonce[32], challenge[32];
    hash(expanded, secret, NULL, NULL);
    crypto_eddsa_trim_scalar(expanded, expanded);
    reduced(nonce, expanded + 32, message, NULL);
    crypto_eddsa_scalarbase(signature, nonce);
    reduced(challenge, signature, key, message);
    crypto_eddsa_mul_add(signature + 32, challenge, expanded, nonce);
    crypto_wipe(expanded, sizeof expanded);
    crypto_wipe(nonce, sizeof nonce);
    return 1;
}

OPERATION(verify) {
    uint8_t challenge[32];
    reduced(challenge, signature, key, message);
    return crypto_eddsa_check_equation(signature, key, challenge) == 0;
}
