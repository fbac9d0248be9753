//! Emitted crates by their own interface.

use crate::{timing::Operations, MESSAGE, OTHER, SECRET};
use sha2::Sha256;
use std::hint::black_box;

const SUBJECT: &str = "efdgen, own interface";

/// Adds what an emitted crate of a Weierstrass curve offers.
macro_rules! native {
    ($list:ident, $curve:literal, $krate:ident) => {{
        use $krate::{decode, ecdh, ecdsa};

        let point = ecdsa::public_key(&SECRET).unwrap();
        let compressed = point.encode().unwrap();
        let uncompressed = point.encode_uncompressed().unwrap();
        let public = ecdsa::VerifyingKey::from_bytes(&uncompressed).unwrap();
        let signature = ecdsa::sign::<Sha256>(&SECRET, MESSAGE).unwrap();
        let encoded = ecdsa::public_key(&OTHER).unwrap().encode_uncompressed().unwrap();
        let other = decode(&encoded).unwrap();
        $list.add(concat!("ECDSA ", $curve, ": verify"), SUBJECT, move || {
            assert!(black_box(&public).verify::<Sha256>(black_box(MESSAGE), black_box(&signature)));
        });
        $list.add(concat!("ECDSA ", $curve, ": decode a key, verify"), SUBJECT, move || {
            let key = ecdsa::VerifyingKey::from_bytes(black_box(&uncompressed)).unwrap();
            assert!(key.verify::<Sha256>(black_box(MESSAGE), black_box(&signature)));
        });
        $list.add(concat!("ECDSA ", $curve, ": sign"), SUBJECT, || {
            black_box(ecdsa::sign::<Sha256>(black_box(&SECRET), black_box(MESSAGE)).unwrap());
        });
        $list.add(concat!("ECDH ", $curve), SUBJECT, move || {
            black_box(ecdh::exchange(black_box(&SECRET), black_box(&other)).unwrap());
        });
        $list.add(concat!("ECDH ", $curve, ": decode a key, exchange"), SUBJECT, move || {
            black_box(ecdh::exchange(black_box(&SECRET), &decode(black_box(&encoded)).unwrap()).unwrap());
        });
        $list.add(concat!($curve, ": decode a compressed key"), SUBJECT, move || {
            black_box(ecdsa::VerifyingKey::from_bytes(black_box(&compressed)).unwrap());
        });
    }};
}

pub fn p256(list: &mut Operations) {
    native!(list, "P-256", own_p256);
}

pub fn k256(list: &mut Operations) {
    native!(list, "secp256k1", own_k256);
}

pub fn ed25519(list: &mut Operations) {
    use own_25519::eddsa;

    let public = eddsa::public_key(&SECRET);
    let signature = eddsa::sign(&SECRET, MESSAGE);
    list.add("Ed25519: decode a key, verify", SUBJECT, move || {
        assert!(eddsa::verify(black_box(&public), black_box(MESSAGE), black_box(&signature)));
    });
    list.add("Ed25519: sign", "efdgen, own interface, key derived", || {
        black_box(eddsa::sign(black_box(&SECRET), black_box(MESSAGE)));
    });
}
