/* A field of eight 32-bit words, the least significant first, always below p; plain and slow. */
#ifndef PLAIN32_H
#define PLAIN32_H
#include <stdint.h>

typedef uint32_t plain32[8];

/* Turns words round: the most significant is given first. */
#define PLAIN32_WORDS(h, g, f, e, d, c, b, a) {a, b, c, d, e, f, g, h}

/* The prime, and 2^512 modulo it. */
static const plain32 plain32_p = PLAIN32_P, plain32_square = PLAIN32_SQUARE;

/* r = a - p if a with a carry is p or more, else a. */
static inline void plain32_reduce(uint32_t *r, const uint32_t *a, uint32_t carry) {
    uint32_t difference[8], mask;
    uint64_t borrow = 0;
    int i;
    for (i = 0; i < 8; i++) {
        uint64_t d = (uint64_t)a[i] - plain32_p[i] - borrow;
        difference[i] = (uint32_t)d;
        borrow = d >> 63;
    }
    mask = 0 - (uint32_t)(borrow & (1 ^ carry));
    for (i = 0; i < 8; i++) {
        r[i] = (a[i] & mask) | (difference[i] & ~mask);
    }
}

static inline void plain32_add(uint32_t *r, const uint32_t *a, const uint32_t *b) {
    uint32_t sum[8];
    uint64_t carry = 0;
    int i;
    for (i = 0; i < 8; i++) {
        carry += (uint64_t)a[i] + b[i];
        sum[i] = (uint32_t)carry;
        carry >>= 32;
    }
    plain32_reduce(r, sum, (uint32_t)carry);
}

static inline void plain32_sub(uint32_t *r, const uint32_t *a, const uint32_t *b) {
    uint32_t negative[8], zero = 0;
    uint64_t borrow = 0;
    int i;
    for (i = 0; i < 8; i++) {
        uint64_t d = (uint64_t)plain32_p[i] - b[i] - borrow;
        negative[i] = (uint32_t)d;
        borrow = d >> 63;
        zero |= b[i];
    }
    for (i = 0; i < 8; i++) {
        negative[i] &= 0 - (uint32_t)(zero != 0);
    }
    plain32_add(r, a, negative);
}

/* r = a*b/2^256. */
static inline void plain32_shifted(uint32_t *r, const uint32_t *a, const uint32_t *b) {
    uint32_t sum[10] = {0};
    int i, j;
    for (i = 0; i < 8; i++) {
        uint64_t carry = 0;
        uint32_t factor;
        for (j = 0; j < 8; j++) {
            carry += (uint64_t)a[j] * b[i] + sum[j];
            sum[j] = (uint32_t)carry;
            carry >>= 32;
        }
        carry += sum[8];
        sum[8] = (uint32_t)carry;
        sum[9] = (uint32_t)(carry >> 32);
        factor = sum[0] * PLAIN32_FACTOR;
        carry = ((uint64_t)plain32_p[0] * factor + sum[0]) >> 32;
        for (j = 1; j < 8; j++) {
            carry += (uint64_t)plain32_p[j] * factor + sum[j];
            sum[j - 1] = (uint32_t)carry;
            carry >>= 32;
        }
        carry += sum[8];
        sum[7] = (uint32_t)carry;
        sum[8] = sum[9] + (uint32_t)(carry >> 32);
    }
    plain32_reduce(r, sum, sum[8]);
}

static inline void plain32_mul(uint32_t *r, const uint32_t *a, const uint32_t *b) {
    uint32_t product[8];
    plain32_shifted(product, a, b);
    plain32_shifted(r, product, plain32_square);
}

static inline void plain32_read(uint32_t *r, const uint8_t *bytes) {
    int i;
    for (i = 0; i < 8; i++) {
        r[i] = (uint32_t)bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 | (uint32_t)bytes[4 * i + 2] << 16 |
               (uint32_t)bytes[4 * i + 3] << 24;
    }
}

static inline void plain32_write(uint8_t *bytes, const uint32_t *a) {
    int i;
    for (i = 0; i < 32; i++) {
        bytes[i] = (uint8_t)(a[i / 4] >> 8 * (i % 4));
    }
}
#endif
