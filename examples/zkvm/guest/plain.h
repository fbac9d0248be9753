/* Arithmetic of half.h on a machine without the call: efdgen's kernels and field for rv32im.
 *
 * Products modulo 8L and L are few: the host gives their quotients.
 */
#ifndef ZKVM_PLAIN_H
#define ZKVM_PLAIN_H

#include "edwards25519.h"
#include "field.h"

typedef edwards25519_extended_1_cached_point own_entry;
typedef edwards25519_extended_1_niels_point fixed_entry;

#include "tables.h"

static edwards25519_point sum;

static void set_identity(void) { sum = EDWARDS25519_IDENTITY; }

static int is_identity(void) { return edwards25519_is_identity(&sum); }

static void negate(void) { edwards25519_negate(&sum, &sum); }

static void double_sum(uint32_t n) {
    if (n) edwards25519_double_times(&sum, (int)n);
}

static void add_own(const own_entry *entry) { edwards25519_extended_1_add_cached(&sum, &sum, entry); }

static void add_fixed(const fixed_entry *entry) { edwards25519_extended_1_add_niels(&sum, &sum, entry); }

/* An element is its 8 words. */
static edwards25519_affine_point affine(const uint32_t *x, const uint32_t *y) {
    edwards25519_affine_point point;
    memcpy(&point.X, x, sizeof point.X);
    memcpy(&point.Y, y, sizeof point.Y);
    return point;
}

/* Returns whether x and y are below p and the coordinates of a point. */
static int is_point(const uint32_t *x, const uint32_t *y) {
    edwards25519_affine_point point = affine(x, y);
    return zk_below(x, zk_prime) && zk_below(y, zk_prime) && edwards25519_affine_is_on_curve(&point);
}

/* Write P, 3P, …, (2n - 1)P into a table, for n > 1. */
static void odd_multiples(own_entry *table, const uint32_t *x, const uint32_t *y, int n) {
    edwards25519_affine_point point = affine(x, y);
    edwards25519_point p, twice;
    edwards25519_from_affine(&p, &point);
    edwards25519_double(&twice, &p);
    edwards25519_make_entry(&table[0], &p);
    for (int i = 1; i < n; i++) {
        edwards25519_add(&p, &p, &twice);
        edwards25519_make_entry(&table[i], &p);
    }
}

/* The place of the quotient of the next product. */
static const uint32_t *quotient;

/* r = a b, of 16 words. */
static void wide_product(uint32_t *r, const uint32_t *a, const uint32_t *b) {
    for (int i = 0; i < 16; i++) r[i] = 0;
    for (int i = 0; i < 8; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < 8; j++) {
            carry += (uint64_t)a[i] * b[j] + r[i + j];
            r[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        r[i + 8] = (uint32_t)carry;
    }
}

/* r = a b - q n for the quotient q that the host gives; halt unless that is in [0, 2^256). */
static void zk_modmul(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *n) {
    uint32_t product[16], multiple[16], borrow = 0, above = 0;
    wide_product(product, a, b);
    wide_product(multiple, quotient, n);
    quotient += 8;
    for (int i = 0; i < 16; i++) {
        uint32_t word = zk_sub_word(product[i], multiple[i], &borrow);
        if (i < 8)
            r[i] = word;
        else
            above |= word;
    }
    if (above | borrow) zk_halt(ZK_NOT_REDUCED);
}

#endif
