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

/* x rotated to the right, by words of 32 bits: their parts share no bits, and a sum is cheaper than an OR. */
static ZK_INLINE uint64_t sha512_rotate(uint64_t x, int n) {
    uint32_t low = (uint32_t)(n < 32 ? x : x >> 32), high = (uint32_t)(n < 32 ? x >> 32 : x);
    uint32_t right = (low >> n % 32) + (high << (32 - n % 32)), left = (high >> n % 32) + (low << (32 - n % 32));
    return (uint64_t)left << 32 | right;
}

static ZK_INLINE uint64_t sha512_load(const uint8_t *bytes) {
    uint64_t word = 0;
    for (int i = 0; i < 8; i++) word = word << 8 | bytes[i];
    return word;
}

/* One round: the registers a to h are v[0] to v[7], and those after it v[-1] to v[6]. */
static ZK_INLINE void sha512_round(uint64_t *v, uint64_t input) {
    uint64_t a = v[0], e = v[4];
    uint64_t sum = v[7] + (sha512_rotate(e, 14) ^ sha512_rotate(e, 18) ^ sha512_rotate(e, 41)) +
                   (v[6] ^ (e & (v[5] ^ v[6]))) + input;
    v[3] += sum;
    v[-1] = sum + (sha512_rotate(a, 28) ^ sha512_rotate(a, 34) ^ sha512_rotate(a, 39)) +
            ((a & v[1]) + (v[2] & (a ^ v[1])));
}

/* Compress the block into the state. */
ZK_FUNCTION void sha512_compress(sha512 *hash) {
    static uint64_t w[16] ZK_NEAR, registers[16] ZK_NEAR;
    for (int i = 0; i < 16; i++) w[i] = sha512_load(hash->block + 8 * i);
    for (int i = 0; i < 8; i++) registers[8 + i] = hash->state[i];
    for (int i = 0; i < 80; i++) {
        uint64_t *v = registers + 8 - i % 8;
        sha512_round(v, sha512_rounds[i] + w[i % 16]);
        uint64_t x = w[(i + 1) % 16], y = w[(i + 14) % 16];
        w[i % 16] += (sha512_rotate(x, 1) ^ sha512_rotate(x, 8) ^ x >> 7) + w[(i + 9) % 16] +
                     (sha512_rotate(y, 19) ^ sha512_rotate(y, 61) ^ y >> 6);
        if (i % 8 == 7)
            for (int j = 0; j < 8; j++) registers[8 + j] = registers[j];
    }
    for (int i = 0; i < 8; i++) hash->state[i] += registers[8 + i];
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
