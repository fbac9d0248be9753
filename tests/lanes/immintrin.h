/* Eight lanes of 64 bits in plain C: what the instructions of AVX-512 IFMA do, for machines without them. */
#ifndef EFDGEN_TESTS_IMMINTRIN_H
#define EFDGEN_TESTS_IMMINTRIN_H

#include <stdint.h>

typedef struct {
    uint64_t lane[8];
} __m512i;

#define EACH(value)                     \
    __m512i r;                          \
    for (int i = 0; i < 8; i++) {       \
        r.lane[i] = (uint64_t)(value);  \
    }                                   \
    return r

#define FACTORS ((unsigned __int128)(a.lane[i] & 0xfffffffffffff) * (b.lane[i] & 0xfffffffffffff))

static inline __m512i _mm512_setzero_si512(void) { EACH(0); }
static inline __m512i _mm512_set1_epi64(long long a) { EACH(a); }
static inline __m512i _mm512_add_epi64(__m512i a, __m512i b) { EACH(a.lane[i] + b.lane[i]); }
static inline __m512i _mm512_sub_epi64(__m512i a, __m512i b) { EACH(a.lane[i] - b.lane[i]); }
static inline __m512i _mm512_mullo_epi64(__m512i a, __m512i b) { EACH(a.lane[i] * b.lane[i]); }
static inline __m512i _mm512_and_si512(__m512i a, __m512i b) { EACH(a.lane[i] & b.lane[i]); }
static inline __m512i _mm512_andnot_si512(__m512i a, __m512i b) { EACH(~a.lane[i] & b.lane[i]); }
static inline __m512i _mm512_or_si512(__m512i a, __m512i b) { EACH(a.lane[i] | b.lane[i]); }
static inline __m512i _mm512_xor_si512(__m512i a, __m512i b) { EACH(a.lane[i] ^ b.lane[i]); }
static inline __m512i _mm512_slli_epi64(__m512i a, unsigned n) { EACH(a.lane[i] << n); }
static inline __m512i _mm512_srli_epi64(__m512i a, unsigned n) { EACH(a.lane[i] >> n); }
static inline __m512i _mm512_madd52lo_epu64(__m512i c, __m512i a, __m512i b) {
    EACH(c.lane[i] + ((uint64_t)FACTORS & 0xfffffffffffff));
}
static inline __m512i _mm512_madd52hi_epu64(__m512i c, __m512i a, __m512i b) {
    EACH(c.lane[i] + (uint64_t)(FACTORS >> 52));
}


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
