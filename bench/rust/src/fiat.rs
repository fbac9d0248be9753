//! The crate fiat-crypto: fields that are proved, called as a user of the crate calls them.

use fiat_crypto::{curve25519_64 as c25519, p256_64 as p256, p384_64 as p384};
use fiat_crypto::{p448_solinas_64 as p448, p521_64 as p521, secp256k1_montgomery_64 as secp256k1};

use crate::entry::Entry;
use crate::{latency, throughput};

/// Tight in and tight out, as a chain of products wants it.
macro_rules! unsaturated {
    ($name:literal, $module:ident, $limbs:literal, $tight:ident, $loose:ident, $mul:ident, $sqr:ident) => {{
        type Pair = ($module::$tight, $module::$loose);
        const START: Pair = ($module::$tight([3; $limbs]), $module::$loose([5; $limbs]));
        &[
            latency!("fiat-crypto, rustc", concat!($name, "/mul"), START, |r, b| {
                let a = $module::$loose(r.0);
                $module::$mul(r, &a, &b)
            }),
            throughput!("fiat-crypto, rustc", concat!($name, "/mul"), START, |r, b| {
                let a = $module::$loose(r.0);
                $module::$mul(r, &a, &b)
            }),
            latency!("fiat-crypto, rustc", concat!($name, "/sqr"), START, |r, _b| {
                let a = $module::$loose(r.0);
                $module::$sqr(r, &a)
            }),
            throughput!("fiat-crypto, rustc", concat!($name, "/sqr"), START, |r, _b| {
                let a = $module::$loose(r.0);
                $module::$sqr(r, &a)
            }),
        ]
    }};
}

macro_rules! montgomery {
    ($name:literal, $module:ident, $limbs:literal, $type:ident, $mul:ident, $sqr:ident) => {{
        const START: ($module::$type, $module::$type) =
            ($module::$type([3; $limbs]), $module::$type([5; $limbs]));
        &[
            latency!("fiat-crypto, rustc", concat!($name, "/mul"), START, |r, b| {
                let a = *r;
                $module::$mul(r, &a, &b)
            }),
            throughput!("fiat-crypto, rustc", concat!($name, "/mul"), START, |r, b| {
                let a = *r;
                $module::$mul(r, &a, &b)
            }),
            latency!("fiat-crypto, rustc", concat!($name, "/sqr"), START, |r, _b| {
                let a = *r;
                $module::$sqr(r, &a)
            }),
            throughput!("fiat-crypto, rustc", concat!($name, "/sqr"), START, |r, _b| {
                let a = *r;
                $module::$sqr(r, &a)
            }),
        ]
    }};
}

pub const ENTRIES: &[&[Entry]] = &[
    unsaturated!(
        "2^255-19", c25519, 5, fiat_25519_tight_field_element, fiat_25519_loose_field_element,
        fiat_25519_carry_mul, fiat_25519_carry_square
    ),
    unsaturated!(
        "2^448-2^224-1", p448, 8, fiat_p448_tight_field_element, fiat_p448_loose_field_element,
        fiat_p448_carry_mul, fiat_p448_carry_square
    ),
    unsaturated!(
        "P-521", p521, 9, fiat_p521_tight_field_element, fiat_p521_loose_field_element,
        fiat_p521_carry_mul, fiat_p521_carry_square
    ),
    montgomery!(
        "P-256", p256, 4, fiat_p256_montgomery_domain_field_element, fiat_p256_mul, fiat_p256_square
    ),
    montgomery!(
        "P-384", p384, 6, fiat_p384_montgomery_domain_field_element, fiat_p384_mul, fiat_p384_square
    ),
    montgomery!(
        "secp256k1", secp256k1, 4, fiat_secp256k1_montgomery_montgomery_domain_field_element,
        fiat_secp256k1_montgomery_mul, fiat_secp256k1_montgomery_square
    ),
];
