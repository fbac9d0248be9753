/* Operations of a curve with EdDSA: each is counted after those before it, whose results it takes. */
#include "ec_eddsa.h"
#include "host.h"

static const ec_hash hash = {64, 128, 8, "sha512", host_init, host_update, host_final};
static const uint8_t message[32] = {0x5a, 1, 2, 3};
static uint8_t secret[EC_SECRET_BYTES], key[EC_ENCODED_BYTES], signature[EC_SIGNATURE_BYTES];

OPERATION(setup) {
    fill(secret, sizeof secret, 0x2b);
    return 1;
}

OPERATION(keygen) {
    return ec_eddsa_public_key(key, secret, &hash);
}

OPERATION(sign) {
    return ec_eddsa_sign(signature, secret, message, sizeof message, &hash);
}

OPERATION(verify) {
    return ec_eddsa_verify(key, message, sizeof message, signature, &hash);
}
