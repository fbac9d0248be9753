/* Operations of a curve with ECDSA and ECDH: each is counted after those before it, whose results it takes. */
#include "ec_ecdh.h"
#include "ec_ecdsa.h"
#include "host.h"
#include "field.h"

static const ec_hash hash = {32, 64, 8, "sha256", host_init, host_update, host_final};
static const uint8_t digest[32] = {0x5a, 1, 2, 3};
static uint8_t secret[EC_SCALAR_BYTES], signature[EC_SIGNATURE_BYTES], common[EC_FIELD_BYTES];
static ec_point key;

OPERATION(setup) {
    fill(secret, sizeof secret, 0x2b);
    fill_elements();
    return 1;
}

OPERATION(keygen) {
    return ec_ecdsa_public_key(&key, secret);
}

OPERATION(sign) {
    return ec_ecdsa_sign_digest(signature, NULL, secret, digest, sizeof digest, &hash);
}

OPERATION(verify) {
    return ec_ecdsa_verify_digest(&key, digest, sizeof digest, signature);
}

OPERATION(exchange) {
    return ec_ecdh_exchange(common, secret, &key);
}
