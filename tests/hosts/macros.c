#include <string.h>

#include "third_party/fiat/p256_64.h"

typedef struct {
    fiat_p256_montgomery_domain_field_element words;
} FE;

#define FE_MUL(r, a, b) fiat_p256_mul((r)->words, (a)->words, (b)->words)
#define FE_SQR(r, a) fiat_p256_square((r)->words, (a)->words)
#define FE_ADD(r, a, b) fiat_p256_add((r)->words, (a)->words, (b)->words)
#define FE_SUB(r, a, b) fiat_p256_sub((r)->words, (a)->words, (b)->words)
#define FE_NEG(r, a) fiat_p256_opp((r)->words, (a)->words)
#define FE_COPY(r, a) (*(r) = *(a))
#define FE_EQUAL(a, b) (memcmp((a), (b), sizeof(FE)) == 0)

#include "point.h"

static void host_read(FE *r, const unsigned char *bytes, int bound) {
    fiat_p256_non_montgomery_domain_field_element plain;
    unsigned char little[32];
    int i;
    (void)bound;
    for (i = 0; i < 32; i++) {
        little[i] = bytes[31 - i];
    }
    fiat_p256_from_bytes(plain, little);
    fiat_p256_to_montgomery(r->words, plain);
}

static void host_write(unsigned char *bytes, const FE *a) {
    fiat_p256_non_montgomery_domain_field_element plain;
    unsigned char little[32];
    int i;
    fiat_p256_from_montgomery(plain, a->words);
    fiat_p256_to_bytes(little, plain);
    for (i = 0; i < 32; i++) {
        bytes[i] = little[31 - i];
    }
}
