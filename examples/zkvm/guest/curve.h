/* Points of edwards25519 in a guest: sums in halved completed coordinates, table entries, the curve's equation. */
#ifndef ZKVM_CURVE_H
#define ZKVM_CURVE_H

#include "tables.h"
#include "zk.h"

/* The point that a guest computes with. */
static zk_point sum ZK_NEAR;

/* x = 2 E/G and y = 2 H/F. */
ZK_FUNCTION void set_affine(const uint32_t *x, const uint32_t *y) {
    zk_mul(sum.E, x, zk_one);
    zk_mul(sum.H, y, zk_one);
    zk_mul(sum.G, zk_two, zk_one);
    zk_mul(sum.F, zk_two, zk_one);
}

ZK_FUNCTION void set_identity(void) { set_affine(zk_small[0], zk_one); }

/* sum = -sum */
static ZK_INLINE void negate(void) { zk_mul(sum.E, sum.E, zk_minus_one); }

/* Returns whether sum is the identity, the only point of y = 1. */
ZK_FUNCTION int is_identity(void) {
    zk_fe twice_h, f;
    zk_mul(twice_h, sum.H, zk_two);
    zk_mul(f, sum.F, zk_one);
    return zk_same(twice_h, f);
}

/* Returns whether x and y are below p and y^2 - x^2 = 1 + d x^2 y^2. */
ZK_FUNCTION int is_point(const uint32_t *x, const uint32_t *y) {
    static zk_fe xx ZK_NEAR, yy ZK_NEAR, left ZK_NEAR, right ZK_NEAR;
    if (!zk_below(x, zk_prime) || !zk_below(y, zk_prime)) return 0;
    zk_mul(xx, x, x);
    zk_mul(yy, y, y);
    zk_sub(left, yy, xx);
    zk_mul(left, left, zk_one);
    zk_mul(right, xx, yy);
    zk_mul(right, right, curve_d);
    zk_add(right, right, zk_one);
    zk_mul(right, right, zk_one);
    return zk_same(left, right);
}

/* sum = 2^n sum */
static ZK_INLINE void double_sum(uint32_t n) {
    for (; n; n--) zk_double(&sum, &sum);
}

/* Add an entry; X, Y and K of both kinds follow each other. */
static ZK_INLINE void add_entry(const uint32_t *x, const uint32_t *z) {
    zk_add_products_z(&sum, &sum, x, x + 8, z, x + 16);
}

static ZK_INLINE void add_own(const own_entry *entry) { add_entry(entry->X, entry->Z); }

static ZK_INLINE void add_fixed(const fixed_entry *entry) { add_entry(entry->X, zk_one); }

/* Write P, 3P, …, (2n - 1)P into a table, for n > 1. */
ZK_FUNCTION void odd_multiples(own_entry *table, const uint32_t *x, const uint32_t *y, int n) {
    own_entry *twice = &table[n - 1]; /* until it is overwritten, last */
    set_affine(x, y);
    zk_convert_to_products_z(table[0].X, table[0].Y, table[0].Z, table[0].K, &sum);
    zk_double(&sum, &sum);
    zk_convert_to_products_z(twice->X, twice->Y, twice->Z, twice->K, &sum);
    set_affine(x, y);
    for (int i = 1; i < n; i++) {
        add_own(twice);
        zk_convert_to_products_z(table[i].X, table[i].Y, table[i].Z, table[i].K, &sum);
    }
}

#endif
