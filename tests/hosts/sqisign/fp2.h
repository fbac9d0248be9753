/* The same for the quadratic field, whose elements are re + im·i with i² = -1. */
#ifndef FP2_H
#define FP2_H

#include <fp.h>

typedef struct {
    fp_t re, im;
} fp2_t;

void fp2_copy(fp2_t *out, const fp2_t *a);
void fp2_add(fp2_t *out, const fp2_t *a, const fp2_t *b);
void fp2_sub(fp2_t *out, const fp2_t *a, const fp2_t *b);
void fp2_mul(fp2_t *out, const fp2_t *a, const fp2_t *b);
void fp2_neg(fp2_t *out, const fp2_t *a);
void fp2_sqr(fp2_t *out, const fp2_t *a);
void fp2_half(fp2_t *out, const fp2_t *a);
void fp2_mul_small(fp2_t *out, const fp2_t *a, uint32_t k);
void fp2_inv(fp2_t *a);

#endif
