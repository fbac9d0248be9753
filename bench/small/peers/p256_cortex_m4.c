/* Operations of P256-Cortex-M4, with a fixed nonce; its integers are words, least significant first. */
#include "p256-cortex-m4.h"
#include "host.h"

static const uint8_t digest[32] = {0x5a, 1, 2, 3};
static uint32_t secret[8], nonce[8], key[16], signature[16];
static uint8_t common[32];

OPERATION(setup) {
    uint8_t bytes[32];
    fill(bytes, sizeof bytes, 0x2b);
    p256_convert_endianness(secret, bytes, sizeof bytes);
    fill((uint8_t *)nonce, sizeof nonce, 0x17);
    return 1;
}

OPERATION(keygen) {
    return p256_keygen(key, key + 8, secret);
}

OPERATION(sign) {
    return p256_sign(signature, signature + 8, digest, sizeof digest, secret, nonce);
}

OPERATION(verify) {
    return p256_verify(key, key + 8, digest, sizeof digest, signature, signature + 8);
}

OPERATION(exchange) {
    return p256_ecdh_calc_shared_secret(common, secret, key, key + 8);
}
