/* A generated field: compile with -DHEADER='"x.h"' -DPREFIX=x -DFIELD='"secp256k1"' -DWHO='"efdgen, gcc"', and
 * with -DEXTENSION for the elements of GF(p^2).
 */
#include <string.h>

#include "entry.h"
#include HEADER

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#ifdef EXTENSION
typedef JOIN(PREFIX, fe2) element;
#define FE(name) JOIN(JOIN(PREFIX, fe2), name)
#define BYTES (2 * JOIN(UPPER, FE_BYTES))
#else
typedef JOIN(PREFIX, fe) element;
#define FE(name) JOIN(JOIN(PREFIX, fe), name)
#define BYTES JOIN(UPPER, FE_BYTES)
#endif
#define ROW(operation) FIELD "/" operation

/* Two elements that are not special: one whose bytes are all 1, and one more than its square. */
static void fill(element *a, element *b) {
    uint8_t bytes[BYTES];
    memset(bytes, 1, sizeof bytes);
    (void)FE(from_bytes_be)(a, bytes);
    element one;
    FE(set_one)(&one);
    FE(sqr)(b, a);
    FE(add)(b, b, &one);
}

/* Makes the next element depend on whether this one is a square. */
static inline void after_test(element *r, int is_square, const element *b) {
    element other;
    FE(neg)(&other, b);
    FE(select)(&other, b, &other, is_square);
    FE(mul)(r, r, &other);
}

#define FILL element b; fill(r, &b); OPAQUE(b)

BOTH(mul, element, FILL, FE(mul)(r, r, &b))
BOTH(sqr, element, FILL, FE(sqr)(r, r))
BOTH(add, element, FILL, FE(add)(r, r, &b))
BOTH(sub, element, FILL, FE(sub)(r, r, &b))
LATENCY(inv, element, FILL, FE(inv)(r, r); FE(add)(r, r, &b))
LATENCY(inv_var, element, FILL, FE(inv_var)(r, r); FE(add)(r, r, &b))
LATENCY(sqrt, element, FILL, (void)FE(sqrt)(r, r); FE(add)(r, r, &b))
LATENCY(is_square, element, FILL, after_test(r, FE(is_square)(r), &b))
#ifndef EXTENSION
LATENCY(is_square_var, element, FILL, after_test(r, FE(is_square_var)(r), &b))
#endif

const bench_entry bench_entries[] = {
    BOTH_ENTRIES(ROW("mul"), mul),
    BOTH_ENTRIES(ROW("sqr"), sqr),
    BOTH_ENTRIES(ROW("add"), add),
    BOTH_ENTRIES(ROW("sub"), sub),
    LATENCY_ENTRY(ROW("inv"), inv),
    LATENCY_ENTRY(ROW("inv var"), inv_var),
    LATENCY_ENTRY(ROW("sqrt"), sqrt),
    LATENCY_ENTRY(ROW("is_square"), is_square),
#ifndef EXTENSION
    LATENCY_ENTRY(ROW("is_square var"), is_square_var),
#endif
    {0, 0, 0, 0},
};
