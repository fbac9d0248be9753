/* A generated field: compile with -DHEADER='"x.h"' -DPREFIX=x -DFIELD='"secp256k1"' -DWHO='"efdgen, gcc"'. */
#include "entry.h"
#include HEADER

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define FE(name) JOIN(JOIN(PREFIX, fe), name)
#define ROW(operation) FIELD "/" operation

typedef JOIN(PREFIX, fe) element;

/* Two elements that are not special: 3 and the inverse of 5. */
static void fill(element *a, element *b) {
    element one;
    FE(set_one)(&one);
    FE(add)(a, &one, &one);
    FE(add)(b, a, a);
    FE(add)(b, b, &one);
    FE(inv)(b, b);
    FE(add)(a, a, &one);
}

/* Makes the next element depend on whether this one is a square. */
static inline void after_test(element *r, int is_square, const element *b) {
    element other;
    FE(neg)(&other, b);
    FE(select)(&other, is_square, b, &other);
    FE(mul)(r, r, &other);
}

#define FILL element b; fill(r, &b); OPAQUE(b)

BOTH(mul, element, FILL, FE(mul)(r, r, &b))
BOTH(sqr, element, FILL, FE(sqr)(r, r))
BOTH(add, element, FILL, FE(add)(r, r, &b))
BOTH(sub, element, FILL, FE(sub)(r, r, &b))
LATENCY(inv, element, FILL, FE(inv)(r, r); FE(add)(r, r, &b))
LATENCY(sqrt, element, FILL, (void)FE(sqrt)(r, r); FE(add)(r, r, &b))
LATENCY(is_square, element, FILL, after_test(r, FE(is_square)(r), &b))
LATENCY(is_square_var, element, FILL, after_test(r, FE(is_square_var)(r), &b))

const bench_entry bench_entries[] = {
    BOTH_ENTRIES(ROW("mul"), mul),
    BOTH_ENTRIES(ROW("sqr"), sqr),
    BOTH_ENTRIES(ROW("add"), add),
    BOTH_ENTRIES(ROW("sub"), sub),
    LATENCY_ENTRY(ROW("inv"), inv),
    LATENCY_ENTRY(ROW("sqrt"), sqrt),
    LATENCY_ENTRY(ROW("is_square"), is_square),
    LATENCY_ENTRY(ROW("is_square var"), is_square_var),
    {0, 0, 0, 0},
};
