/* A generated curve: compile with -DHEADER='"x.h"' -DPREFIX=x -DUPPER=X -DCURVE='"secp256k1"'
 * -DWHO='"efdgen, gcc"'.
 */
#include <stddef.h>
#include <string.h>

#include "entry.h"
#include HEADER

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAME(name) JOIN(PREFIX, name)
#define SIZE(name) JOIN(UPPER, name)
#define ROW(operation) CURVE "/" operation

typedef NAME(point) point;

/* A scalar, a point, and the bytes of a point. */
typedef struct {
    point p;
    uint8_t k[SIZE(SCALAR_BYTES)];
    uint8_t bytes[SIZE(ENCODED_BYTES)];
} state;

static void fill(state *r) {
    static const uint8_t scalar[32] = BENCH_SCALAR;
    memset(r, 0, sizeof *r);
    for (size_t i = 0; i < sizeof r->k; i++) {
        r->k[i] = scalar[i % sizeof scalar];
    }
    NAME(multiply_generator)(&r->p, r->k);
    NAME(encode)(r->bytes, &r->p);
}

/* Makes the next scalar depend on the last point. */
static void after(state *r) {
    r->k[1] ^= ((const uint8_t *)&r->p)[1];
}

#define FILL fill(r)

LATENCY(variable, state, FILL, NAME(multiply)(&r->p, r->k, &r->p))
LATENCY(variable_var, state, FILL, NAME(multiply_var)(&r->p, r->k, &r->p))
LATENCY(fixed, state, FILL, NAME(multiply_generator)(&r->p, r->k); after(r))
LATENCY(double_var, state, FILL, NAME(double_multiply_var)(&r->p, r->k, r->k, &r->p))
LATENCY(encoding, state, FILL, NAME(encode)(r->bytes, &r->p); after(r))
LATENCY(decoding, state, FILL, (void)NAME(decode)(&r->p, r->bytes, sizeof r->bytes); after(r))

const bench_entry bench_entries[] = {
    LATENCY_ENTRY(ROW("variable base"), variable),
    LATENCY_ENTRY(ROW("variable base var"), variable_var),
    LATENCY_ENTRY(ROW("fixed base"), fixed),
    LATENCY_ENTRY(ROW("double base var"), double_var),
    LATENCY_ENTRY(ROW("encoding"), encoding),
    LATENCY_ENTRY(ROW("decoding"), decoding),
    {0, 0, 0, 0},
};
