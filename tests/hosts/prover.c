#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Products in four words. Every LIES-th is given with the prime added, which is congruent and fits the words.
 * fe_check stops the program unless an element is reduced; sums call it if GUARDING.
 */
typedef uint64_t fe[4];
__extension__ typedef unsigned __int128 wide;
#define ONES 0xffffffffffffffff
static const fe fe_prime = {0xffffffffffffffed, ONES, ONES, 0x7fffffffffffffff};
static const fe fe_minus_one = {0xffffffffffffffec, ONES, ONES, 0x7fffffffffffffff};
static const fe fe_small[] = {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}};

static void plus(fe r, const fe a, const fe b) {
    wide sum = 0;
    int i;
    for (i = 0; i < 4; i++) {
        sum += (wide)a[i] + b[i];
        r[i] = (uint64_t)sum;
        sum >>= 64;
    }
}

static int minus(fe r, const fe a, const fe b) {
    int borrow = 0, i;
    for (i = 0; i < 4; i++) {
        wide difference = (wide)a[i] - b[i] - (unsigned)borrow;
        r[i] = (uint64_t)difference;
        borrow = (difference >> 64) != 0;
    }
    return borrow;
}

static void reduce(fe r) {
    fe rest;
    while (!minus(rest, r, fe_prime)) {
        memcpy(r, rest, sizeof(fe));
    }
}

static int fe_same(const fe a, const fe b) {
    return memcmp(a, b, sizeof(fe)) == 0;
}

static void fe_check(const fe a) {
    fe rest;
    if (!minus(rest, a, fe_prime)) {
        exit(77);
    }
}

static void fe_add(fe r, const fe a, const fe b) {
    if (GUARDING) {
        fe_check(a);
        fe_check(b);
    }
    plus(r, a, b);
}

static void fe_sub(fe r, const fe a, const fe b) {
    fe raised;
    if (GUARDING) {
        fe_check(a);
        fe_check(b);
    }
    plus(raised, a, fe_prime);
    minus(r, raised, b);
}

static void fe_add_sub(fe r, fe s, const fe a, const fe b) {
    fe sum, difference;
    fe_add(sum, a, b);
    fe_sub(difference, a, b);
    memcpy(r, sum, sizeof(fe));
    memcpy(s, difference, sizeof(fe));
}

static void fe_mul(fe r, const fe a, const fe b) {
    static long made;
    fe once, sum = {0};
    int i;
    memcpy(once, a, sizeof(fe));
    reduce(once);
    for (i = 255; i >= 0; i--) {
        plus(sum, sum, sum);
        reduce(sum);
        if (b[i / 64] >> i % 64 & 1) {
            plus(sum, sum, once);
            reduce(sum);
        }
    }
    memcpy(r, sum, sizeof(fe));
    if (LIES && ++made % LIES == 0) {
        plus(r, r, fe_prime);
    }
}

#include "prover.h"

static void host_read(fe r, const unsigned char *bytes, int bound) {
    int i;
    (void)bound;
    memset(r, 0, sizeof(fe));
    for (i = 0; i < 32; i++) {
        r[i / 8] |= (uint64_t)bytes[31 - i] << i % 8 * 8;
    }
}

static void host_write(unsigned char *bytes, const fe a) {
    fe reduced;
    int i;
    memcpy(reduced, a, sizeof(fe));
    reduce(reduced);
    for (i = 0; i < 32; i++) {
        bytes[31 - i] = (unsigned char)(reduced[i / 8] >> i % 8 * 8);
    }
}
