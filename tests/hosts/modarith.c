#include <fp.h>
#include <stddef.h>

/* The output of modarith's generators for 5·2^248 - 1: limbs of 51 bits, and functions with the output last. */
#define Nlimbs 5
typedef uint64_t spint;
void modcpy(const spint *a, spint *c);
void modadd(const spint *a, const spint *b, spint *c);
void modsub(const spint *a, const spint *b, spint *c);
void modmul(const spint *a, const spint *b, spint *c);
void modneg(const spint *a, spint *c);
void modsqr(const spint *a, spint *c);
void modmli(const spint *a, int k, spint *c);
void modinv(const spint *a, const spint *h, spint *c);

#include "point.h"

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
