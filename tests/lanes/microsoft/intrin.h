/* CPUID and XGETBV as Microsoft's compiler has them, of a processor and a system with AVX-512 IFMA. */
#ifndef EFDGEN_TESTS_INTRIN_H
#define EFDGEN_TESTS_INTRIN_H

#include <immintrin.h>

static inline void __cpuidex(int id[4], int leaf, int below) {
    memset(id, 0, 4 * sizeof *id);
    if (leaf == 1) {
        id[2] = 1 << 27;
    } else if (leaf == 7 && below == 0) {
        id[1] = 1 << 16 | 1 << 17 | 1 << 21;
    }
}

static inline void __cpuid(int id[4], int leaf) {
    __cpuidex(id, leaf, 0);
}

static inline uint64_t _xgetbv(unsigned int number) {
    return number == 0 ? 0xe7 : 0;
}

static inline uint64_t _umul128(uint64_t a, uint64_t b, uint64_t *high) {
    const unsigned __int128 product = (unsigned __int128)a * b;
    *high = (uint64_t)(product >> 64);
    return (uint64_t)product;
}

#endif
