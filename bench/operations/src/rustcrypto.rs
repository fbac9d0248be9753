//! Crates with RustCrypto's traits: emitted ones and the published `p256` and `k256`.

use crate::{timing::Operations, MESSAGE, OTHER, SECRET};
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

pub fn p256(list: &mut Operations) {
    with_traits!(list, "P-256", "efdgen, traits 0.14", emitted_p256);
    with_traits!(list, "P-256", "efdgen, traits 0.13", emitted_p256_013, ToEncodedPoint, to_encoded_point);
    with_traits!(list, "P-256", "p256 0.14", p256);
    with_traits!(list, "P-256", "p256 0.13", p256_013, ToEncodedPoint, to_encoded_point);
}

pub fn k256(list: &mut Operations) {
    with_traits!(list, "secp256k1", "efdgen, traits 0.14", emitted_k256);
    with_traits!(list, "secp256k1", "efdgen, traits 0.13", emitted_k256_013, ToEncodedPoint, to_encoded_point);
    with_traits!(list, "secp256k1", "k256 0.14", k256);
    with_traits!(list, "secp256k1", "k256 0.13", k256_013, ToEncodedPoint, to_encoded_point);
}
