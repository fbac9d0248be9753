/* Operations of BearSSL on P-256; nonces by RFC 6979, whose hash function the host computes. */
#include "bearssl_hash.h"
#include "bearssl_bits.h"
#include <string.h>

static const uint8_t digest[32] = {0x5a, 1, 2, 3};
static uint8_t secret[32], key[65], signature[64], common[32];

/* BearSSL saves states of hash functions and loads them; the host writes a number that denotes a state. */
HOST static int host_save(const void *state, void *at) {
    (void)state, (void)at;
    return 1;
}

HOST static int host_load(void *state, const void *at) {
    (void)state, (void)at;
    return 1;
}

static void init(const br_hash_class **state);

static void update(const br_hash_class **state, const void *bytes, size_t length) {
    host_update(state, bytes, length);
}

static void out(const br_hash_class *const *state, void *result) {
    host_final((void *)state, result, 32);
}

static uint64_t save(const br_hash_class *const *state, void *at) {
    host_save(state, at);
    return 64;
}

static void load(const br_hash_class **state, const void *at, uint64_t count) {
    (void)count;
    host_load(state, at);
}

static const br_hash_class sha256 = {
    sizeof(br_sha256_context),
    BR_HASHDESC_ID(br_sha256_ID) | BR_HASHDESC_OUT(32) | BR_HASHDESC_STATE(32) | BR_HASHDESC_LBLEN(6),
    init, update, out, save, load,
};

static void init(const br_hash_class **state) {
    *state = &sha256;
    host_init(state, "sha256");
}

OPERATION(setup) {
    fill(secret, sizeof secret, 0x2b);
    return 1;
}

OPERATION(keygen) {
    return P256->mulgen(key, secret, sizeof secret, BR_EC_secp256r1) == sizeof key;
}

OPERATION(sign) {
    br_ec_private_key owner = {BR_EC_secp256r1, secret, sizeof secret};
    return SIGN(P256, &sha256, digest, &owner, signature) == sizeof signature;
}

OPERATION(verify) {
    br_ec_public_key owner = {BR_EC_secp256r1, key, sizeof key};
    return VERIFY(P256, digest, sizeof digest, &owner, signature, sizeof signature);
}

OPERATION(exchange) {
    uint8_t point[65];
    memcpy(point, key, sizeof point);
    int valid = P256->mul(point, sizeof point, secret, sizeof secret, BR_EC_secp256r1);
    memcpy(common, point + 1, sizeof common);
    return valid;
}
