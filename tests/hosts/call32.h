/* The field of plain32.h as a zkVM has it: a product is a call that a prover answers, and sums are not reduced.
 *
 * An answer is congruent for certain, and below p if the prover is honest. Sums stop the program for operands that
 * have the highest bit, so that they cannot wrap around.
 */
#ifndef CALL32_H
#define CALL32_H
#include <stdlib.h>
#include "plain32.h"

static const plain32 call32_one = {1};

/* r = a + b for a and b below 2^255, below 2^256. */
static inline void call32_add(uint32_t *r, const uint32_t *a, const uint32_t *b) {
    uint64_t carry = 0;
    int i;
    if ((a[7] | b[7]) >> 31) {
        exit(9);
    }
    for (i = 0; i < 8; i++) {
        carry += (uint64_t)a[i] + b[i];
        r[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* r = a below p, for any words a: 2^256 is less than 3*p. */
static inline void call32_reduced(uint32_t *r, const uint32_t *a) {
    plain32_reduce(r, a, 0);
    plain32_reduce(r, r, 0);
}

/* r = a - b + p for a and b below 2^255, below 2^256. */
static inline void call32_sub(uint32_t *r, const uint32_t *a, const uint32_t *b) {
    plain32 reduced;
    int64_t carry = 0;
    int i;
    if ((a[7] | b[7]) >> 31) {
        exit(9);
    }
    call32_reduced(reduced, b);
    for (i = 0; i < 8; i++) {
        carry += (int64_t)a[i] - reduced[i] + plain32_p[i];
        r[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* r = a*b modulo p, below p unless CALL32_LIES, for any words a and b. */
static inline void call32_mul(uint32_t *r, const uint32_t *a, const uint32_t *b) {
    plain32 left, right;
    call32_reduced(left, a);
    call32_reduced(right, b);
    plain32_mul(r, left, right);
#ifdef CALL32_LIES
    {
        uint64_t carry = 0;
        int i;
        for (i = 0; i < 8; i++) {
            carry += (uint64_t)r[i] + plain32_p[i];
            r[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
#endif
}

static inline void call32_write(uint8_t *bytes, const uint32_t *a) {
    plain32 reduced;
    call32_reduced(reduced, a);
    plain32_write(bytes, reduced);
}
#endif
