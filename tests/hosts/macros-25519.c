#include <stdint.h>
#include <string.h>
#include "third_party/fiat/curve25519_64.h"

typedef struct {
    fiat_25519_tight_field_element words;
} FE;

#define FE_MUL(r, a, b) fiat_25519_carry_mul((r)->words, (a)->words, (b)->words)
#define FE_SQR(r, a) fiat_25519_carry_square((r)->words, (a)->words)
#define FE_COPY(r, a) (*(r) = *(a))
#define FE_EQUAL(a, b) fe_equal(a, b)

static void FE_ADD(FE *r, const FE *a, const FE *b) {
    fiat_25519_loose_field_element sum;
    fiat_25519_add(sum, a->words, b->words);
    fiat_25519_carry(r->words, sum);
}

static void FE_SUB(FE *r, const FE *a, const FE *b) {
    fiat_25519_loose_field_element difference;
    fiat_25519_sub(difference, a->words, b->words);
    fiat_25519_carry(r->words, difference);
}

static void FE_NEG(FE *r, const FE *a) {
    fiat_25519_loose_field_element negated;
    fiat_25519_opp(negated, a->words);
    fiat_25519_carry(r->words, negated);
}

static int fe_equal(const FE *a, const FE *b) {
    unsigned char one[32], other[32];
    fiat_25519_to_bytes(one, a->words);
    fiat_25519_to_bytes(other, b->words);
    return memcmp(one, other, 32) == 0;
}
STRUCTURES
#include "point.h"

static void host_read(FE *r, const unsigned char *bytes, int bound) {
    unsigned char little[32];
    int i;
    (void)bound;
    for (i = 0; i < 32; i++) {
        little[i] = bytes[31 - i];
    }
    fiat_25519_from_bytes(r->words, little);
}

static void host_write(unsigned char *bytes, const FE *a) {
    unsigned char little[32];
    int i;
    fiat_25519_to_bytes(little, a->words);
    for (i = 0; i < 32; i++) {
        bytes[i] = little[31 - i];
    }
}
