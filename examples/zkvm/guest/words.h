/* Numbers of 256 bits: 8 words of 32 bits, least significant first. */
#ifndef ZKVM_WORDS_H
#define ZKVM_WORDS_H

#include "machine.h"

typedef uint32_t zk_fe[8];

/* {words32} of the host file has the most significant word first. */
#define ZK_WORDS(h, g, f, e, d, c, b, a) {a, b, c, d, e, f, g, h}

/* One word of a sum, with a carry of 0 or 1: it makes a carry only if it makes the word 0. */
static ZK_INLINE uint32_t zk_add_word(uint32_t x, uint32_t y, uint32_t *carry) {
    uint32_t sum = x + y, next = sum < x;
    sum += *carry;
    if (sum == 0) next += *carry;
    *carry = next;
    return sum;
}

/* One word of a difference, with a borrow that is at most 2 beside the first. */
static ZK_INLINE uint32_t zk_sub_word(uint32_t x, uint32_t y, uint32_t *borrow) {
    uint32_t rest = x - y, next = x < y;
    next += rest < *borrow;
    rest -= *borrow;
    *borrow = next;
    return rest;
}

/* The same with a borrow of 0 or 1: it makes a borrow only of the word 0. */
static ZK_INLINE uint32_t zk_sub_bit(uint32_t x, uint32_t y, uint32_t *borrow) {
    uint32_t rest = x - y, next = x < y;
    if (rest == 0) next += *borrow;
    rest -= *borrow;
    *borrow = next;
    return rest;
}

/* Returns whether a and b have the same words; then they are the same element. */
static ZK_INLINE int zk_same(const uint32_t *a, const uint32_t *b) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3] && a[4] == b[4] && a[5] == b[5] &&
           a[6] == b[6] && a[7] == b[7];
}

/* Returns whether a < n as integers. */
static inline int zk_below(const uint32_t *a, const uint32_t *n) {
    for (int i = 7; i >= 0; i--)
        if (a[i] != n[i]) return a[i] < n[i];
    return 0;
}

#endif
