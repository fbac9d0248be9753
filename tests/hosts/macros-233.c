/* GF(2^233) by OpenSSL: an element is its bytes, the most significant first. */
#include <stdlib.h>
#include <string.h>

#include <openssl/bn.h>

#define BYTES 30

typedef struct {
    unsigned char bytes[BYTES];
} FE;

static const int modulus[] = {233, 74, 0, -1};

typedef int operation(BIGNUM *r, const BIGNUM *a, const BIGNUM *b, BN_CTX *context);

static int mul(BIGNUM *r, const BIGNUM *a, const BIGNUM *b, BN_CTX *context) {
    return BN_GF2m_mod_mul_arr(r, a, b, modulus, context);
}

static int add(BIGNUM *r, const BIGNUM *a, const BIGNUM *b, BN_CTX *context) {
    (void)context;
    return BN_GF2m_add(r, a, b);
}

static int inv(BIGNUM *r, const BIGNUM *a, const BIGNUM *b, BN_CTX *context) {
    (void)b;
    /* The inverse of 0 is 0. */
    return BN_is_zero(a) || BN_GF2m_mod_inv_arr(r, a, modulus, context);
}

static void compute(FE *r, operation *op, const FE *a, const FE *b) {
    BN_CTX *context = BN_CTX_new();
    BIGNUM *x = BN_bin2bn(a->bytes, BYTES, NULL), *y = BN_bin2bn(b->bytes, BYTES, NULL);
    if (!op(x, x, y, context) || BN_bn2binpad(x, r->bytes, BYTES) != BYTES) {
        abort();
    }
    BN_free(x);
    BN_free(y);
    BN_CTX_free(context);
}

#define FE_MUL(r, a, b) compute(r, mul, a, b)
#define FE_SQR(r, a) compute(r, mul, a, a)
#define FE_ADD(r, a, b) compute(r, add, a, b)
#define FE_SUB(r, a, b) compute(r, add, a, b)
#define FE_NEG(r, a) (*(r) = *(a))
#define FE_COPY(r, a) (*(r) = *(a))
#define FE_INV(r, a) compute(r, inv, a, a)
#define FE_EQUAL(a, b) (memcmp((a)->bytes, (b)->bytes, BYTES) == 0)

#include "point.h"

static void host_read(FE *r, const unsigned char *bytes, int bound) {
    (void)bound;
    memcpy(r->bytes, bytes, BYTES);
}

static void host_write(unsigned char *bytes, const FE *a) {
    memcpy(bytes, a->bytes, BYTES);
}
