/* SHA-512 [FIPS 180-4], for words of 32 bits: each word of 64 bits is a uint64_t. */
#ifndef ZKVM_SHA512_H
#define ZKVM_SHA512_H

#include "machine.h"
#include "tables.h"

typedef struct {
    uint64_t state[8];
    uint8_t block[128];
    uint32_t used, length; /* bytes in the block, and in all */
} sha512;

#define SHA512_ROTATE(x, n) ((x) >> (n) | (x) << (64 - (n)))

static ZK_INLINE uint64_t sha512_load(const uint8_t *bytes) {
    uint64_t word = 0;
    for (int i = 0; i < 8; i++) word = word << 8 | bytes[i];
    return word;
}

/* Compress the block into the state. */
ZK_FUNCTION void sha512_compress(sha512 *hash) {
    static uint64_t w[16] ZK_NEAR;
    uint64_t v[8];
    for (int i = 0; i < 16; i++) w[i] = sha512_load(hash->block + 8 * i);
    for (int i = 0; i < 8; i++) v[i] = hash->state[i];
    for (int i = 0; i < 80; i++) {
        uint64_t e = v[4], a = v[0];
        uint64_t sum = v[7] + (SHA512_ROTATE(e, 14) ^ SHA512_ROTATE(e, 18) ^ SHA512_ROTATE(e, 41)) +
                       (v[6] ^ (e & (v[5] ^ v[6]))) + sha512_rounds[i] + w[i % 16];
        uint64_t other = (SHA512_ROTATE(a, 28) ^ SHA512_ROTATE(a, 34) ^ SHA512_ROTATE(a, 39)) +
                         ((a & v[1]) | (v[2] & (a | v[1])));
        uint64_t x = w[(i + 1) % 16], y = w[(i + 14) % 16];
        w[i % 16] += (SHA512_ROTATE(x, 1) ^ SHA512_ROTATE(x, 8) ^ x >> 7) + w[(i + 9) % 16] +
                     (SHA512_ROTATE(y, 19) ^ SHA512_ROTATE(y, 61) ^ y >> 6);
        for (int j = 7; j > 0; j--) v[j] = v[j - 1];
        v[4] += sum;
        v[0] = sum + other;
    }
    for (int i = 0; i < 8; i++) hash->state[i] += v[i];
    hash->used = 0;
}

static void sha512_start(sha512 *hash) {
    for (int i = 0; i < 8; i++) hash->state[i] = sha512_initial[i];
    hash->used = hash->length = 0;
}

static void sha512_byte(sha512 *hash, uint8_t byte) {
    hash->block[hash->used++] = byte;
    if (hash->used == sizeof hash->block) sha512_compress(hash);
}

static void sha512_update(sha512 *hash, const uint8_t *bytes, uint32_t size) {
    hash->length += size;
    for (uint32_t i = 0; i < size; i++) sha512_byte(hash, bytes[i]);
}

/* Write the 64 bytes of the hash; messages are shorter than 2^29 bytes. */
static void sha512_finish(sha512 *hash, uint8_t *digest) {
    sha512_byte(hash, 0x80);
    while (hash->used != 112) sha512_byte(hash, 0);
    for (int i = 15; i >= 0; i--) sha512_byte(hash, i < 4 ? (uint8_t)(hash->length * 8 >> 8 * i) : 0);
    for (int i = 0; i < 64; i++) digest[i] = (uint8_t)(hash->state[i / 8] >> (56 - 8 * (i % 8)));
}

#endif
