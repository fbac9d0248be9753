#include "third_party/fiat/p256_64.h"

#include "fiat_p256_point.h"

typedef fiat_p256_montgomery_domain_field_element element;

static void host_read(element *r, const unsigned char *bytes, int bound) {
    fiat_p256_non_montgomery_domain_field_element plain;
    unsigned char little[32];
    int i;
    (void)bound;
    for (i = 0; i < 32; i++) {
        little[i] = bytes[31 - i];
    }
    fiat_p256_from_bytes(plain, little);
    fiat_p256_to_montgomery(*r, plain);
}

static void host_write(unsigned char *bytes, const element *a) {
    fiat_p256_non_montgomery_domain_field_element plain;
    unsigned char little[32];
    int i;
    fiat_p256_from_montgomery(plain, *a);
    fiat_p256_to_bytes(little, plain);
    for (i = 0; i < 32; i++) {
        bytes[i] = little[31 - i];
    }
}
