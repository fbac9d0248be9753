/* Integers modulo a prime by GMP. */
#include <gmp.h>
#include <string.h>

#include "group.h"
#include "integers.h"

typedef char words_are_limbs[GMP_NUMB_BITS == 64 && sizeof(mp_limb_t) == sizeof(uint64_t) ? 1 : -1];

static mpz_t prime, result;

static mp_limb_t *limbs(integer *a) {
    return (mp_limb_t *)a->word;
}

static const mp_limb_t *const_limbs(const integer *a) {
    return (const mp_limb_t *)a->word;
}

static void start(const integer *modulus) {
    mpz_inits(prime, result, NULL);
    mpz_import(prime, WORDS, -1, sizeof(uint64_t), 0, 0, modulus->word);
}

/* Gives an integer to functions that only read it. */
static mpz_srcptr number(mpz_t view, const integer *a) {
    return mpz_roinit_n(view, const_limbs(a), WORDS);
}

static void take_result(integer *r) {
    memset(r, 0, sizeof *r);
    memcpy(r->word, mpz_limbs_read(result), mpz_size(result) * sizeof(uint64_t));
}

static void product(integer *r, const integer *p, const integer *const *others, size_t count) {
    mp_limb_t twice[2 * WORDS], quotient[WORDS + 1];
    const mp_limb_t *first = const_limbs(p);
    for (size_t i = 0; i < count; i++) {
        mpn_mul_n(twice, first, const_limbs(others[i]), WORDS);
        mpn_tdiv_qr(quotient, limbs(r), 0, twice, 2 * WORDS, mpz_limbs_read(prime), WORDS);
        first = limbs(r);
    }
}

static void prepare(integer *r, const integer *p) {
    *r = *p;
}

/* The time of powm depends on the exponent; powm_sec is a tenth slower. */
static void power(integer *r, const integer *p, const integer *exponent) {
    mpz_t base, k;
    mpz_powm(result, number(base, p), number(k, exponent), prime);
    take_result(r);
}

static void inverse(integer *r, const integer *p) {
    mpz_t view;
    mpz_invert(result, number(view, p), prime);
    take_result(r);
}

static int is_square(const integer *p) {
    mpz_t view;
    return mpz_legendre(number(view, p), prime) == 1;
}

static const arithmetic gmp = {start, product, product, prepare, power, inverse, is_square};

static void plain(void) {
    choose_integers(&gmp, (shortcuts){0, 0});
}

static void with_tables(void) {
    choose_integers(&gmp, (shortcuts){0, 1});
}

static void short_exponents(void) {
    choose_integers(&gmp, (shortcuts){1, 0});
}

static void both(void) {
    choose_integers(&gmp, (shortcuts){1, 1});
}

const choice gmp_choices[] = {
    {"gmp", &integer_group, &integer_correspondents, plain},
    {"gmp-tables", &integer_group, &integer_correspondents, with_tables},
    {"gmp-short", &integer_group, &integer_correspondents, short_exponents},
    {"gmp-short-tables", &integer_group, &integer_correspondents, both},
    {NULL, NULL, NULL, NULL},
};
