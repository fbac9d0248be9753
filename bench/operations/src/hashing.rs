//! Hashing to curves (RFC 9380): suites for random points, with the hash of each suite.

use crate::{timing::Operations, MESSAGE, TAG};
use ark_ec::hashing::{curve_maps::wb::WBMap, map_to_curve_hasher::MapToCurveBasedHasher, HashToCurve};
use ark_ff::field_hashers::DefaultFieldHasher;
use hash2curve::{ExpandMsg, ExpandMsgXmd, Expander};
use p256::elliptic_curve::consts::U16;
use sha2::{Sha256, Sha512};
use std::hint::black_box;

const EXPAND: &str = "SHA-256: expand a message to 96 bytes";
/// Bytes of two elements of P-256 before reduction.
const EXPANDED_BYTES: usize = 96;

type Arkworks = MapToCurveBasedHasher<
    ark_bls12_381::G1Projective,
    DefaultFieldHasher<sha2_10::Sha256, 128>,
    WBMap<ark_bls12_381::g1::Config>,
>;

/// Adds an emitted crate by its own interface.
macro_rules! native {
    ($list:ident, $curve:literal, $krate:ident, $hash:ty) => {
        $list.add(concat!($curve, ": hash to the curve"), "efdgen, own interface", || {
            black_box($krate::hash_to_curve::hash_to_curve::<$hash>(black_box(MESSAGE), TAG).unwrap());
        });
    };
}

/// Adds a crate with the traits of the crate `hash2curve`, or with the older ones of `elliptic_curve`.
macro_rules! with_traits {
    ($list:ident, $curve:literal, $subject:literal, $type:ty) => {{
        $list.add(concat!($curve, ": hash to the curve"), $subject, || {
            let parts: ([&[u8]; 1], [&[u8]; 1]) = ([black_box(MESSAGE)], [TAG]);
            black_box(<$type as hash2curve::GroupDigest>::hash_from_bytes(&parts.0, &parts.1).unwrap());
        });
    }};
    ($list:ident, $curve:literal, $subject:literal, $type:ty, $krate:ident) => {{
        use $krate::elliptic_curve::hash2curve::{ExpandMsgXmd, GroupDigest};

        $list.add(concat!($curve, ": hash to the curve"), $subject, || {
            let point = <$type>::hash_from_bytes::<ExpandMsgXmd<sha2_10::Sha256>>(&[black_box(MESSAGE)], &[TAG]);
            black_box(point.unwrap());
        });
    }};
}

/// Adds a crate with the interface of `curve25519-dalek`.
macro_rules! dalek {
    ($list:ident, $subject:literal, $krate:ident) => {
        $list.add("edwards25519: hash to the curve", $subject, || {
            black_box($krate::EdwardsPoint::hash_to_curve::<Sha512>(&[black_box(MESSAGE)], &[TAG]));
        });
    };
}

pub fn add(list: &mut Operations) {
    expanded(list);
    with_traits!(list, "P-256", "efdgen, traits 0.14", emitted_p256::NistP256);
    with_traits!(list, "P-256", "efdgen, traits 0.13", emitted_p256_013::NistP256, emitted_p256_013);
    native!(list, "P-256", own_p256, Sha256);
    with_traits!(list, "P-256", "p256 0.14", p256::NistP256);
    with_traits!(list, "P-256", "p256 0.13", p256_013::NistP256, p256_013);
    with_traits!(list, "secp256k1", "efdgen, traits 0.14", emitted_k256::Secp256k1);
    with_traits!(list, "secp256k1", "efdgen, traits 0.13", emitted_k256_013::Secp256k1, emitted_k256_013);
    native!(list, "secp256k1", own_k256, Sha256);
    with_traits!(list, "secp256k1", "k256 0.14", k256::Secp256k1);
    with_traits!(list, "secp256k1", "k256 0.13", k256_013::Secp256k1, k256_013);
    native!(list, "edwards25519", own_25519, Sha512);
    dalek!(list, "efdgen, dalek's interface", emitted_curve25519);
    dalek!(list, "curve25519-dalek 5.0", curve25519_dalek);
    native!(list, "BLS12-381 G1", own_bls12_381, Sha256);
    let hasher = Arkworks::new(TAG).unwrap();
    list.add("BLS12-381 G1: hash to the curve", "arkworks 0.6", move || {
        let _ = black_box(hasher.hash(black_box(MESSAGE)).unwrap());
    });
}

/// Adds the part of hashing to P-256 that is hashing alone.
fn expanded(list: &mut Operations) {
    list.add(EXPAND, "efdgen, own interface", || {
        let mut out = [0; EXPANDED_BYTES];
        own_p256::hash_to_curve::expand_message_xmd::<Sha256>(black_box(MESSAGE), TAG, &mut out).unwrap();
        black_box(out);
    });
    list.add(EXPAND, "hash2curve 0.14", || {
        let (mut out, length) = ([0; EXPANDED_BYTES], (EXPANDED_BYTES as u16).try_into().unwrap());
        let parts: ([&[u8]; 1], [&[u8]; 1]) = ([black_box(MESSAGE)], [TAG]);
        let mut bytes = <ExpandMsgXmd<Sha256> as ExpandMsg<U16>>::expand_message(&parts.0, &parts.1, length).unwrap();
        bytes.fill_bytes(&mut out).unwrap();
        black_box(out);
    });
}
