/* Elements of GF(2^255 - 19) over the modular multiplication call of a zkVM: 8 words of 32 bits, least significant first.
 *
 * The prover answers the call, and only congruence is checked: an honest answer is below p, another one may be anything
 * below 2^256. A product may read such words. A sum may not, since it could wrap around, so it checks that its operands
 * are below 2^255 and halts otherwise; an honest answer always passes.
 */
#ifndef ZKVM_FIELD_H
#define ZKVM_FIELD_H

#include "words.h"

static const zk_fe zk_prime ZK_NEAR_CONST = ZK_WORDS(0x7fffffff, 0xffffffff, 0xffffffff, 0xffffffff,
                                                     0xffffffff, 0xffffffff, 0xffffffff, 0xffffffed);
static const zk_fe zk_minus_one ZK_NEAR_CONST = ZK_WORDS(0x7fffffff, 0xffffffff, 0xffffffff, 0xffffffff,
                                                         0xffffffff, 0xffffffff, 0xffffffff, 0xffffffec);
static const zk_fe zk_half ZK_NEAR_CONST = ZK_WORDS(0x3fffffff, 0xffffffff, 0xffffffff, 0xffffffff,
                                                    0xffffffff, 0xffffffff, 0xffffffff, 0xfffffff7);
static const zk_fe zk_small[5] ZK_NEAR_CONST = {{0}, {1}, {2}, {3}, {4}};
#define zk_one zk_small[1]
#define zk_two zk_small[2]

#ifndef ZK_PLAIN
/* Halved completed coordinates: x = 2 E/G, y = 2 H/F. */
typedef struct {
    zk_fe E, F, G, H;
} zk_point;

/* Entries of tables: x = X/Z, y = Y/Z, and K/Z = 4 d x y; with Z = 1; and with K left out too. */
typedef struct {
    zk_fe X, Y, K, Z;
} own_entry;

typedef struct {
    zk_fe X, Y, K;
} fixed_entry;

typedef struct {
    zk_fe X, Y;
} comb_entry;
#endif

#define zk_mul(r, a, b) zk_modmul(r, a, b, zk_prime)

/* Halt unless two words, the highest of elements, have a clear highest bit. */
static ZK_INLINE void zk_guard(uint32_t a, uint32_t b) {
    if ((int32_t)a < 0) zk_halt(ZK_NOT_REDUCED);
    if ((int32_t)b < 0) zk_halt(ZK_NOT_REDUCED);
}

/* The highest word of a - b + p, given those of a and b and the borrow; halt if the difference is negative. */
static ZK_INLINE uint32_t zk_last(uint32_t a, uint32_t b, uint32_t borrow) {
    uint32_t top = a + 0x80000000u, rest = top - b - borrow;
    if (rest > top) zk_halt(ZK_NOT_REDUCED);
    return rest;
}

/* r = a + b. */
static ZK_INLINE void zk_add(uint32_t *r, const uint32_t *a, const uint32_t *b) {
    uint32_t carry = 0;
#pragma GCC unroll 7
    for (int i = 0; i < 7; i++) {
        uint32_t x = a[i], y = b[i];
        r[i] = zk_add_word(x, y, &carry);
    }
    zk_guard(a[7], b[7]);
    r[7] = a[7] + b[7] + carry;
}

/* r = a - b + p. It is not negative: halt if b is above a + p, as no answer below p is. */
static ZK_INLINE void zk_sub(uint32_t *r, const uint32_t *a, const uint32_t *b) {
    uint32_t borrow = 19;
#pragma GCC unroll 7
    for (int i = 0; i < 7; i++) {
        uint32_t x = a[i], y = b[i];
        r[i] = zk_sub_word(x, y, &borrow);
    }
    zk_guard(a[7], b[7]);
    r[7] = zk_last(a[7], b[7], borrow);
}

/* r = a + b and s = a - b + p. */
static ZK_INLINE void zk_add_sub(uint32_t *r, uint32_t *s, const uint32_t *a, const uint32_t *b) {
    uint32_t carry = 0, borrow = 19;
#pragma GCC unroll 7
    for (int i = 0; i < 7; i++) {
        uint32_t x = a[i], y = b[i];
        r[i] = zk_add_word(x, y, &carry);
        s[i] = zk_sub_word(x, y, &borrow);
    }
    uint32_t x = a[7], y = b[7];
    zk_guard(x, y);
    r[7] = x + y + carry;
    s[7] = zk_last(x, y, borrow);
}

#endif
