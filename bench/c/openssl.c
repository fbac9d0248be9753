/* OpenSSL's curves, through its public interface: conversions of bytes are part of what is timed. */
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <string.h>

#include "entry.h"

static EC_GROUP *group;
static BIGNUM *scalar;
static EVP_PKEY *secret, *peer;

static void __attribute__((constructor)) prepare(void) {
    static const uint8_t fixed[32] = BENCH_SCALAR;
    uint8_t bytes[32];
    memset(bytes, 0x5A, sizeof bytes);
    group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    scalar = BN_bin2bn(fixed, 32, NULL);
    secret = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, bytes, 32);
    memset(bytes, 9, sizeof bytes);
    peer = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, bytes, 32);
}

static void variable_latency(uint64_t n) {
    EC_POINT *p = EC_POINT_dup(EC_GROUP_get0_generator(group), group);
    for (; n; n--) {
        EC_POINT_mul(group, p, NULL, p, scalar, NULL);
    }
    EC_POINT_free(p);
}

static void fixed_latency(uint64_t n) {
    EC_POINT *p = EC_POINT_new(group);
    for (; n; n--) {
        EC_POINT_mul(group, p, scalar, NULL, NULL, NULL);
    }
    EC_POINT_free(p);
}

static void x25519_latency(uint64_t n) {
    uint8_t shared[32];
    for (; n; n--) {
        size_t length = sizeof shared;
        EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(secret, NULL);
        EVP_PKEY_derive_init(context);
        EVP_PKEY_derive_set_peer(context, peer);
        EVP_PKEY_derive(context, shared, &length);
        EVP_PKEY_CTX_free(context);
    }
}

const bench_entry bench_entries[] = {
    LATENCY_ENTRY("P-256/variable base", variable),
    LATENCY_ENTRY("P-256/fixed base", fixed),
    LATENCY_ENTRY("Curve25519/X25519", x25519),
    {0, 0, 0, 0},
};
