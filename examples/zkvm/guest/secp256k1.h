/* Elements of GF(2^256 - 2^32 - 977), and numbers modulo the order of secp256k1, over the modular multiplication call of a
 * zkVM.
 *
 * An answer of the call may be any congruent number of 256 bits. Every operation takes such numbers and gives one. An
 * honest prover's are below p, and so are their differences: then equal elements have equal words.
 */
#ifndef ZKVM_SECP256K1_H
#define ZKVM_SECP256K1_H

#include "words.h"

static const zk_fe zk_prime ZK_NEAR_CONST = ZK_WORDS(0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff,
                                                     0xffffffff, 0xffffffff, 0xfffffffe, 0xfffffc2f);
static const zk_fe zk_1 ZK_NEAR_CONST = {1}, zk_2 ZK_NEAR_CONST = {2}, zk_4 ZK_NEAR_CONST = {4};
#define zk_one zk_1

/* 2^256 - p */
static const uint32_t zk_excess[8] ZK_NEAR_CONST = {977, 1};

#define zk_mul(r, a, b) zk_modmul(r, a, b, zk_prime)

/* r = a + b; return the carry. */
static ZK_INLINE uint32_t zk_add_words(uint32_t *r, const uint32_t *a, const uint32_t *b) {
    uint32_t carry = 0;
    for (int i = 0; i < 8; i++) r[i] = zk_add_word(a[i], b[i], &carry);
    return carry;
}

/* r = a + b modulo n, for excess = 2^256 - n. Halt at a second carry, which no numbers below n make. */
ZK_FUNCTION void zk_add_modulo(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *excess) {
    if (zk_add_words(r, a, b) && zk_add_words(r, r, excess)) zk_halt(ZK_NOT_REDUCED);
}

/* Subtract 2^64 from r; halt at a borrow. */
ZK_RARE void zk_borrow(uint32_t *r) {
    for (int i = 2; i < 8; i++)
        if (r[i]-- != 0) return;
    zk_halt(ZK_NOT_REDUCED);
}

/* r = a - b. A borrow is -2^256, which is p - 2^256 = -2^32 - 977; halt at a second one, which no numbers below p make. */
static ZK_INLINE void zk_sub_any(uint32_t *r, const uint32_t *a, const uint32_t *b) {
    uint32_t borrow = 0;
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        uint32_t x = a[i], y = b[i];
        r[i] = zk_sub_bit(x, y, &borrow);
    }
    if (borrow) {
        uint32_t low = r[0], next = r[1], more = 1 + (low < 977);
        r[0] = low - 977;
        r[1] = next - more;
        if (next < more) zk_borrow(r);
    }
}

ZK_RARE void zk_sub_rare(uint32_t *r, const uint32_t *a, const uint32_t *b) { zk_sub_any(r, a, b); }

/* Returns whether the compiler knows that a number is a word. */
static ZK_INLINE int zk_is_word(const uint32_t *a) {
    uint32_t above = a[1] | a[2] | a[3] | a[4] | a[5] | a[6] | a[7];
    return __builtin_constant_p(above) && above == 0;
}

/* r = a, except the lowest word. */
static ZK_INLINE void zk_copy_above(uint32_t *r, const uint32_t *a) {
#pragma GCC unroll 7
    for (int i = 1; i < 8; i++) r[i] = a[i];
}

/* r = a + b. */
static ZK_INLINE void zk_add(uint32_t *r, const uint32_t *a, const uint32_t *b) {
    uint32_t low = a[0] + b[0];
    if (zk_is_word(b) && low >= b[0]) {
        r[0] = low;
        zk_copy_above(r, a);
    } else {
        zk_add_modulo(r, a, b, zk_excess);
    }
}

/* r = a - b. */
static ZK_INLINE void zk_sub(uint32_t *r, const uint32_t *a, const uint32_t *b) {
    uint32_t low = a[0];
    if (!zk_is_word(b)) {
        zk_sub_any(r, a, b);
    } else if (low < b[0]) {
        zk_sub_rare(r, a, b);
    } else {
        r[0] = low - b[0];
        zk_copy_above(r, a);
    }
}

/* Halt unless a and b have the same words; then they are the same element. */
static ZK_INLINE int zk_require_equal(const uint32_t *a, const uint32_t *b) {
    if (!zk_same(a, b)) zk_halt(ZK_WRONG_HINT);
    return 1;
}

#endif
