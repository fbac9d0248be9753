//! Lanes of 64 bits in plain Rust: what the instructions of IFMA do in eight and in four, for machines without them.
#![allow(dead_code, non_camel_case_types, non_snake_case)]

fn product(a: u64, b: u64) -> u128 {
    let mask = (1 << 52) - 1;
    u128::from(a & mask) * u128::from(b & mask)
}

fn fused(half: u32, c: u64, a: u64, b: u64) -> u64 {
    c.wrapping_add((product(a, b) >> (52 * half)) as u64 & ((1 << 52) - 1))
}

macro_rules! instructions {
    ($type:ident, $lanes:literal, $amount:ty, $zero:ident, $all:ident, $shl:ident, $shr:ident,
     [$($of_two:ident $by:expr),* $(,)?], [$($of_three:ident $half:literal),* $(,)?]) => {
        #[derive(Clone, Copy, Debug)]
        pub struct $type(pub [u64; $lanes]);

        pub fn $zero() -> $type {
            $type([0; $lanes])
        }

        pub fn $all(a: i64) -> $type {
            $type([a as u64; $lanes])
        }

        pub fn $shl<const N: $amount>(a: $type) -> $type {
            $type(a.0.map(|a| a << N))
        }

        pub fn $shr<const N: $amount>(a: $type) -> $type {
            $type(a.0.map(|a| a >> N))
        }

        $(pub fn $of_two(a: $type, b: $type) -> $type {
            let by: fn(u64, u64) -> u64 = $by;
            $type(core::array::from_fn(|i| by(a.0[i], b.0[i])))
        })*

        $(pub fn $of_three(c: $type, a: $type, b: $type) -> $type {
            $type(core::array::from_fn(|i| fused($half, c.0[i], a.0[i], b.0[i])))
        })*
    };
}

instructions!(
    __m512i, 8, u32, _mm512_setzero_si512, _mm512_set1_epi64, _mm512_slli_epi64, _mm512_srli_epi64,
    [
        _mm512_add_epi64 u64::wrapping_add,
        _mm512_sub_epi64 u64::wrapping_sub,
        _mm512_mullo_epi64 u64::wrapping_mul,
        _mm512_and_si512 |a, b| a & b,
        _mm512_andnot_si512 |a, b| !a & b,
        _mm512_or_si512 |a, b| a | b,
        _mm512_xor_si512 |a, b| a ^ b,
    ],
    [_mm512_madd52lo_epu64 0, _mm512_madd52hi_epu64 1]
);

instructions!(
    __m256i, 4, i32, _mm256_setzero_si256, _mm256_set1_epi64x, _mm256_slli_epi64, _mm256_srli_epi64,
    [
        _mm256_add_epi64 u64::wrapping_add,
        _mm256_sub_epi64 u64::wrapping_sub,
        _mm256_mullo_epi64 u64::wrapping_mul,
        _mm256_mul_epu32 |a, b| (a & 0xffff_ffff) * (b & 0xffff_ffff),
        _mm256_and_si256 |a, b| a & b,
        _mm256_andnot_si256 |a, b| !a & b,
        _mm256_or_si256 |a, b| a | b,
        _mm256_xor_si256 |a, b| a ^ b,
    ],
    [
        _mm256_madd52lo_epu64 0, _mm256_madd52hi_epu64 1,
        _mm256_madd52lo_avx_epu64 0, _mm256_madd52hi_avx_epu64 1,
    ]
);
