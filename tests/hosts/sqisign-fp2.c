#include "fp2_point.h"

/* The imaginary part stands first, as the most significant. */
static void host_read(fp2_t *r, const unsigned char *bytes, int bound) {
    unsigned char little[64];
    int i;
    (void)bound;
    for (i = 0; i < 64; i++) {
        little[i] = bytes[63 - i];
    }
    fp_decode(&r->re, little);
    fp_decode(&r->im, little + 32);
}

static void host_write(unsigned char *bytes, const fp2_t *a) {
    unsigned char little[64];
    int i;
    fp_encode(little, &a->re);
    fp_encode(little + 32, &a->im);
    for (i = 0; i < 64; i++) {
        bytes[i] = little[63 - i];
    }
}
