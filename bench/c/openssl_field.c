/* OpenSSL's big numbers, with one prime, in Montgomery form: compile with -DPRIME='"7FFF…"' in hexadecimal,
 * -DFIELD='"2^255-19"' and -DWHO='"OpenSSL"'. Additions and square roots are not constant time.
 */
#include <openssl/bn.h>

#include "entry.h"

#define ROW(operation) FIELD "/" operation

typedef struct {
    BN_CTX *context;
    BN_MONT_CTX *montgomery;
    BIGNUM *p, *a, *b;
} numbers;

/* 3 and the inverse of 5. */
static void fill(numbers *r) {
    *r = (numbers){BN_CTX_new(), BN_MONT_CTX_new(), NULL, BN_new(), BN_new()};
    BN_hex2bn(&r->p, PRIME);
    BN_MONT_CTX_set(r->montgomery, r->p, r->context);
    BN_set_word(r->a, 3);
    BN_set_word(r->b, 5);
    BN_mod_inverse(r->b, r->b, r->p, r->context);
}

static void clear(numbers *r) {
    BN_free(r->p);
    BN_free(r->a);
    BN_free(r->b);
    BN_MONT_CTX_free(r->montgomery);
    BN_CTX_free(r->context);
}

#define STEP(NAME, STATEMENTS)               \
    static void NAME##_latency(uint64_t n) { \
        numbers value, *r = &value;          \
        fill(r);                             \
        for (; n; n--) {                     \
            STATEMENTS;                      \
        }                                    \
        clear(r);                            \
    }

STEP(mul, BN_mod_mul_montgomery(r->a, r->a, r->b, r->montgomery, r->context))
STEP(sqr, BN_mod_mul_montgomery(r->a, r->a, r->a, r->montgomery, r->context))
STEP(add, BN_mod_add_quick(r->a, r->a, r->b, r->p))
STEP(sub, BN_mod_sub_quick(r->a, r->a, r->b, r->p))
STEP(inv, BN_mod_inverse(r->a, r->a, r->p, r->context); BN_add_word(r->a, 1))
STEP(sqrt, BN_mod_sqr(r->a, r->a, r->p, r->context); BN_mod_sqrt(r->a, r->a, r->p, r->context);
     BN_mod_add_quick(r->a, r->a, r->b, r->p))

const bench_entry bench_entries[] = {
    LATENCY_ENTRY(ROW("mul"), mul),
    LATENCY_ENTRY(ROW("sqr"), sqr),
    LATENCY_ENTRY(ROW("add"), add),
    LATENCY_ENTRY(ROW("sub"), sub),
    LATENCY_ENTRY(ROW("inv var"), inv),
    LATENCY_ENTRY(ROW("sqrt"), sqrt),
    {0, 0, 0, 0},
};
