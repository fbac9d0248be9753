/* GMP's inversion, the best that a general library of integers does; not constant time. */
#include <gmp.h>

#include "entry.h"

#define INVERSION(NAME, PRIME)                        \
    static void NAME##_latency(uint64_t n) {          \
        mpz_t p, a;                                   \
        mpz_init_set_str(p, PRIME, 16);               \
        mpz_init_set_ui(a, 3);                        \
        for (; n; n--) {                              \
            mpz_invert(a, a, p);                      \
            mpz_add_ui(a, a, 1);                      \
        }                                             \
        mpz_clears(p, a, NULL);                       \
    }

INVERSION(secp256k1, "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEFFFFFC2F")
INVERSION(p256, "FFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF")
INVERSION(curve25519, "7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFED")

const bench_entry bench_entries[] = {
    LATENCY_ENTRY("secp256k1/inv var", secp256k1),
    LATENCY_ENTRY("P-256/inv var", p256),
    LATENCY_ENTRY("2^255-19/inv var", curve25519),
    {0, 0, 0, 0},
};
