//! Crates with RustCrypto's traits: emitted ones and the published `p256` and `k256`.

use crate::{timing::Operations, MESSAGE, OTHER, SECRET, TAG};
use std::hint::black_box;

/// Adds what a crate with RustCrypto's traits offers; the older generation names encodings otherwise.
macro_rules! with_traits {
    ($list:ident, $curve:literal, $subject:literal, $krate:ident) => {
        with_traits!($list, $curve, $subject, $krate, ToSec1Point, to_sec1_point)
    };
    ($list:ident, $curve:literal, $subject:literal, $krate:ident, $trait:ident, $encode:ident) => {{
        use $krate::ecdsa::signature::{Signer, Verifier};
        use $krate::ecdsa::{Signature, SigningKey, VerifyingKey};
        use $krate::elliptic_curve::sec1::$trait;
        use $krate::{NonZeroScalar, ProjectivePoint, PublicKey};

        let signing = SigningKey::from_bytes(&SECRET.into()).unwrap();
        let verifying = VerifyingKey::from(&signing);
        let signature: Signature = signing.sign(MESSAGE);
        let compressed = verifying.$encode(true).as_bytes().to_vec();
        let uncompressed = verifying.$encode(false).as_bytes().to_vec();
        let secret: NonZeroScalar = *signing.as_nonzero_scalar();
        let other = SigningKey::from_bytes(&OTHER.into()).unwrap();
        let public = PublicKey::from(VerifyingKey::from(&other));
        let other = public.$encode(false).as_bytes().to_vec();
        let p = ProjectivePoint::GENERATOR + ProjectivePoint::GENERATOR;
        let q = p + p + ProjectivePoint::GENERATOR;
        $list.add(concat!("ECDSA ", $curve, ": verify"), $subject, move || {
            black_box(&verifying).verify(black_box(MESSAGE), black_box(&signature)).unwrap();
        });
        $list.add(concat!("ECDSA ", $curve, ": decode a key, verify"), $subject, move || {
            let key = VerifyingKey::from_sec1_bytes(black_box(&uncompressed)).unwrap();
            key.verify(black_box(MESSAGE), black_box(&signature)).unwrap();
        });
        $list.add(concat!("ECDSA ", $curve, ": sign"), $subject, move || {
            black_box::<Signature>(black_box(&signing).sign(black_box(MESSAGE)));
        });
        $list.add(concat!("ECDH ", $curve), $subject, move || {
            black_box($krate::ecdh::diffie_hellman(black_box(secret), black_box(public).as_affine()));
        });
        $list.add(concat!("ECDH ", $curve, ": decode a key, exchange"), $subject, move || {
            let key = PublicKey::from_sec1_bytes(black_box(&other)).unwrap();
            black_box($krate::ecdh::diffie_hellman(black_box(secret), key.as_affine()));
        });
        $list.add(concat!($curve, ": decode a compressed key"), $subject, move || {
            black_box(VerifyingKey::from_sec1_bytes(black_box(&compressed)).unwrap());
        });
        $list.add(concat!($curve, ": P + Q, projective"), $subject, move || {
            black_box(black_box(p) + black_box(q));
        });
    }};
}

/// Adds BIP-340 of a crate of secp256k1 with RustCrypto's traits.
macro_rules! schnorr {
    ($list:ident, $subject:literal, $krate:ident) => {{
        let signing = $krate::schnorr::SigningKey::from_bytes((&SECRET[..]).try_into().unwrap()).unwrap();
        let verifying = *signing.verifying_key();
        let signature = signing.sign_raw(MESSAGE, &OTHER).unwrap();
        $list.add("BIP-340: verify", $subject, move || {
            black_box(&verifying).verify_raw(black_box(MESSAGE), black_box(&signature)).unwrap();
        });
        $list.add("BIP-340: sign", $subject, move || {
            black_box(black_box(&signing).sign_raw(black_box(MESSAGE), black_box(&OTHER)).unwrap());
        });
    }};
}

/// Adds hashing to a curve by the traits of the crate `hash2curve`, and by the older ones of `elliptic_curve`.
macro_rules! hashed {
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

pub fn p256(list: &mut Operations) {
    with_traits!(list, "P-256", "efdgen, traits 0.14", emitted_p256);
    with_traits!(list, "P-256", "efdgen, traits 0.13", emitted_p256_013, ToEncodedPoint, to_encoded_point);
    with_traits!(list, "P-256", "p256 0.14", p256);
    with_traits!(list, "P-256", "p256 0.13", p256_013, ToEncodedPoint, to_encoded_point);
    hashed!(list, "P-256", "efdgen, traits 0.14", emitted_p256::NistP256);
    hashed!(list, "P-256", "efdgen, traits 0.13", emitted_p256_013::NistP256, emitted_p256_013);
    hashed!(list, "P-256", "p256 0.14", p256::NistP256);
    hashed!(list, "P-256", "p256 0.13", p256_013::NistP256, p256_013);
}

pub fn k256(list: &mut Operations) {
    with_traits!(list, "secp256k1", "efdgen, traits 0.14", emitted_k256);
    with_traits!(list, "secp256k1", "efdgen, traits 0.13", emitted_k256_013, ToEncodedPoint, to_encoded_point);
    with_traits!(list, "secp256k1", "k256 0.14", k256);
    with_traits!(list, "secp256k1", "k256 0.13", k256_013, ToEncodedPoint, to_encoded_point);
    hashed!(list, "secp256k1", "efdgen, traits 0.14", emitted_k256::Secp256k1);
    hashed!(list, "secp256k1", "efdgen, traits 0.13", emitted_k256_013::Secp256k1, emitted_k256_013);
    hashed!(list, "secp256k1", "k256 0.14", k256::Secp256k1);
    hashed!(list, "secp256k1", "k256 0.13", k256_013::Secp256k1, k256_013);
    schnorr!(list, "efdgen, traits 0.14", emitted_k256);
    schnorr!(list, "efdgen, traits 0.13", emitted_k256_013);
    schnorr!(list, "k256 0.14", k256);
    schnorr!(list, "k256 0.13", k256_013);
}
