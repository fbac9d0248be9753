/* Signs and verifies with ECDSA on a Cortex-M, by a hash function of its own. */
#include "board.h"
#include "curve/p256_ecdsa.h"
#include "curve/p256_ecdsa_der.h"
#include "sha256.h"

static const p256_hash sha256 = {
    .digest_bytes = 32,
    .block_bytes = 64,
    .state_bytes = sizeof(sha256_state),
    .init = sha256_init,
    .update = sha256_update,
    .final = sha256_final,
};

/* The key and the message of RFC 6979, A.2.5. */
static const uint8_t secret[P256_SCALAR_BYTES] = {
    0xC9, 0xAF, 0xA9, 0xD8, 0x45, 0xBA, 0x75, 0x16, 0x6B, 0x5C, 0x21, 0x57, 0x67, 0xB1, 0xD6, 0x93,
    0x4E, 0x50, 0xC3, 0xDB, 0x36, 0xE8, 0x9B, 0x12, 0x7B, 0x8A, 0x62, 0x2B, 0x12, 0x0F, 0x67, 0x21,
};
static const uint8_t message[] = "sample";

/* Prints bytes in hexadecimal. */
static void show(const uint8_t *bytes, size_t length) {
    static const char digits[] = "0123456789abcdef";
    char text[3] = {0};
    for (size_t i = 0; i < length; i++) {
        text[0] = digits[bytes[i] >> 4];
        text[1] = digits[bytes[i] & 15];
        board_print(text);
    }
    board_print("\n");
}

int main(void) {
    uint8_t signature[P256_SIGNATURE_BYTES], der[P256_DER_MAX];
    p256_point public_key;
    if (!p256_ecdsa_public_key(&public_key, secret) ||
        !p256_ecdsa_sign_message(signature, secret, message, sizeof message - 1, &sha256)) {
        return 1;
    }
    show(der, p256_ecdsa_to_der(der, signature));
    if (!p256_ecdsa_verify_message(&public_key, message, sizeof message - 1, signature, &sha256)) {
        return 2;
    }
    signature[0] ^= 1;
    if (p256_ecdsa_verify_message(&public_key, message, sizeof message - 1, signature, &sha256)) {
        return 3;
    }
    board_print("verified\n");
    return 0;
}
