/* The answer of a call of 256-bit modular multiplication, on words of 32 bits, least significant first. */
#include "machine.h"

#include <string.h>

enum { WORDS = 8 };

/* r = a + b; return the carry. */
static uint32_t add(uint32_t r[WORDS], const uint32_t a[WORDS], const uint32_t b[WORDS])
{
    uint64_t sum = 0;
    for (int i = 0; i < WORDS; i++) {
        sum = (sum >> 32) + a[i] + b[i];
        r[i] = (uint32_t)sum;
    }
    return (uint32_t)(sum >> 32);
}

/* r = a - b; return the borrow. */
static uint32_t subtract(uint32_t r[WORDS], const uint32_t a[WORDS], const uint32_t b[WORDS])
{
    uint64_t difference = 0;
    for (int i = 0; i < WORDS; i++) {
        difference = (uint64_t)a[i] - b[i] - (difference >> 63);
        r[i] = (uint32_t)difference;
    }
    return (uint32_t)(difference >> 63);
}

static void multiply(uint32_t r[2 * WORDS], const uint32_t a[WORDS], const uint32_t b[WORDS])
{
    memset(r, 0, 2 * WORDS * sizeof *r);
    for (int i = 0; i < WORDS; i++) {
        uint64_t sum = 0;
        for (int j = 0; j < WORDS; j++) {
            sum = (sum >> 32) + (uint64_t)a[i] * b[j] + r[i + j];
            r[i + j] = (uint32_t)sum;
        }
        r[i + WORDS] = (uint32_t)(sum >> 32);
    }
}

/* r = a mod n for n > 0, bit by bit; return whether the quotient has more than 256 bits. */
static int reduce(uint32_t r[WORDS], const uint32_t *a, int words, const uint32_t n[WORDS])
{
    uint32_t difference[WORDS];
    int wide = 0;
    memset(r, 0, WORDS * sizeof *r);
    for (int bit = 32 * words - 1; bit >= 0; bit--) {
        const uint32_t carry = add(r, r, r);
        r[0] |= a[bit / 32] >> bit % 32 & 1;
        if (!subtract(difference, r, n) || carry) {
            memcpy(r, difference, sizeof difference);
            wide |= bit >= 32 * WORDS;
        }
    }
    return wide;
}

int modular_product(uint32_t r[8], const uint32_t x[8], const uint32_t y[8], const uint32_t n[8],
                    const uint32_t *ceiling)
{
    static const uint32_t zero[2 * WORDS];
    uint32_t product[2 * WORDS], rest[WORDS], multiple[WORDS];
    multiply(product, x, y);
    if (!memcmp(n, zero, sizeof rest)) {
        memcpy(r, product, sizeof rest);
        return memcmp(product + WORDS, zero, sizeof rest) != 0;
    }
    const int wide = reduce(r, product, 2 * WORDS, n);
    if (ceiling) {
        reduce(rest, ceiling, WORDS, n);
        subtract(multiple, ceiling, rest); /* the largest multiple of n up to ceiling */
        if (add(r, r, multiple))
            subtract(r, r, n);
    }
    return wide;
}
