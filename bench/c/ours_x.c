/* A generated Montgomery curve: compile with -DHEADER='"x.h"' -DPREFIX=x -DUPPER=X -DCURVE='"Curve25519/X25519"'
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

typedef struct {
    uint8_t x[SIZE(SCALAR_BYTES)], k[SIZE(SCALAR_BYTES)];
} state;

/* Multiplies as RFC 7748 does, from bytes to bytes. */
static void exchange(state *r) {
    JOIN(PREFIX, fe) x;
    (void)NAME(fe_from_bytes_le)(&x, r->x);
    NAME(x_multiply)(&x, r->k, &x);
    NAME(fe_to_bytes_le)(r->x, &x);
}

LATENCY(exchange, state, memset(r->x, 9, sizeof r->x); memset(r->k, 0x5A, sizeof r->k), exchange(r))

const bench_entry bench_entries[] = {LATENCY_ENTRY(ROW, exchange), {0, 0, 0, 0}};
