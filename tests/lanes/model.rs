//! Eight lanes of 64 bits in plain Rust: what the instructions of AVX-512 IFMA do, for machines without them.
#![allow(non_camel_case_types, non_snake_case)]

#[derive(Clone, Copy, Debug)]
pub struct __m512i(pub [u64; 8]);

fn each(value: impl FnMut(usize) -> u64) -> __m512i {
    __m512i(core::array::from_fn(value))
}

fn product(a: u64, b: u64) -> u128 {
    let mask = (1 << 52) - 1;
    u128::from(a & mask) * u128::from(b & mask)
}

pub fn _mm512_setzero_si512() -> __m512i {
    each(|_| 0)
}

pub fn _mm512_set1_epi64(a: i64) -> __m512i {
    each(|_| a as u64)
}

pub fn _mm512_add_epi64(a: __m512i, b: __m512i) -> __m512i {
    each(|i| a.0[i].wrapping_add(b.0[i]))
}

pub fn _mm512_sub_epi64(a: __m512i, b: __m512i) -> __m512i {
    each(|i| a.0[i].wrapping_sub(b.0[i]))
}

pub fn _mm512_mullo_epi64(a: __m512i, b: __m512i) -> __m512i {
    each(|i| a.0[i].wrapping_mul(b.0[i]))
}

pub fn _mm512_and_si512(a: __m512i, b: __m512i) -> __m512i {
    each(|i| a.0[i] & b.0[i])
}

pub fn _mm512_andnot_si512(a: __m512i, b: __m512i) -> __m512i {
    each(|i| !a.0[i] & b.0[i])
}

pub fn _mm512_or_si512(a: __m512i, b: __m512i) -> __m512i {
    each(|i| a.0[i] | b.0[i])
}

pub fn _mm512_xor_si512(a: __m512i, b: __m512i) -> __m512i {
    each(|i| a.0[i] ^ b.0[i])
}

pub fn _mm512_slli_epi64<const N: u32>(a: __m512i) -> __m512i {
    each(|i| a.0[i] << N)
}

pub fn _mm512_srli_epi64<const N: u32>(a: __m512i) -> __m512i {
    each(|i| a.0[i] >> N)
}

pub fn _mm512_madd52lo_epu64(c: __m512i, a: __m512i, b: __m512i) -> __m512i {
    each(|i| c.0[i].wrapping_add(product(a.0[i], b.0[i]) as u64 & ((1 << 52) - 1)))
}

pub fn _mm512_madd52hi_epu64(c: __m512i, a: __m512i, b: __m512i) -> __m512i {
    each(|i| c.0[i].wrapping_add((product(a.0[i], b.0[i]) >> 52) as u64))
}
