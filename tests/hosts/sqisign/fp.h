/* Declarations of SQIsign's functions that are called; each output may be an input. */
#ifndef FP_H
#define FP_H

#include <stdint.h>

typedef uint64_t fp_t[5];

void fp_copy(fp_t *out, const fp_t *a);
void fp_add(fp_t *out, const fp_t *a, const fp_t *b);
void fp_sub(fp_t *out, const fp_t *a, const fp_t *b);
void fp_mul(fp_t *out, const fp_t *a, const fp_t *b);
void fp_neg(fp_t *out, const fp_t *a);
void fp_sqr(fp_t *out, const fp_t *a);
void fp_half(fp_t *out, const fp_t *a);
void fp_mul_small(fp_t *out, const fp_t *a, uint32_t k);
void fp_inv(fp_t *a);
void fp_decode(fp_t *out, const void *bytes);
void fp_encode(void *bytes, const fp_t *a);

#endif
