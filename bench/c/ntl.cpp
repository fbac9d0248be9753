/* NTL's polynomials over GF(2), modulo one: compile with -DEXPONENTS='163, 7, 6, 3, 0' -DCURVE='"sect163k1"'
 * -DWHO='"NTL"'.
 */
#include <NTL/GF2X.h>

#include "entry.h"

#define ROW(operation) CURVE "/" operation

struct state {
    NTL::GF2XModulus modulus;
    NTL::GF2X a, b;

    state() {
        NTL::GF2X f;
        for (long exponent : {EXPONENTS}) {
            SetCoeff(f, exponent);
        }
        build(modulus, f);
        random(a, deg(f));
        random(b, deg(f));
    }
};

#define STEP(NAME, STATEMENTS)               \
    static void NAME##_latency(uint64_t n) { \
        state value, *r = &value;            \
        for (; n; n--) {                     \
            STATEMENTS;                      \
        }                                    \
        OPAQUE(*r);                          \
    }

STEP(mul, MulMod(r->a, r->a, r->b, r->modulus))
STEP(sqr, SqrMod(r->a, r->a, r->modulus))
STEP(inv, InvMod(r->a, r->a, r->modulus); r->a += r->b)

extern const bench_entry bench_entries[] = {
    LATENCY_ENTRY(ROW("mul"), mul),
    LATENCY_ENTRY(ROW("sqr"), sqr),
    LATENCY_ENTRY(ROW("inv"), inv),
    {0, 0, 0, 0},
};
