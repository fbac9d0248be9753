/* Lanes of 64 bits in plain C: what the instructions of IFMA do in eight and in four, for machines without them. */
#ifndef EFDGEN_TESTS_IMMINTRIN_H
#define EFDGEN_TESTS_IMMINTRIN_H

#include <stdint.h>

#define LOW_BITS(bits) ((UINT64_C(1) << (bits)) - 1)
#define FACTORS ((unsigned __int128)(a.lane[i] & LOW_BITS(52)) * (b.lane[i] & LOW_BITS(52)))

/* Defines a function on registers of some bits, by what a lane becomes. */
#define EACH(bits, name, arguments, value)                          \
    static inline __m##bits##i _mm##bits##_##name arguments {       \
        __m##bits##i r;                                             \
        for (int i = 0; i < (bits) / 64; i++) {                     \
            r.lane[i] = (uint64_t)(value);                          \
        }                                                           \
        return r;                                                   \
    }

/* Microsoft's registers are unions, whose first member is bytes. */
#ifdef _MSC_VER
#define REGISTER union
#define BYTES(bits) char bytes[(bits) / 8];
#else
#define REGISTER struct
#define BYTES(bits)
#endif

/* Defines the instructions on registers of some bits; the names of some end in the bits of a whole register. */
#define INSTRUCTIONS(bits, all)                                                                     \
    typedef REGISTER {                                                                              \
        BYTES(bits)                                                                                 \
        uint64_t lane[(bits) / 64];                                                                 \
    } __m##bits##i;                                                                                 \
    EACH(bits, setzero_si##bits, (void), 0)                                                         \
    EACH(bits, all, (long long a), a)                                                               \
    EACH(bits, add_epi64, (__m##bits##i a, __m##bits##i b), a.lane[i] + b.lane[i])                  \
    EACH(bits, sub_epi64, (__m##bits##i a, __m##bits##i b), a.lane[i] - b.lane[i])                  \
    EACH(bits, mullo_epi64, (__m##bits##i a, __m##bits##i b), a.lane[i] * b.lane[i])                \
    EACH(bits, mul_epu32, (__m##bits##i a, __m##bits##i b), (a.lane[i] & LOW_BITS(32)) * (b.lane[i] & LOW_BITS(32))) \
    EACH(bits, and_si##bits, (__m##bits##i a, __m##bits##i b), a.lane[i] & b.lane[i])               \
    EACH(bits, andnot_si##bits, (__m##bits##i a, __m##bits##i b), ~a.lane[i] & b.lane[i])           \
    EACH(bits, or_si##bits, (__m##bits##i a, __m##bits##i b), a.lane[i] | b.lane[i])                \
    EACH(bits, xor_si##bits, (__m##bits##i a, __m##bits##i b), a.lane[i] ^ b.lane[i])               \
    EACH(bits, slli_epi64, (__m##bits##i a, unsigned n), a.lane[i] << n)                            \
    EACH(bits, srli_epi64, (__m##bits##i a, unsigned n), a.lane[i] >> n)                            \
    EACH(bits, madd52lo_epu64, (__m##bits##i c, __m##bits##i a, __m##bits##i b),                    \
        c.lane[i] + ((uint64_t)FACTORS & LOW_BITS(52)))                                             \
    EACH(bits, madd52hi_epu64, (__m##bits##i c, __m##bits##i a, __m##bits##i b),                    \
        c.lane[i] + (uint64_t)(FACTORS >> 52))

INSTRUCTIONS(512, set1_epi64)
INSTRUCTIONS(256, set1_epi64x)

/* The same instructions, encoded for processors without AVX-512. */
#define _mm256_madd52lo_avx_epu64 _mm256_madd52lo_epu64
#define _mm256_madd52hi_avx_epu64 _mm256_madd52hi_epu64

/* Instructions on words, which clang has by this header. */
static inline unsigned char _addcarry_u64(unsigned char c, unsigned long long a, unsigned long long b, unsigned long long *r) {
    const unsigned __int128 sum = (unsigned __int128)a + b + c;
    *r = (unsigned long long)sum;
    return (unsigned char)(sum >> 64);
}
static inline unsigned char _subborrow_u64(unsigned char c, unsigned long long a, unsigned long long b, unsigned long long *r) {
    const unsigned __int128 difference = (unsigned __int128)a - b - c;
    *r = (unsigned long long)difference;
    return (unsigned char)(difference >> 127);
}

#endif
