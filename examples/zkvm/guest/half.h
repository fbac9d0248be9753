/* Check that R = a G + b Q for G fixed and Q any point of the curve, at half length.
 *
 * The host gives R and a schedule: doublings and additions of small multiples of Q, R, G and 2^127 G, after which the sum
 * is the identity. The guest follows it and adds up the coefficients: c_R R + c_Q Q + c_G G = 0. Whatever the host says,
 * the guest knows what it added. Then it checks that
 *     c_R is invertible modulo 8L,    c_Q + c_R b = 0 modulo 8L,    c_G + c_R a = 0 modulo L.
 * So c_R (R - a G - b Q) = 0. The orders of all points of the curve divide 8L, hence R = a G + b Q.
 */
#ifndef ZKVM_HALF_H
#define ZKVM_HALF_H

#ifdef ZK_PLAIN
#include "plain.h"
#else
#include "curve.h"
#endif

enum { COLUMNS = 17 };
#include "columns.h"

/* A point whose multiples are added: R, Q, G, 2^127 G; its coefficient is a sum of 16-bit columns. */
enum { OF_R, OF_Q, OF_G, OF_UPPER_G, POINTS };

/* An operation of the schedule: whether it takes the guest's own table, negates the sum first, and an index. */
enum { OWN = 0x80, NEGATE = 0x40, END = 0xff };

/* The host's input beside R; no column overflows, since 256 operations add less than 2^20 each. */
typedef struct {
    uint32_t inverse[8]; /* of c_R modulo 8L */
#ifdef ZK_PLAIN
    uint32_t quotients[8][8]; /* of the products modulo 8L and L */
#endif
    uint8_t schedule[512]; /* a number of doublings and an operation, in turns; at first the position to begin at */
} half_hints;

static int32_t columns[POINTS][COLUMNS] ZK_NEAR;
static own_entry own[2 * OWN_MULTIPLES] ZK_OWN;

/* Follow the schedule: sum and columns are what was added. */
static void follow(const half_hints *hints) {
    const uint8_t *next = hints->schedule, *end = next + sizeof hints->schedule;
    uint32_t position = next[0] + next[1];
    int32_t sign = 1; /* sum is sign times what was added */
    set_identity();
    for (next += 2; next < end; next += 2) {
        uint32_t doublings = next[0], operation = next[1], index;
        position -= doublings;
        double_sum(doublings);
        if (operation == END) {
            if (position != 0) break;
            return;
        }
        if (position >= COLUMNS * COLUMN_BITS) break;
        if (operation & NEGATE) {
            negate();
            sign = -sign;
        }
        int32_t *column = &columns[0][position / COLUMN_BITS], digit;
        if (operation & OWN) {
            index = operation % (2 * OWN_MULTIPLES);
            column += index / OWN_MULTIPLES * COLUMNS;
            digit = 2 * (int32_t)(index % OWN_MULTIPLES) + 1;
            add_own(&own[index]);
        } else {
            index = operation % (2 * FIXED_MULTIPLES);
            column += (OF_G + index / FIXED_MULTIPLES) * COLUMNS;
            digit = 2 * (int32_t)(index % FIXED_MULTIPLES) + 1;
            add_fixed(&fixed[index]);
        }
        *column += sign * digit * (1 << position % COLUMN_BITS);
    }
    zk_halt(ZK_BAD_SCHEDULE);
}

/* Check the coefficients; all products are modulo 8L or L. */
static void check_coefficients(const uint32_t *a, const uint32_t *b, const uint32_t *inverse) {
    static zk_fe r ZK_NEAR, q ZK_NEAR, left ZK_NEAR, right ZK_NEAR;
    coefficient(r, columns[OF_R], order_8);
    coefficient(q, columns[OF_Q], order_8);
    zk_modmul(left, r, inverse, order_8);
    if (!zk_same(left, zk_one)) zk_halt(ZK_NOT_INVERTIBLE);

    zk_modmul(left, r, b, order_8);
    zk_modmul(right, q, order_8_minus_1, order_8);
    if (!zk_same(left, right)) zk_halt(ZK_WRONG_Q);

    zk_modmul(left, r, zk_one, order);
    zk_modmul(left, left, a, order);
    coefficient(q, columns[OF_G], order_8);
    coefficient(r, columns[OF_UPPER_G], order_8);
    zk_modmul(q, q, order_minus_1, order);
    zk_modmul(r, r, minus_2_127, order);
    zk_add(right, q, r);
    zk_modmul(right, right, zk_one, order);
    if (!zk_same(left, right)) zk_halt(ZK_WRONG_G);
}

/* Halt unless R = a G + b Q; points are x and y. A scalar is any number of 256 bits. */
static void check_sum(const uint32_t *a, const uint32_t *b, const uint32_t *q, const uint32_t *r,
                      const half_hints *hints) {
    if (!is_point(q, q + 8) || !is_point(r, r + 8)) zk_halt(ZK_BAD_POINT);
    odd_multiples(own, r, r + 8, OWN_MULTIPLES);
    odd_multiples(own + OWN_MULTIPLES, q, q + 8, OWN_MULTIPLES);
    follow(hints);
    if (!is_identity()) zk_halt(ZK_NOT_IDENTITY);
#ifdef ZK_PLAIN
    quotient = hints->quotients[0];
#endif
    check_coefficients(a, b, hints->inverse);
}

#endif
