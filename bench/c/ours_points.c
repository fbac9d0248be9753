/* The points of a generated header: compile with -DHEADER='"x.h"' -DPREFIX=x -DCURVE='"secp256k1"'
 * -DWHO='"efdgen, gcc"', and -DINCOMPLETE where additions are incomplete. */
#include <string.h>

#include "entry.h"
#include HEADER

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAME(name) JOIN(PREFIX, name)
#define ROW(operation) CURVE "/" operation

typedef NAME(point) point;
typedef NAME(normalized_point) normalized;

/* No formula asks whether a point is on the curve, so that any words do; these are not special. */
static void fill(point *p, normalized *q) {
    memset(p, 0x5A, sizeof *p);
    memset(q, 0x37, sizeof *q);
}

#define FILL point p; normalized q; fill(&p, &q); *r = p; OPAQUE(p); OPAQUE(q)

FORMULA(doubling, point, FILL, NAME(double)(r, r), p)
FORMULA(mixed, point, FILL, ADDITION(add_mixed)(r, r, &q), q)
FORMULA(addition, point, FILL, ADDITION(add)(r, r, &p), p)

const bench_entry bench_entries[] = {
    LATENCY_ENTRY(ROW("doubling"), doubling),
    LATENCY_ENTRY(ROW("mixed addition"), mixed),
    LATENCY_ENTRY(ROW("addition"), addition),
    {0, 0, 0, 0},
};
