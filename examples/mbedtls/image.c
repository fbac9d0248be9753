/* Signs and verifies an image of any size, read from standard input, with a hash function of mbedTLS.
 *
 *     image public SECRET                     prints the public key, by SEC 1
 *     image sign SECRET < IMAGE               prints the signature, in DER and with s <= n/2
 *     image verify PUBLIC SIGNATURE < IMAGE   ends with status 0 if the signature is right, else 1
 *
 * All in hexadecimal.
 */
#include "curve/secp256k1_ecdsa_der.h"
#include "curve/secp256k1_hash_mbedtls.h"

#include <stdio.h>

#define MOST 128

/* Reads bytes; returns how many, 0 for a text that has others than digits or too many. */
static size_t read_hexadecimal(uint8_t bytes[MOST], const char *text) {
    size_t count = strlen(text);
    if (count % 2 != 0 || count > 2 * MOST || strspn(text, "0123456789abcdef") != count) {
        return 0;
    }
    for (size_t i = 0; i < count / 2; i++) {
        unsigned byte;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1) {
            return 0;
        }
        bytes[i] = (uint8_t)byte;
    }
    return count / 2;
}

static int show(const uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        printf("%02x", (unsigned)bytes[i]);
    }
    printf("\n");
    return 0;
}

/* Hashes standard input in pieces. */
static int hash_input(uint8_t *digest, const secp256k1_hash *hash) {
    uint8_t piece[4096];
    size_t length;
    secp256k1_hash_stream stream;
    (void)secp256k1_hash_start(&stream, hash);
    while ((length = fread(piece, 1, sizeof piece, stdin)) > 0) {
        (void)secp256k1_hash_add(&stream, piece, length);
    }
    return secp256k1_hash_finish(&stream, digest) && !ferror(stdin);
}

static int sign(const uint8_t *secret, const secp256k1_hash *hash) {
    uint8_t digest[SECP256K1_HASH_DIGEST_MAX], signature[SECP256K1_SIGNATURE_BYTES], der[SECP256K1_DER_MAX];
    if (!hash_input(digest, hash) ||
        !secp256k1_ecdsa_sign_digest(signature, NULL, secret, digest, hash->digest_bytes, hash) ||
        !secp256k1_ecdsa_low_s(signature, NULL)) {
        return 1;
    }
    return show(der, secp256k1_ecdsa_to_der(der, signature));
}

static int verify(const uint8_t *key, size_t key_length, const uint8_t *der, size_t length, const secp256k1_hash *hash) {
    uint8_t digest[SECP256K1_HASH_DIGEST_MAX], signature[SECP256K1_SIGNATURE_BYTES];
    secp256k1_point public_key;
    return !(secp256k1_decode(&public_key, key, key_length) && secp256k1_ecdsa_from_der(signature, der, length) &&
             secp256k1_ecdsa_has_low_s(signature) && hash_input(digest, hash) &&
             secp256k1_ecdsa_verify_digest(&public_key, digest, hash->digest_bytes, signature));
}

int main(int count, char **words) {
    const secp256k1_hash hash = secp256k1_hash_mbedtls(MBEDTLS_MD_SHA256);
    uint8_t key[MOST], der[MOST];
    size_t length = count > 2 ? read_hexadecimal(key, words[2]) : 0;
    if (count == 3 && strcmp(words[1], "public") == 0 && length == SECP256K1_SCALAR_BYTES) {
        uint8_t encoded[SECP256K1_ENCODED_BYTES];
        secp256k1_point p;
        if (!secp256k1_ecdsa_public_key(&p, key) || !secp256k1_encode(encoded, &p)) {
            return 1;
        }
        return show(encoded, sizeof encoded);
    }
    if (count == 3 && strcmp(words[1], "sign") == 0 && length == SECP256K1_SCALAR_BYTES) {
        return sign(key, &hash);
    }
    if (count == 4 && strcmp(words[1], "verify") == 0) {
        return verify(key, length, der, read_hexadecimal(der, words[3]), &hash);
    }
    fprintf(stderr, "usage: image public SECRET | image sign SECRET | image verify PUBLIC SIGNATURE\n");
    return 2;
}
