/* GMP, what a general library of integers does, with one prime: compile with -DPRIME='"7FFF…"' in hexadecimal,
 * -DFIELD='"2^255-19"' and -DWHO='"GMP"'. Not constant time.
 */
#include <gmp.h>

#include "entry.h"

#define ROW(operation) FIELD "/" operation

typedef struct {
    mpz_t p, a, b, t;
} numbers;

/* 3 and the inverse of 5. */
static void fill(numbers *r) {
    mpz_init_set_str(r->p, PRIME, 16);
    mpz_init_set_ui(r->a, 3);
    mpz_init_set_ui(r->b, 5);
    mpz_init2(r->t, 2048);
    mpz_invert(r->b, r->b, r->p);
}

#define STEP(NAME, STATEMENTS)               \
    static void NAME##_latency(uint64_t n) { \
        numbers value, *r = &value;          \
        fill(r);                             \
        for (; n; n--) {                     \
            STATEMENTS;                      \
        }                                    \
        mpz_clears(r->p, r->a, r->b, r->t, NULL); \
    }

STEP(mul, mpz_mul(r->t, r->a, r->b); mpz_mod(r->a, r->t, r->p))
STEP(sqr, mpz_mul(r->t, r->a, r->a); mpz_mod(r->a, r->t, r->p))
STEP(inv, mpz_invert(r->a, r->a, r->p); mpz_add_ui(r->a, r->a, 1))
STEP(is_square, mpz_add_ui(r->a, r->a, 4 + (unsigned long)mpz_legendre(r->a, r->p)); mpz_mul(r->t, r->a, r->b);
     mpz_mod(r->a, r->t, r->p))

const bench_entry bench_entries[] = {
    LATENCY_ENTRY(ROW("mul"), mul),
    LATENCY_ENTRY(ROW("sqr"), sqr),
    LATENCY_ENTRY(ROW("inv var"), inv),
    LATENCY_ENTRY(ROW("is_square var"), is_square),
    {0, 0, 0, 0},
};
