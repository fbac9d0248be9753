/* A field GF(2^m): compile with -DHEADER='"x.h"' -DPREFIX=x -DCURVE='"sect163k1"' -DWHO='"efdgen, gcc"', and
 * for a curve over it with -DLADDER_HEADER='"y.h"' -DLADDER=y, and -DINCOMPLETE where additions are incomplete. Points
 * of the second header are x-coordinates alone.
 */
#include <string.h>

#include "entry.h"
#include HEADER

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAME(name) JOIN(PREFIX, name)
#define FE(name) JOIN(JOIN(PREFIX, fe), name)
#define ROW(operation) CURVE "/" operation

typedef JOIN(PREFIX, fe) element;

/* Fills elements below the degree, for every degree. */
static void fill_element(element *a, element *b) {
    memset(a, 0, sizeof *a);
    memset(a, 0x5A, sizeof *a / 2);
    FE(sqr)(b, a);
}

#define FILL element b; fill_element(r, &b); OPAQUE(b)
BOTH(mul, element, FILL, FE(mul)(r, r, &b))
BOTH(sqr, element, FILL, FE(sqr)(r, r))
LATENCY(inv, element, FILL, FE(inv)(r, r); FE(add)(r, r, &b))

#ifdef LADDER
#include LADDER_HEADER

#define STEP(name) JOIN(LADDER, name)
typedef NAME(point) point;
typedef NAME(normalized_point) normalized;
typedef STEP(point) only_x;

static void fill_points(point *p, normalized *q) {
    element a, b;
    fill_element(&a, &b);
    p->X = q->X = a;
    p->Y = q->Y = b;
    FE(mul)(&p->Z, &a, &b);
}

#define FILL_POINTS point p; normalized q; fill_points(&p, &q); *r = p; OPAQUE(p); OPAQUE(q)
FORMULA(doubling, point, FILL_POINTS, NAME(double)(r, r), p)
FORMULA(mixed, point, FILL_POINTS, ADDITION(add_mixed)(r, r, &q), q)
FORMULA(addition, point, FILL_POINTS, ADDITION(add)(r, r, &p), p)

static void step_latency(uint64_t n) {
    only_x one, low, high, doubled, added;
    element b;
    fill_element((element *)&one.X, &b);
    memcpy(&one.Z, &b, sizeof b);
    low = high = one;
    OPAQUE(one);
    for (; n; n--) {
        STEP(ladder_step)(&doubled, &added, &one, &low, &high);
        low = doubled;
        high = added;
        OPAQUE(low);
        OPAQUE(high);
    }
}
#endif

const bench_entry bench_entries[] = {
    BOTH_ENTRIES(ROW("mul"), mul),
    BOTH_ENTRIES(ROW("sqr"), sqr),
    LATENCY_ENTRY(ROW("inv"), inv),
#ifdef LADDER
    LATENCY_ENTRY(ROW("doubling"), doubling),
    LATENCY_ENTRY(ROW("mixed addition"), mixed),
    LATENCY_ENTRY(ROW("addition"), addition),
    LATENCY_ENTRY(ROW("ladder step"), step),
#endif
    {0, 0, 0, 0},
};
