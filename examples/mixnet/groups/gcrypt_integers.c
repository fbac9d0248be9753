/* Integers modulo a prime by libgcrypt, as the thesis has them. */
#include "libgcrypt.h"
#include "group.h"
#include "integers.h"

static gcry_mpi_t prime, half, result;

static gcry_mpi_t number(const integer *a) {
    return gcrypt_number((const uint8_t *)a->word, BYTES);
}

static void take_result(integer *r) {
    gcrypt_bytes((uint8_t *)r->word, BYTES, result);
}

static void start(const integer *modulus) {
    gcrypt_start();
    prime = number(modulus);
    result = gcry_mpi_new(BITS);
    half = gcry_mpi_copy(prime);
    gcry_mpi_rshift(half, half, 1);
}

static void product(integer *r, const integer *p, const integer *const *others, size_t count) {
    gcry_mpi_t first = number(p);
    gcry_mpi_set(result, first);
    gcry_mpi_release(first);
    for (size_t i = 0; i < count; i++) {
        gcry_mpi_t other = number(others[i]);
        gcry_mpi_mulm(result, result, other, prime);
        gcry_mpi_release(other);
    }
    take_result(r);
}

static void prepare(integer *r, const integer *p) {
    *r = *p;
}

static void power(integer *r, const integer *p, const integer *exponent) {
    gcry_mpi_t base = number(p), k = number(exponent);
    gcry_mpi_powm(result, base, k, prime);
    gcry_mpi_release(base);
    gcry_mpi_release(k);
    take_result(r);
}

static void inverse(integer *r, const integer *p) {
    gcry_mpi_t a = number(p);
    gcry_mpi_invm(result, a, prime);
    gcry_mpi_release(a);
    take_result(r);
}

/* Euler's criterion: libgcrypt has no Legendre symbol. */
static int is_square(const integer *p) {
    gcry_mpi_t a = number(p);
    gcry_mpi_powm(result, a, half, prime);
    gcry_mpi_release(a);
    return gcry_mpi_cmp_ui(result, 1) == 0;
}

static const arithmetic gcrypt = {start, product, product, prepare, power, inverse, is_square};

static void plain(void) {
    choose_integers(&gcrypt, (shortcuts){0, 0});
}

const choice gcrypt_integer_choices[] = {
    {"gcrypt-integers", &integer_group, &integer_correspondents, plain},
    {NULL, NULL, NULL, NULL},
};
