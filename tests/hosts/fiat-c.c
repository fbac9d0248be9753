#include <stdint.h>
#include <string.h>
#include "third_party/fiat/curve25519_64.h"

#include "fiat_25519_point.h"

static void host_read(fiat_25519_tight_field_element *r, const unsigned char *bytes, int bound) {
    unsigned char little[32];
    int i;
    (void)bound;
    for (i = 0; i < 32; i++) {
        little[i] = bytes[31 - i];
    }
    fiat_25519_from_bytes(*r, little);
}

static void host_write(unsigned char *bytes, const fiat_25519_tight_field_element *a) {
    unsigned char little[32];
    int i;
    fiat_25519_to_bytes(little, *a);
    for (i = 0; i < 32; i++) {
        bytes[i] = little[31 - i];
    }
}
