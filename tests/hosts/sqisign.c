#include "fp_point.h"

static void host_read(fp_t *r, const unsigned char *bytes, int bound) {
    unsigned char little[32];
    int i;
    (void)bound;
    for (i = 0; i < 32; i++) {
        little[i] = bytes[31 - i];
    }
    fp_decode(r, little);
}

static void host_write(unsigned char *bytes, const fp_t *a) {
    unsigned char little[32];
    int i;
    fp_encode(little, a);
    for (i = 0; i < 32; i++) {
        bytes[i] = little[31 - i];
    }
}
