/* a G + b Q for fixed G and Q: a comb of 8 teeth, 32 bits apart, with digits of 1 and -1, and 128 entries for each point.
 *
 * k = sum of e_i 2^i for e_i in {1, -1} has the binary digits of (k + 2^256 - 1)/2 modulo L, with 1 for 1 and 0 for -1;
 * tooth t is word t of that number. The host gives the affine sum, which is checked.
 */
#include "curve.h"

enum { SPACING = 32, ENTRIES = 128 };

ZK_IO struct {
    uint32_t a[8], b[8];
    uint32_t r[16];
} io;

/* Exchange the bits of a that a mask selects, shifted, with those of b. */
static ZK_INLINE void exchange(uint32_t *a, uint32_t *b, uint32_t mask, int shift) {
    uint32_t difference = (*a >> shift ^ *b) & mask;
    *b ^= difference;
    *a ^= difference << shift;
}

/* Transpose 8 words as four matrices of 8 x 8 bits: bit t of byte 4(i mod 8) + i/8 was bit i of word t. */
ZK_FUNCTION void transpose(uint32_t *w) {
    for (int i = 0; i < 4; i++) exchange(&w[i], &w[i + 4], 0x0f0f0f0f, 4);
    for (int i = 0; i < 8; i += i % 4 == 1 ? 3 : 1) exchange(&w[i], &w[i + 2], 0x33333333, 2);
    for (int i = 0; i < 8; i += 2) exchange(&w[i], &w[i + 1], 0x55555555, 1);
}

/* Add or subtract what a column of a scalar selects: entries have 1 for the highest tooth. */
ZK_FUNCTION void add_column(uint32_t column, const comb_entry *table, int32_t *sign) {
    int32_t wanted = 1;
    if (column < ENTRIES) {
        column = ~column;
        wanted = -1;
    }
    if (*sign != wanted) {
        negate();
        *sign = wanted;
    }
    const comb_entry *entry = &table[column % ENTRIES];
    zk_add_affine(&sum, &sum, entry->X, entry->Y);
}

/* Write the columns of k's digits. */
static void digits(uint32_t *words, const uint32_t *k) {
    zk_modmul(words, k, half, order);
    zk_add(words, words, half_of_ones);
    transpose(words);
}

ZK_FUNCTION void multiply(void) {
    static uint32_t a[8] ZK_NEAR, b[8] ZK_NEAR;
    static zk_fe left ZK_NEAR, right ZK_NEAR;
    int32_t sign = 1;
    digits(a, io.a);
    digits(b, io.b);
    set_identity();
    for (int i = SPACING - 1;; i--) {
        int place = 4 * (i % 8) + i / 8;
        add_column(((const uint8_t *)a)[place], comb_g, &sign);
        add_column(((const uint8_t *)b)[place], comb_q, &sign);
        if (i == 0) break;
        zk_double(&sum, &sum);
    }
    if (sign < 0) negate();
    /* x G = 2 E and y F = 2 H */
    if (!zk_below(io.r, zk_prime) || !zk_below(io.r + 8, zk_prime)) zk_halt(ZK_BAD_POINT);
    zk_mul(left, io.r, sum.G);
    zk_mul(right, sum.E, zk_two);
    if (!zk_same(left, right)) zk_halt(ZK_WRONG_RESULT);
    zk_mul(left, io.r + 8, sum.F);
    zk_mul(right, sum.H, zk_two);
    if (!zk_same(left, right)) zk_halt(ZK_WRONG_RESULT);
}

/* Twice: tables are read into memory the first time. */
int guest(void) {
    multiply();
    zk_mark(1);
    multiply();
    zk_mark(2);
    return 0;
}
