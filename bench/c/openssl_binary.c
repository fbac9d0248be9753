/* OpenSSL's fields GF(2^m), points in affine coordinates, and multiplications: compile with -DCURVE='"sect163k1"'
 * -DWHO='"OpenSSL"'.
 */
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/objects.h>

#include "entry.h"

#define ROW(operation) CURVE "/" operation

enum { MOST = 8 };

typedef struct {
    BN_CTX *context;
    EC_GROUP *group;
    EC_POINT *p, *q;
    BIGNUM *a, *b, *k;
    int exponents[MOST];
} state;

/* The coordinates of the generator, and its double. */
static void fill(state *r) {
    static const uint8_t scalar[32] = BENCH_SCALAR;
    uint8_t bytes[80];
    BIGNUM *f = BN_new();
    *r = (state){BN_CTX_new(), EC_GROUP_new_by_curve_name(OBJ_sn2nid(CURVE)), NULL, NULL, BN_new(), BN_new(), NULL, {0}};
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = scalar[i % sizeof scalar];
    }
    r->k = BN_bin2bn(bytes, (BN_num_bits(EC_GROUP_get0_order(r->group)) + 7) / 8, NULL);
    BN_nnmod(r->k, r->k, EC_GROUP_get0_order(r->group), r->context);
    EC_GROUP_get_curve(r->group, f, NULL, NULL, r->context);
    BN_GF2m_poly2arr(f, r->exponents, MOST);
    BN_free(f);
    r->q = EC_POINT_dup(EC_GROUP_get0_generator(r->group), r->group);
    r->p = EC_POINT_new(r->group);
    EC_POINT_dbl(r->group, r->p, r->q, r->context);
    EC_POINT_get_affine_coordinates(r->group, r->q, r->a, r->b, r->context);
}

static void clear(state *r) {
    EC_POINT_free(r->p);
    EC_POINT_free(r->q);
    EC_GROUP_free(r->group);
    BN_free(r->a);
    BN_free(r->b);
    BN_free(r->k);
    BN_CTX_free(r->context);
}

#define STEP(NAME, STATEMENTS)               \
    static void NAME##_latency(uint64_t n) { \
        state value, *r = &value;            \
        fill(r);                             \
        for (; n; n--) {                     \
            STATEMENTS;                      \
        }                                    \
        clear(r);                            \
    }

STEP(mul, BN_GF2m_mod_mul_arr(r->a, r->a, r->b, r->exponents, r->context))
STEP(sqr, BN_GF2m_mod_sqr_arr(r->a, r->a, r->exponents, r->context))
STEP(inv, BN_GF2m_mod_inv_arr(r->a, r->a, r->exponents, r->context); BN_GF2m_add(r->a, r->a, r->b))
STEP(doubling, EC_POINT_dbl(r->group, r->p, r->p, r->context))
STEP(addition, EC_POINT_add(r->group, r->p, r->p, r->q, r->context))
STEP(variable, EC_POINT_mul(r->group, r->p, NULL, r->p, r->k, r->context))
STEP(fixed, EC_POINT_mul(r->group, r->p, r->k, NULL, NULL, r->context))
STEP(twofold, EC_POINT_mul(r->group, r->p, r->k, r->p, r->k, r->context))

const bench_entry bench_entries[] = {
    LATENCY_ENTRY(ROW("mul"), mul),
    LATENCY_ENTRY(ROW("sqr"), sqr),
    LATENCY_ENTRY(ROW("inv"), inv),
    LATENCY_ENTRY(ROW("doubling"), doubling),
    LATENCY_ENTRY(ROW("mixed addition"), addition),
    LATENCY_ENTRY(ROW("addition"), addition),
    LATENCY_ENTRY(ROW("variable base"), variable),
    LATENCY_ENTRY(ROW("fixed base"), fixed),
    LATENCY_ENTRY(ROW("double base var"), twofold),
    {0, 0, 0, 0},
};
