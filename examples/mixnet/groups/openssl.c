/* Integers modulo a prime by OpenSSL. Factors are prepared in Montgomery's form, so that each takes one product. */
#include <openssl/bn.h>

#include "common.h"
#include "group.h"
#include "integers.h"

static BIGNUM *prime, *left, *right, *corrections[MOST_FACTORS + 1];
static BN_CTX *context;
static BN_MONT_CTX *montgomery;

static void need(int done) {
    if (!done) {
        die("OpenSSL fails");
    }
}

static void give(BIGNUM *to, const integer *a) {
    need(BN_lebin2bn((const unsigned char *)a->word, BYTES, to) != NULL);
}

static void take(integer *r, const BIGNUM *from) {
    need(BN_bn2lebinpad(from, (unsigned char *)r->word, BYTES) == BYTES);
}

/* corrections[i] is R^(i + 1), which undoes i products of numbers that are not in Montgomery's form. */
static void start(const integer *modulus) {
    prime = BN_new();
    left = BN_new();
    right = BN_new();
    context = BN_CTX_new();
    montgomery = BN_MONT_CTX_new();
    need(prime && left && right && context && montgomery);
    give(prime, modulus);
    need(BN_MONT_CTX_set(montgomery, prime, context));
    need(BN_one(left));
    for (int i = 0; i <= MOST_FACTORS; i++) {
        need(BN_to_montgomery(left, left, montgomery, context));
        need((corrections[i] = BN_dup(left)) != NULL);
    }
}

static void scaled(integer *r, const integer *p, const integer *const *factors, size_t count) {
    give(left, p);
    for (size_t i = 0; i < count; i++) {
        give(right, factors[i]);
        need(BN_mod_mul_montgomery(left, left, right, montgomery, context));
    }
    take(r, left);
}

static void product(integer *r, const integer *p, const integer *const *others, size_t count) {
    give(left, p);
    for (size_t i = 0; i < count; i++) {
        give(right, others[i]);
        need(BN_mod_mul_montgomery(left, left, right, montgomery, context));
    }
    need(BN_mod_mul_montgomery(left, left, corrections[count], montgomery, context));
    take(r, left);
}

static void prepare(integer *r, const integer *p) {
    give(left, p);
    need(BN_to_montgomery(left, left, montgomery, context));
    take(r, left);
}

static void power(integer *r, const integer *p, const integer *exponent) {
    give(left, p);
    give(right, exponent);
    BN_set_flags(right, BN_FLG_CONSTTIME);
    need(BN_mod_exp_mont_consttime(left, left, right, prime, context, montgomery));
    take(r, left);
}

static void inverse(integer *r, const integer *p) {
    give(left, p);
    need(BN_mod_inverse(left, left, prime, context) != NULL);
    take(r, left);
}

static int is_square(const integer *p) {
    give(left, p);
    return BN_kronecker(left, prime, context) == 1;
}

static const arithmetic openssl = {start, product, scaled, prepare, power, inverse, is_square};

static void plain(void) {
    choose_integers(&openssl, (shortcuts){0, 0});
}

static void short_exponents(void) {
    choose_integers(&openssl, (shortcuts){1, 0});
}

static void both(void) {
    choose_integers(&openssl, (shortcuts){1, 1});
}

const choice openssl_choices[] = {
    {"openssl", &integer_group, &integer_correspondents, plain},
    {"openssl-short", &integer_group, &integer_correspondents, short_exponents},
    {"openssl-short-tables", &integer_group, &integer_correspondents, both},
    {NULL, NULL, NULL, NULL},
};
