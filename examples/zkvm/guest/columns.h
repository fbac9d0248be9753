/* Coefficients of points: sums of digits, in columns of 16 bits, of which there is an odd number, COLUMNS. */
#ifndef ZKVM_COLUMNS_H
#define ZKVM_COLUMNS_H

#include "words.h"

enum { COLUMN_BITS = 16 };

/* r = the sum of column[i] 2^(16 i), plus n if it is negative; halt if that does not fit 256 bits. */
static void coefficient(uint32_t *r, const int32_t *column, const uint32_t *n) {
    int32_t carry = 0;
    for (int i = 0; i < COLUMNS / 2; i++) {
        int32_t low = column[2 * i] + carry, high = column[2 * i + 1] + (low >> COLUMN_BITS);
        r[i] = ((uint32_t)low & 0xffff) + ((uint32_t)high << COLUMN_BITS);
        carry = high >> COLUMN_BITS;
    }
    carry += column[COLUMNS - 1];
    for (int i = COLUMNS / 2; i < 8; i++) {
        r[i] = (uint32_t)carry;
        carry = carry < 0 ? -1 : 0;
    }
    if (carry < 0) {
        uint32_t wrapped = 0;
        for (int i = 0; i < 8; i++) r[i] = zk_add_word(r[i], n[i], &wrapped);
        carry += (int32_t)wrapped;
    }
    if (carry != 0) zk_halt(ZK_OUT_OF_RANGE);
}

#endif
