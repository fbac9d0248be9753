/* SHA-256 (FIPS 180-4) for the protocols of a curve, without allocation or a library. */

#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The state of a digest: the chaining value, the bytes so far, and those of the last block. */
typedef struct {
    uint32_t value[8];
    uint64_t length;
    uint8_t block[64];
} sha256_state;

/* The fractional parts of the cube roots of the first 64 primes. */
static const uint32_t sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t sha256_rotated(uint32_t x, int count) {
    return x >> count | x << (32 - count);
}

/* One of the 64 steps; of the eight words it changes two, and the next step has them in other places. */
static inline void sha256_step(
    uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f, uint32_t g, uint32_t *h, uint32_t word) {
    uint32_t s = sha256_rotated(e, 6) ^ sha256_rotated(e, 11) ^ sha256_rotated(e, 25);
    uint32_t t = *h + s + (g ^ (e & (f ^ g))) + word;
    uint32_t u = sha256_rotated(a, 2) ^ sha256_rotated(a, 13) ^ sha256_rotated(a, 22);
    *d += t;
    *h = t + u + ((a & b) | (c & (a | b)));
}

/* Hashes a block of 64 bytes. */
static inline void sha256_compress(uint32_t value[8], const uint8_t *block) {
    uint32_t w[64];
    uint32_t a = value[0], b = value[1], c = value[2], d = value[3];
    uint32_t e = value[4], f = value[5], g = value[6], h = value[7];
    for (int i = 0; i < 16; i++, block += 4) {
        w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
    }
    for (int i = 16; i < 64; i++) {
        uint32_t early = w[i - 15], late = w[i - 2];
        uint32_t s = sha256_rotated(early, 7) ^ sha256_rotated(early, 18) ^ early >> 3;
        uint32_t t = sha256_rotated(late, 17) ^ sha256_rotated(late, 19) ^ late >> 10;
        w[i] = w[i - 16] + s + w[i - 7] + t;
    }
    for (int i = 0; i < 64; i += 8) {
        const uint32_t *k = sha256_constants + i, *x = w + i;
        sha256_step(a, b, c, &d, e, f, g, &h, k[0] + x[0]);
        sha256_step(h, a, b, &c, d, e, f, &g, k[1] + x[1]);
        sha256_step(g, h, a, &b, c, d, e, &f, k[2] + x[2]);
        sha256_step(f, g, h, &a, b, c, d, &e, k[3] + x[3]);
        sha256_step(e, f, g, &h, a, b, c, &d, k[4] + x[4]);
        sha256_step(d, e, f, &g, h, a, b, &c, k[5] + x[5]);
        sha256_step(c, d, e, &f, g, h, a, &b, k[6] + x[6]);
        sha256_step(b, c, d, &e, f, g, h, &a, k[7] + x[7]);
    }
    value[0] += a;
    value[1] += b;
    value[2] += c;
    value[3] += d;
    value[4] += e;
    value[5] += f;
    value[6] += g;
    value[7] += h;
}

/* Begins a digest. */
static inline int sha256_init(void *state, const void *algorithm) {
    /* The fractional parts of the square roots of the first 8 primes. */
    static const uint32_t start[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };
    sha256_state *hashed = (sha256_state *)state;
    (void)algorithm;
    memcpy(hashed->value, start, sizeof start);
    hashed->length = 0;
    return 1;
}

/* Hashes bytes. */
static inline int sha256_update(void *state, const uint8_t *bytes, size_t length) {
    sha256_state *hashed = (sha256_state *)state;
    while (length > 0) {
        const size_t at = (size_t)(hashed->length % 64), room = 64 - at, count = length < room ? length : room;
        memcpy(hashed->block + at, bytes, count);
        if (count == room) {
            sha256_compress(hashed->value, hashed->block);
        }
        hashed->length += count;
        bytes += count;
        length -= count;
    }
    return 1;
}

/* Writes the digest: the padding is 0x80, zeros to 8 bytes before the end of a block, and the number of bits. */
static inline int sha256_final(void *state, uint8_t *digest, size_t length) {
    static const uint8_t padding[64] = {0x80};
    sha256_state *hashed = (sha256_state *)state;
    const uint64_t bits = 8 * hashed->length;
    uint8_t size[8];
    for (int i = 0; i < 8; i++) {
        size[i] = (uint8_t)(bits >> (56 - 8 * i));
    }
    (void)sha256_update(state, padding, 1 + (size_t)(119 - hashed->length % 64) % 64);
    (void)sha256_update(state, size, sizeof size);
    for (size_t i = 0; i < length; i++) {
        digest[i] = (uint8_t)(hashed->value[i / 4] >> (24 - 8 * (i % 4)));
    }
    return 1;
}

#endif
