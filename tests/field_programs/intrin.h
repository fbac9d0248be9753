#pragma once
#include <immintrin.h>
static inline uint64_t _umul128(uint64_t a, uint64_t b, uint64_t *high) {
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    *high = (uint64_t)(product >> 64);
    return (uint64_t)product;
}
