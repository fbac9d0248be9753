#define SECP256K1_BUILD
#include "util.h"
#include "int128_impl.h"
#include "field_impl.h"
#include "scalar_impl.h"
#include "group_impl.h"

#include "secp256k1_formula.h"

/* Adds a multiple of the prime, so that the limbs are as large as the magnitude allows. */
static void host_read(secp256k1_fe *r, const unsigned char *bytes, int bound) {
    secp256k1_fe zero;
    secp256k1_fe_set_b32_mod(r, bytes);
    if (bound > 1) {
        secp256k1_fe_set_int(&zero, 0);
        secp256k1_fe_negate_unchecked(&zero, &zero, bound - 2);
        secp256k1_fe_add(r, &zero);
    }
}

static void host_write(unsigned char *bytes, const secp256k1_fe *a) {
    secp256k1_fe copy = *a;
    secp256k1_fe_normalize(&copy);
    secp256k1_fe_get_b32(bytes, &copy);
}
