//! AWS-LC by aws-lc-rs.

use super::{p256_key, signatures, x25519_key};
use crate::{timing::Operations, MESSAGE, OTHER, SECRET};
use aws_lc_rs::agreement::{agree, Algorithm, PrivateKey, UnparsedPublicKey, ECDH_P256, X25519};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::signature::{EcdsaKeyPair, ParsedPublicKey, ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING};
use std::hint::black_box;

const SUBJECT: &str = "AWS-LC, assembler";

pub fn add(list: &mut Operations) {
    let (scheme, public) = (&ECDSA_P256_SHA256_FIXED_SIGNING, p256_key(&SECRET));
    let pair = EcdsaKeyPair::from_private_key_and_public_key(scheme, &SECRET, &public).unwrap();
    let signature = own_p256::ecdsa::sign::<sha2::Sha256>(&SECRET, MESSAGE).unwrap();
    let parsed = ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, public).unwrap();
    list.add("ECDSA P-256: verify", SUBJECT, move || {
        black_box(&parsed).verify_sig(black_box(MESSAGE), black_box(&signature)).unwrap();
    });
    signatures!(list, "AWS-LC, assembler", aws_lc_rs, pair);
    exchange(list, "ECDH P-256: decode a key, exchange", &ECDH_P256, p256_key(&OTHER));
    exchange(list, "X25519: exchange", &X25519, x25519_key(OTHER));
    list.add("X25519: public key", SUBJECT, || {
        let own = PrivateKey::from_private_key(&X25519, black_box(&SECRET)).unwrap();
        black_box(own.compute_public_key().unwrap());
    });
}

/// Adds an exchange: a parsed key serves for one alone.
fn exchange<const N: usize>(list: &mut Operations, name: &str, algorithm: &'static Algorithm, public: [u8; N]) {
    let own = PrivateKey::from_private_key(algorithm, &SECRET).unwrap();
    list.add(name, SUBJECT, move || {
        let other = UnparsedPublicKey::new(algorithm, black_box(&public));
        let common =
            agree(black_box(&own), other, Unspecified, |common| <[u8; 32]>::try_from(common).or(Err(Unspecified)));
        black_box(common.unwrap());
    });
}
