/* Operations of p256-m, with a fixed nonce. Mbed TLS's copy asks for functions of Mbed TLS, which are here. */
#include "host.h"
#include <string.h>

static void mbedtls_platform_zeroize(void *bytes, size_t length) {
    memset(bytes, 0, length);
    __asm__ volatile("" : : "r"(bytes) : "memory");
}

static int psa_generate_random(uint8_t *bytes, size_t length) {
    fill(bytes, length, 0x17);
    return 0;
}

#define MBEDTLS_PSA_P256M_DRIVER_ENABLED
#include "p256-m.c"

static const uint8_t digest[32] = {0x5a, 1, 2, 3};
static uint8_t secret[32], key[64], signature[64], common[32];

OPERATION(setup) {
    fill(secret, sizeof secret, 0x2b);
    return 1;
}

OPERATION(keygen) {
    return p256_public_from_private(key, secret) == P256_SUCCESS;
}

OPERATION(sign) {
    return p256_ecdsa_sign(signature, secret, digest, sizeof digest) == P256_SUCCESS;
}

OPERATION(verify) {
    return p256_ecdsa_verify(signature, key, digest, sizeof digest) == P256_SUCCESS;
}

OPERATION(exchange) {
    return p256_ecdh_shared_secret(common, secret, key) == P256_SUCCESS;
}
