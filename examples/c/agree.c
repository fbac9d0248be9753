/* agree SECRET PUBLIC: prints the shared secret of X25519, all in hexadecimal. agree SECRET prints the public key. */
#include "curve/curve25519_exchange.h"

#include <stdio.h>
#include <string.h>

/* Reads a key; returns 0 for a text that is not one. */
static int read_key(uint8_t key[CURVE25519_KEY_BYTES], const char *text) {
    if (strspn(text, "0123456789abcdef") != 2 * CURVE25519_KEY_BYTES || strlen(text) != 2 * CURVE25519_KEY_BYTES) {
        return 0;
    }
    for (int i = 0; i < CURVE25519_KEY_BYTES; i++) {
        unsigned byte;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1) {
            return 0;
        }
        key[i] = (uint8_t)byte;
    }
    return 1;
}

int main(int count, char **words) {
    uint8_t secret[CURVE25519_KEY_BYTES], public_key[CURVE25519_KEY_BYTES], result[CURVE25519_KEY_BYTES];
    if (count < 2 || count > 3 || !read_key(secret, words[1]) || (count == 3 && !read_key(public_key, words[2]))) {
        fprintf(stderr, "usage: agree SECRET [PUBLIC], each of %d hexadecimal digits\n", 2 * CURVE25519_KEY_BYTES);
        return 2;
    }
    if (count == 2) {
        curve25519_exchange_public_key(result, secret);
    } else if (!curve25519_exchange(result, secret, public_key)) {
        fprintf(stderr, "agree: the public key has small order\n");
        return 1;
    }
    for (int i = 0; i < CURVE25519_KEY_BYTES; i++) {
        printf("%02x", (unsigned)result[i]);
    }
    printf("\n");
    return 0;
}
