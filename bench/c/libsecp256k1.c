/* libsecp256k1, as the crate secp256k1-sys carries it, names as the library has them; inner functions,
 * included as its own benchmarks do. Compile with -DWHO='"libsecp256k1 5x52, gcc"'.
 */

#include "entry.h"

#define SECP256K1_BUILD
#include "secp256k1.c"

#define FILL secp256k1_fe b; fill(r, &b); OPAQUE(b)

static void fill(secp256k1_fe *a, secp256k1_fe *b) {
    secp256k1_fe_set_int(a, 3);
    secp256k1_fe_set_int(b, 5);
    secp256k1_fe_inv_var(b, b);
    secp256k1_fe_normalize(b);
}

BOTH(mul, secp256k1_fe, FILL, secp256k1_fe_mul(r, r, &b))
BOTH(sqr, secp256k1_fe, FILL, secp256k1_fe_sqr(r, r))
BOTH(add, secp256k1_fe, FILL, secp256k1_fe_add(r, &b); secp256k1_fe_normalize_weak(r))
LATENCY(inv, secp256k1_fe, FILL, secp256k1_fe_inv(r, r); secp256k1_fe_add(r, &b))
LATENCY(inv_var, secp256k1_fe, FILL, secp256k1_fe_inv_var(r, r); secp256k1_fe_add(r, &b))
LATENCY(sqrt, secp256k1_fe, FILL, secp256k1_fe t = *r; (void)!secp256k1_fe_sqrt(r, &t))
LATENCY(is_square_var, secp256k1_fe, FILL,
        secp256k1_fe_add_int(r, secp256k1_fe_is_square_var(r)); secp256k1_fe_add(r, &b); secp256k1_fe_normalize(r))

#define FILL_POINTS                                   \
    secp256k1_ge q = secp256k1_ge_const_g;            \
    secp256k1_gej p;                                  \
    secp256k1_gej_set_ge(&p, &q);                     \
    secp256k1_gej_double_var(&p, &p, NULL);           \
    secp256k1_gej_double_var(r, &p, NULL);            \
    secp256k1_gej_add_var(&p, &p, r, NULL);           \
    OPAQUE(p);                                        \
    OPAQUE(q)

FORMULA(doubling, secp256k1_gej, FILL_POINTS; (void)q, secp256k1_gej_double(r, r), p)
FORMULA(mixed, secp256k1_gej, FILL_POINTS, secp256k1_gej_add_ge_var(r, r, &q, NULL), q)
FORMULA(addition, secp256k1_gej, FILL_POINTS; (void)q, secp256k1_gej_add_var(r, r, &p, NULL), p)

#define FILL_SCALAR                                   \
    FILL_POINTS;                                      \
    secp256k1_ge t;                                   \
    secp256k1_scalar k;                               \
    static const uint8_t bytes[32] = BENCH_SCALAR;    \
    secp256k1_scalar_set_b32(&k, bytes, NULL);        \
    OPAQUE(k);                                        \
    (void)p; (void)q; (void)t

#define AFFINE secp256k1_ge_set_gej_var(&t, r)
LATENCY(variable, secp256k1_gej, FILL_SCALAR, AFFINE; secp256k1_ecmult_const(r, &t, &k))
LATENCY(variable_var, secp256k1_gej, FILL_SCALAR, secp256k1_ecmult(r, r, &k, NULL))
LATENCY(double_var, secp256k1_gej, FILL_SCALAR, secp256k1_ecmult(r, r, &k, &k))

static secp256k1_ecmult_gen_context generator;
static void __attribute__((constructor)) build(void) {
    secp256k1_hash_ctx hash;
    secp256k1_hash_ctx_init(&hash);
    secp256k1_ecmult_gen_context_build(&generator, &hash);
}
LATENCY(fixed, secp256k1_gej, FILL_SCALAR,
        k.d[0] ^= r->x.n[0]; secp256k1_scalar_reduce(&k, 0); secp256k1_ecmult_gen_gej(&generator, r, &k))

const bench_entry bench_entries[] = {
    BOTH_ENTRIES("secp256k1/mul", mul),
    BOTH_ENTRIES("secp256k1/sqr", sqr),
    BOTH_ENTRIES("secp256k1/add", add),
    LATENCY_ENTRY("secp256k1/inv", inv),
    LATENCY_ENTRY("secp256k1/inv var", inv_var),
    LATENCY_ENTRY("secp256k1/sqrt", sqrt),
    LATENCY_ENTRY("secp256k1/is_square var", is_square_var),
    LATENCY_ENTRY("secp256k1/doubling", doubling),
    LATENCY_ENTRY("secp256k1/mixed addition", mixed),
    LATENCY_ENTRY("secp256k1/addition", addition),
    LATENCY_ENTRY("secp256k1/variable base", variable),
    LATENCY_ENTRY("secp256k1/variable base var", variable_var),
    LATENCY_ENTRY("secp256k1/double base var", double_var),
    LATENCY_ENTRY("secp256k1/fixed base", fixed),
    {0, 0, 0, 0},
};
